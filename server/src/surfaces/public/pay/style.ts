/** Relative luminance, as WCAG defines it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Black or white, whichever is easier to read on a colour of branding: both contrasts are the same at 0.179. */
const textOn = (color: string) => (luminance(color) > 0.179 ? "#000" : "#fff");

const LIGHT = `--ink:#15202b;--soft:#55616d;--line:#e0e5e9;--field:#84909b;--page:#f3f5f7;--card:#fff;--sunken:#f5f7f8;
--good:#0f7247;--good-wash:#e3f4ea;--bad:#b42318;--bad-wash:#fdecea;--wait:#7d5200;--wait-wash:#fff5d9;`;
const DARK = `--ink:#edf1f4;--soft:#a9b3bc;--line:#2c353d;--field:#74808b;--page:#0d1216;--card:#161c22;--sunken:#1d242b;
--good:#69d6a0;--good-wash:#12301f;--bad:#ff9c91;--bad-wash:#3a1815;--wait:#f1c566;--wait-wash:#32280f;`;

const LAYOUT = `*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:flex;flex-direction:column;align-items:center;font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;color:var(--ink);background:var(--page);-webkit-text-size-adjust:100%}
main,footer{width:100%;max-width:29rem}
main{background:var(--card);padding:0 1.25rem 1.75rem;border-top:4px solid var(--accent);overflow-wrap:break-word}
header{display:flex;gap:.75rem;align-items:center;min-height:4rem;margin:0 -1.25rem 1.5rem;padding:.75rem 1.25rem;font-weight:600;border-bottom:1px solid var(--line)}
header img{max-height:2.25rem;max-width:9rem;background:#fff;border-radius:.25rem}
footer{padding:1.25rem;font-size:.875rem;color:var(--soft)}footer p{margin:0 0 .75rem}footer a{color:inherit}
footer nav{display:flex;flex-wrap:wrap;gap:0 .25rem;margin:0 -.5rem}footer nav a{padding:.5rem;text-decoration:none}footer nav a:hover{text-decoration:underline}
footer nav a[aria-current]{color:var(--ink);font-weight:600}`;

const TEXT = `h1{font-size:1.375rem;line-height:1.3;margin:0 0 .5rem;letter-spacing:-.01em;text-wrap:balance}
h1.to{font-size:1rem;font-weight:500;color:var(--soft);letter-spacing:0;margin:0}
h2{font-size:1rem;margin:1.75rem 0 .5rem}p{margin:.25rem 0}
.for{font-size:1.0625rem;font-weight:600;margin:.125rem 0 0}
.amount{font-size:2.625rem;line-height:1.2;font-weight:700;letter-spacing:-.025em;font-variant-numeric:tabular-nums;margin:.75rem 0 0}
.quiet,.hint{color:var(--soft)}.hint,small{font-size:.875rem}.hint{margin-top:.75rem}
.notice,.error{padding:.75rem 1rem;border-radius:.625rem;margin:1.25rem 0}
.notice{background:var(--wait-wash);color:var(--wait)}.error{background:var(--bad-wash);color:var(--bad)}
.error h2{margin:0;font-size:1rem}.error ul{margin:.25rem 0 0;padding-left:1.1rem}.error p{margin:.25rem 0 0}
.state{text-align:center}.state .amount{margin-top:.25rem}.state p[role=status]{margin-top:.75rem;color:var(--soft);text-wrap:pretty}
.icon{display:block;width:3.5rem;height:3.5rem;margin:.5rem auto 1rem;padding:1rem;border-radius:50%;fill:none;stroke:currentColor;stroke-width:2.5;stroke-linecap:round;stroke-linejoin:round}
.icon.good{color:var(--good);background:var(--good-wash)}.icon.bad{color:var(--bad);background:var(--bad-wash)}.icon.wait{color:var(--wait);background:var(--wait-wash)}
table{width:100%;border-collapse:collapse;margin:1.25rem 0;font-size:.9375rem;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:.55rem 0;border-bottom:1px solid var(--line);vertical-align:top}th{font-weight:400;color:var(--soft)}thead th{font-size:.8125rem}
td:last-child,th:last-child{text-align:right;padding-left:.75rem}td.count,th.count{text-align:right;padding-left:.75rem}td.count,th.count,td.whole{white-space:nowrap}
tr.sum>*{font-size:1.125rem;font-weight:700;color:var(--ink);border-bottom:0;padding-top:.8rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;margin:.5rem 0 0;padding:.875rem 1rem;border-radius:.625rem;background:var(--sunken)}
progress{appearance:none;display:block;width:100%;height:.5rem;margin:1rem 0 .375rem;border:0;border-radius:.25rem;overflow:hidden;background:var(--line)}
progress::-webkit-progress-bar{background:var(--line)}progress::-webkit-progress-value{background:var(--good)}progress::-moz-progress-bar{background:var(--good)}`;

