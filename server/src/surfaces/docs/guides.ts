import { readdir, readFile } from "node:fs/promises";
import type { Heading, Titles } from "./layout.ts";

const FOLDER = new URL("../../../../docs/", import.meta.url);
/** Files beside the guides that they link to, shown as text. */
const EXAMPLE = /^examples\/webhooks\/[a-z]+\.(mjs|py|sh)$/;

export type Guide = { title: string; html: string; headings: Heading[] };

/** The names of all guides, which are those of their files without `.md`. */
export async function guideNames(): Promise<string[]> {
  const files = await readdir(FOLDER);
  return files
    .filter((file) => file.endsWith(".md"))
    .map((file) => file.slice(0, -3))
    .sort();
}

/** A guide as it was written, or null if there is none of that name. */
export async function guideText(name: string): Promise<string | null> {
  return (await guideNames()).includes(name) ? readFile(new URL(`${name}.md`, FOLDER), "utf8") : null;
}

/** A file that a guide links to, or null. */
export async function exampleText(path: string): Promise<string | null> {
  return EXAMPLE.test(path) ? readFile(new URL(path, FOLDER), "utf8").catch(() => null) : null;
}

export async function guideTitles(): Promise<Titles> {
  const names = await guideNames();
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, titleOf((await guideText(name)) ?? "", name)])));
}

function titleOf(markdown: string, name: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? name;
}

/** The renderer is loaded with the first guide, so that a start does not wait for it. */
export async function renderGuide(name: string, markdown: string): Promise<Guide> {
  const { Marked } = await import("marked");
  const headings: Heading[] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const html = this.parser.parseInline(tokens);
        const id = anchorOf(text);
        if (depth === 2) headings.push({ id, html });
        return `<h${depth} id="${id}">${html}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const html = this.parser.parseInline(tokens);
        const target = targetOf(href);
        return target === null ? html : `<a href="${target}">${html}</a>`;
      },
      table(token) {
        const row = (cells: typeof token.header, tag: "th" | "td") =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("")}</tr>`;
        const body = token.rows.map((cells) => row(cells, "td")).join("\n");
        return `<div class="table" tabindex="0"><table><thead>${row(token.header, "th")}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  return { title: titleOf(markdown, name), html: await marked.parse(markdown), headings };
}

/** The anchor of a heading, as on GitHub: the documents are read there, too. */
function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}

/** Where a link of a document leads on this site; null for files that are not on it. */
function targetOf(href: string): string | null {
  if (/^(https?:|#|\/)/.test(href)) return href;
  const [, name, anchor = ""] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (name !== undefined) return `/docs/guides/${name}${anchor}`;
  return EXAMPLE.test(href) ? `/docs/guides/${href}` : null;
}
