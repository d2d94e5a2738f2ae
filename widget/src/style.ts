/** In the shadow of the page: nothing of it reaches the page, and nothing of the page gets in. */
export const STYLE = `
:host { all: initial; --accent: #1f5fbf; --on-accent: #fff; --paper: #fff; --ink: #1c2530; --soft: #eef1f5; --line: #c9d1db; --quiet: #55606e;
  font: 16px/1.45 system-ui, -apple-system, "Segoe UI", sans-serif; color: var(--ink); }
* { box-sizing: border-box; font: inherit; }
.root { position: fixed; inset-block-end: 20px; inset-inline-end: 20px; z-index: 2147483000; }
.root.left { inset-inline: 20px auto; }
[hidden] { display: none !important; }
button { cursor: pointer; border: 0; color: inherit; background: none; }
:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px; }
.launcher { position: relative; width: 56px; height: 56px; border-radius: 28px; background: var(--accent); color: var(--on-accent);
  box-shadow: 0 4px 14px rgb(0 0 0 / .25); display: grid; place-items: center; }
.launcher svg { width: 26px; height: 26px; }
.badge { position: absolute; inset-block-start: -4px; inset-inline-end: -4px; min-width: 22px; padding: 1px 6px; border-radius: 11px;
  background: #b3261e; color: #fff; font-size: 13px; font-weight: 600; }
.panel { position: absolute; inset-block-end: 0; inset-inline-end: 0; width: 372px; height: min(600px, calc(100vh - 40px)); display: flex; flex-direction: column;
  background: var(--paper); border: 1px solid var(--line); border-radius: 14px; overflow: hidden; box-shadow: 0 10px 40px rgb(0 0 0 / .22); }
.left .panel { inset-inline: 0 auto; }
header { display: flex; align-items: center; gap: 8px; padding: 10px 10px 10px 16px; background: var(--accent); color: var(--on-accent); }
h2 { flex: 1; margin: 0; font-size: 17px; font-weight: 600; overflow-wrap: anywhere; }
.close { width: 44px; height: 44px; border-radius: 8px; display: grid; place-items: center; }
.close svg { width: 20px; height: 20px; }
header :focus-visible { outline-color: var(--on-accent); outline-offset: -4px; }
.log { flex: 1; overflow-y: auto; overscroll-behavior: contain; padding: 16px; display: flex; flex-direction: column; gap: 8px; }
.log > :first-child { margin-block-start: auto; }
.log p { margin: 0; padding: 8px 12px; border-radius: 12px; max-width: 84%; white-space: pre-wrap; overflow-wrap: anywhere; align-self: flex-start; background: var(--soft); }
.log p.visitor { align-self: flex-end; background: var(--accent); color: var(--on-accent); }
.log p.waiting, .log p.failed { background: var(--soft); color: var(--ink); border: 1px dashed var(--quiet); }
.log small { align-self: flex-end; color: var(--quiet); font-size: 13px; }
.earlier { align-self: center; padding: 8px 14px; min-height: 44px; border-radius: 8px; text-decoration: underline; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.away { margin: 0; padding: 8px 16px; font-size: 13px; color: var(--quiet); border-bottom: 1px solid var(--line); }
.away:empty { display: none; }
.state { margin: 0; padding: 6px 16px; font-size: 13px; color: var(--quiet); }
.state:empty { padding: 0; }
.question form { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; padding: 10px 16px; border-block-start: 1px solid var(--line); font-size: 14px; }
.question p { margin: 0; grid-column: 1 / -1; }
.question [role=status]:not(:empty) { padding: 0 16px 8px; font-size: 13px; }
.question label { min-width: 0; display: grid; gap: 2px; }
.question input { width: 100%; min-height: 44px; padding: 6px 10px; }
.question button { min-height: 44px; padding: 0 12px; border-radius: 10px; }
.save { border: 1px solid #76828f; font-weight: 600; }
.write { display: flex; gap: 8px; padding: 10px; border-block-start: 1px solid var(--line); }
input, textarea { border: 1px solid #76828f; border-radius: 10px; background: var(--paper); color: var(--ink); font-size: 16px; }
textarea { flex: 1; min-width: 0; min-height: 44px; max-height: 140px; resize: none; padding: 10px 12px; }
textarea::placeholder { color: var(--quiet); opacity: 1; }
.send { min-width: 64px; min-height: 44px; padding: 0 14px; border-radius: 10px; background: var(--accent); color: var(--on-accent); font-weight: 600; }
@media (max-width: 480px) {
  .root.open { inset: 0; }
  .root .panel { position: fixed; inset: 0; width: auto; height: auto; height: 100dvh; border: 0; border-radius: 0; }
}
@media (prefers-color-scheme: dark) {
  :host { --paper: #1b212a; --ink: #e8edf3; --soft: #2a323d; --line: #3a4552; --quiet: #a7b2bf; }
}
`;

/** The colour of words on a colour: whichever of white and black stands out more, by the contrast of WCAG. */
export function wordsOn(color: string): "#ffffff" | "#000000" {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = channels.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? "#ffffff" : "#000000";
}
