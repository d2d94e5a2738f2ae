import { ERRORS, type ErrorCode } from "../../kernel/errors.ts";

/** A separate file, because the content security policy allows no inline scripts. */
export const STYLE = `:root { color-scheme: light dark; --ink: #1b2a33; --soft: #5b6b75; --line: #d9e1e5; --back: #fff; --link: #0b7285; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf1; --soft: #9db0bb; --line: #2b3a43; --back: #10191e; --link: #66d9e8; } }
body { font: 16px/1.6 system-ui, sans-serif; color: var(--ink); background: var(--back); max-width: 46rem; margin: 3rem auto; padding: 0 1.25rem; }
h1 { font-size: 1.5rem; line-height: 1.3; margin: 0 0 .25rem; }
a { color: var(--link); }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
.status { color: var(--soft); margin: 0 0 1.5rem; }
ul { list-style: none; padding: 0; }
li { padding: .75rem 0; border-bottom: 1px solid var(--line); }
li p { margin: .25rem 0 0; }
li .status { float: right; margin: 0; }
`;

/** The page of an error code, linked by the `type` of a problem. */
export function errorPage(code: ErrorCode): string {
  const [status, title, remedy] = ERRORS[code];
  return htmlPage(
    code,
    `<h1>${escapeHtml(title)}</h1>
<p class="status">HTTP ${status}, code <code>${code}</code></p>
<p>${escapeHtml(remedy)}</p>
<p>The <code>detail</code> of the problem describes your request, and <code>request_id</code> identifies it.</p>
<p><a href="/docs/errors">All errors</a> · <a href="/docs">Reference</a></p>`,
  );
}

export function errorIndexPage(): string {
  const rows = Object.entries(ERRORS).map(
    ([code, [status, title, remedy]]) =>
      `<li><span class="status">${status}</span><a href="/docs/errors/${code}"><code>${code}</code></a><p>${escapeHtml(`${title} ${remedy}`)}</p></li>`,
  );
  return htmlPage("Errors", `<h1>Errors</h1><p class="status">All error codes of the API.</p><ul>${rows.join("\n")}</ul>`);
}

/** The reference with its playground. Scalar's script is served from our own origin. */
export function referencePage(): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Tributary API</title><link rel="icon" href="data:,"></head>
<body><div id="reference"></div><script src="/docs/reference.js"></script><script src="/docs/start.js"></script></body>
</html>
`;
}

export const START_SCRIPT = `Scalar.createApiReference("#reference", {
  url: "/openapi.json",
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
  persistAuth: false,
  authentication: { preferredSecurityScheme: "key" },
});
`;

function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Tributary</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/docs/style.css"></head>
<body>${body}</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
