/** The groups of the navigation; a guide is the name of its file in `docs`. */
export const GUIDE_GROUPS: Record<string, readonly string[]> = {
  "Use the portal": ["portal"],
  "Use the API": ["tour", "api", "crm", "tiers", "webhooks", "versions"],
  "Run the service": ["configuration", "sign-in", "command-line", "operations", "backup", "operator-api"],
  Background: ["performance", "quality", "decisions"],
};

export type Heading = { id: string; html: string };
export type Titles = Record<string, string>;

type Page = { title: string; path: string; body: string; titles: Titles; headings?: readonly Heading[] };

/** A page with the navigation of all pages. On a narrow screen the navigation follows the text. */
export function layout({ title, path, body, titles, headings = [] }: Page): string {
  const contents = headings.map(({ id, html }) => `<li><a href="#${id}">${html}</a></li>`).join("");
  const link = (to: string, name: string) =>
    to === path
      ? `<a href="${to}" aria-current="page">${escapeHtml(name)}</a>${contents === "" ? "" : `<ul>${contents}</ul>`}`
      : `<a href="${to}">${escapeHtml(name)}</a>`;
  const groups = Object.entries(GUIDE_GROUPS).map(
    ([group, guides]) =>
      `<h2>${group}</h2>${guides.map((guide) => link(`/docs/guides/${guide}`, titles[guide] ?? guide)).join("\n")}`,
  );
  const menu = `${link("/docs", "Reference")}\n${link("/docs/guides", "Guides")}\n${link("/docs/errors", "Errors")}\n${groups.join("\n")}`;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Tributary</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/docs/style.css"></head>
<body>
<header><a class="brand" href="/">Tributary</a><a href="#menu">Menu</a></header>
<main>
${body}
</main>
<nav id="menu" aria-label="Pages"><div><a class="brand" href="/">Tributary</a>
${menu}</div></nav>
</body>
</html>
`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