const FORM = `form{margin-top:1.5rem}label,legend{display:block;font-weight:600;font-size:.9375rem;margin:1rem 0 .25rem;padding:0}label small{font-weight:400}
fieldset{border:0;padding:0;margin:1rem 0 0;min-width:0}
input[type=text],input[type=email]{width:100%;min-height:3rem;padding:.6rem .8rem;font:inherit;color:inherit;border:1px solid var(--field);border-radius:.625rem;background:var(--card)}
input#amount{font-size:1.25rem;font-weight:600}
.choices{display:flex;flex-wrap:wrap;gap:.5rem}
.choice{position:relative;flex:1 1 6.5rem;display:grid;align-content:center;justify-items:center;min-height:3.25rem;margin:0;padding:.375rem;font-weight:500;text-align:center;line-height:1.3;border:1px solid var(--field);border-radius:.625rem;cursor:pointer}
.choice input{position:absolute;inset:0;width:100%;height:100%;margin:0;opacity:0;cursor:pointer}
.choice:has(:checked){border-color:var(--ink);box-shadow:inset 0 0 0 1px var(--ink);background:var(--sunken)}.choice:has(:focus-visible){outline:3px solid var(--ink);outline-offset:2px}
@supports selector(:has(*)){fieldset:not(:has([value=other]:checked)) .other{display:none}}
button,.button{display:block;width:100%;min-height:3.25rem;margin-top:1.5rem;padding:.85rem;border:0;border-radius:.625rem;font:inherit;font-size:1.0625rem;font-weight:600;line-height:1.45;text-align:center;text-decoration:none;background:var(--accent);color:var(--on-accent);box-shadow:inset 0 0 0 1px color-mix(in srgb,var(--on-accent) 20%,transparent);cursor:pointer}
button:hover,.button:hover{filter:brightness(1.08)}button:active,.button:active{filter:brightness(.94)}
button+button,.button+.button,.button+form,form+form{margin-top:.75rem}.button+form button{margin-top:0}
.second{background:var(--card);color:var(--ink);box-shadow:inset 0 0 0 1px var(--field)}
a:focus-visible,button:focus-visible,input:focus-visible{outline:3px solid var(--ink);outline-offset:2px}`;

const WIDER = `.turn path{transform-origin:12px 12px;animation:turn 4s linear infinite}@keyframes turn{to{transform:rotate(360deg)}}
@media(prefers-reduced-motion:reduce){.turn path{animation:none}}
details{margin-top:1.25rem;font-size:.875rem;color:var(--soft)}summary{cursor:pointer}details img{display:block;width:12rem;height:12rem;margin:.75rem auto 0;padding:.5rem;border-radius:.5rem;background:#fff}
@media(max-width:34rem){details{display:none}}
@media(min-width:34rem){main{margin-top:3.5rem;padding:0 2rem 2rem;border-radius:.875rem;box-shadow:0 1px 2px #0f1f2f14,0 12px 40px #0f1f2f14}header{margin:0 -2rem 1.75rem;padding:.75rem 2rem}footer{padding:1.25rem 2rem}}
@media print{:root{${LIGHT}}body{background:#fff}main{box-shadow:none;border:0;margin:0;max-width:none}footer nav,.button,button{display:none}}`;

/** The style of every page. The colour is one of the form #0b7285: the schema of branding allows no other. */
export function styleOf(color: string): string {
  const accent = /^#[0-9a-fA-F]{6}$/.test(color) ? color : "#1c4f82";
  return `:root{${LIGHT}--accent:${accent};--on-accent:${textOn(accent)};color-scheme:light dark}
@media screen and (prefers-color-scheme:dark){:root{${DARK}}}
${LAYOUT}\n${TEXT}\n${FORM}\n${WIDER}`;
}
