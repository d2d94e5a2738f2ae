import { ERRORS, type ErrorCode } from "../../kernel/errors.ts";
import { exampleProblem } from "../../platform/http/problem-schema.ts";
import type { Guide } from "./guides.ts";
import { escapeHtml, GUIDE_GROUPS, layout, type Titles } from "./layout.ts";

/** The page at the root, which leads on. */
export function homePage(base_url: string, titles: Titles): string {
  return layout({
    title: "Welcome",
    path: "/",
    titles,
    body: `<h1>Tributary</h1>
<p class="lead">A self-hosted partner platform: client accounts, deals, events, webhooks, an audit log and a CRM.</p>
<ul class="cards">
${card("/docs", "Reference", "Every operation, with a playground to try it")}
${card("/docs/guides/tour", "Tour", "Ten minutes with curl, from the first key to a webhook")}
${card("/docs/guides", "Guides", "How to use the API and how to run the service")}
${card("/docs/errors", "Errors", "What each error means and what to do about it")}
</ul>
<p>The first call, with your API key:</p>
<pre><code>curl -H "Authorization: Bearer $API_KEY" ${escapeHtml(base_url)}/v1/partners/me</code></pre>
<p class="soft">For programs: <a href="/openapi.json">/openapi.json</a> · <a href="/llms.txt">/llms.txt</a> · <a href="/healthz">/healthz</a> · <a href="/readyz">/readyz</a></p>`,
  });
}

function card(href: string, title: string, text: string): string {
  return `<li><a href="${href}"><strong>${escapeHtml(title)}</strong>${escapeHtml(text)}</a></li>`;
}

export function guidePage(name: string, { title, html, headings }: Guide, titles: Titles): string {
  return layout({ title, path: `/docs/guides/${name}`, body: html, titles, headings });
}

export function guideIndexPage(titles: Titles): string {
  const groups = Object.entries(GUIDE_GROUPS).map(
    ([group, guides]) =>
      `<h2>${group}</h2><ul>${guides.map((guide) => `<li><a href="/docs/guides/${guide}">${escapeHtml(titles[guide] ?? guide)}</a></li>`).join("")}</ul>`,
  );
  return layout({ title: "Guides", path: "/docs/guides", body: `<h1>Guides</h1>${groups.join("\n")}`, titles });
}

/** The page of an error code, linked by the `type` of a problem. */
export function errorPage(code: ErrorCode, titles: Titles): string {
  const [status, title, remedy] = ERRORS[code];
  const example = JSON.stringify(exampleProblem(code), null, 2);
  return layout({
    title: code,
    path: "/docs/errors",
    titles,
    body: `<h1>${escapeHtml(title)}</h1>
<p class="soft">HTTP ${status}, code <code>${code}</code></p>
<h2>What to do</h2>
<p>${escapeHtml(remedy)}</p>
<h2>Example</h2>
<pre><code>${escapeHtml(example)}</code></pre>
<p>The <code>detail</code> of your problem describes your own request. The <code>request_id</code> identifies it in logs and for support.</p>
<p><a href="/docs/errors">All errors</a> · <a href="/docs/guides/api#errors">How errors work</a> · <a href="/docs">Reference</a></p>`,
  });
}

export function errorIndexPage(titles: Titles): string {
  const rows = Object.entries(ERRORS).map(
    ([code, [status, title, remedy]]) =>
      `<tr><td>${status}</td><td><a href="/docs/errors/${code}"><code>${code}</code></a></td><td>${escapeHtml(`${title} ${remedy}`)}</td></tr>`,
  );
  const body = `<h1>Errors</h1>
<p>All error codes of the API. <a href="/docs/guides/api#errors">How errors work</a></p>
<div class="table" tabindex="0"><table class="stacked"><thead><tr><th>Status</th><th>Code</th><th>Meaning and remedy</th></tr></thead><tbody>${rows.join("\n")}</tbody></table></div>`;
  return layout({ title: "Errors", path: "/docs/errors", body, titles });
}

const AS_PERSON = `<p role="note" style="margin:0;padding:10px 16px;font:14px/1.5 system-ui,sans-serif;background:#fff6e6;color:#121a21">
“Test Request” sends what you try <strong>as you</strong>, with your sign-in to the portal and your role, and changes real data. To try a key instead, choose the server “With an API key”.</p>`;

/** The reference with its playground. Scalar's script is served from our own origin. */
export function referencePage(signed_in: boolean): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Tributary API</title><link rel="icon" href="data:,"></head>
<body>${signed_in ? AS_PERSON : ""}<div id="reference"></div><script src="/docs/reference.js"></script><script src="/docs/start.js"></script></body>
</html>
`;
}

/** People need no key: the same paths below the portal's API are theirs by their session, under the same rules. */
const SERVERS = [
  { url: "/portal/api", description: "As you, signed in to the portal" },
  { url: "/", description: "With an API key" },
];

export function startScript(signed_in: boolean): string {
  const configuration = {
    url: "/openapi.json",
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: "never",
    agent: { disabled: true },
    mcp: { disabled: true },
    persistAuth: false,
    authentication: { preferredSecurityScheme: "key" },
    ...(signed_in ? { servers: SERVERS } : {}),
  };
  return `Scalar.createApiReference("#reference", ${JSON.stringify(configuration)});\n`;
}
