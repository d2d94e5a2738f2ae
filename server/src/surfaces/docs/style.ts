/** The look of our own pages. A separate file, because the content security policy allows nothing inline. */
export const STYLE = `:root {
  color-scheme: light dark;
  --ink: #1b1b1b; --soft: #666; --line: #e4e4e4; --back: #fff; --side: #fafafa; --code: #f4f4f5; --link: #0b6bcb; --mark: #eaf2fb;
}
@media (prefers-color-scheme: dark) {
  :root { --ink: #ededed; --soft: #a4a4a4; --line: #2d2d2d; --back: #0f0f0f; --side: #151515; --code: #1c1c1e; --link: #6cb6ff; --mark: #17263a; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; color: var(--ink); background: var(--back); display: flex; min-height: 100vh; }
header { display: none; justify-content: space-between; padding: .75rem 1.25rem; border-bottom: 1px solid var(--line); background: var(--side); }
header a { color: inherit; text-decoration: none; }
.brand { font-size: 1.05rem; font-weight: 700; }
nav { order: -1; flex: 0 0 17.5rem; padding: 1.25rem 1rem; border-right: 1px solid var(--line); background: var(--side); font-size: .9rem; }
nav > div { position: sticky; top: 1.25rem; max-height: calc(100vh - 2.5rem); overflow-y: auto; }
nav h2 { font-size: .75rem; font-weight: 600; color: var(--soft); margin: 1.25rem 0 .25rem; padding: 0 .5rem; border: 0; }
nav a { display: block; padding: .2rem .5rem; border-radius: .375rem; color: inherit; text-decoration: none; }
nav a:hover { background: var(--code); }
nav a[aria-current] { background: var(--mark); color: var(--link); font-weight: 600; }
nav .brand { margin-bottom: .75rem; }
nav ul { list-style: none; margin: .1rem 0 .4rem; padding: 0 0 0 .75rem; }
nav ul a { color: var(--soft); padding: .1rem .5rem; }
main { flex: 1; min-width: 0; max-width: 56rem; padding: 2.5rem 3rem 5rem; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 2.5rem 0 .75rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.75rem 0 .5rem; }
h1 code, h2 code, h3 code { font-size: inherit; }
a { color: var(--link); }
a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code { font: .875em ui-monospace, SFMono-Regular, Menlo, monospace; background: var(--code); padding: .1em .3em; border-radius: .25rem; overflow-wrap: anywhere; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: .5rem; padding: .875rem 1rem; overflow-x: auto; line-height: 1.45; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
.table { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .925rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; }
td code { overflow-wrap: normal; }
.soft { color: var(--soft); }
.lead { font-size: 1.1rem; color: var(--soft); margin-top: -.5rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); gap: .75rem; padding: 0; list-style: none; }
.cards a { display: block; height: 100%; padding: .875rem 1rem; border: 1px solid var(--line); border-radius: .5rem; color: inherit; text-decoration: none; }
.cards a:hover { border-color: var(--link); }
.cards strong { display: block; color: var(--link); }
@media (max-width: 56rem) {
  body { display: block; }
  header { display: flex; }
  nav { border-right: 0; border-top: 1px solid var(--line); }
  nav > div { position: static; max-height: none; }
  main { padding: 1.5rem 1.25rem 3rem; }
  .stacked thead { display: none; }
  .stacked tr { display: block; padding: .5rem 0; border-bottom: 1px solid var(--line); }
  .stacked td { display: inline; border: 0; }
  .stacked td:last-child { display: block; padding-top: .25rem; }
}
`;
