import type { IOptions } from "sanitize-html";

/** Longer HTML is left out: the text says the same. */
const HTML_LENGTH_MAX = 500_000;

const TABLES = ["table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption"];
const BLOCKS = [
  "p",
  "div",
  "br",
  "hr",
  "blockquote",
  "pre",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "ul",
  "ol",
  "li",
  "dl",
  "dt",
  "dd",
];
const WORDS = ["a", "b", "i", "u", "s", "em", "strong", "small", "sub", "sup", "code", "span", "del", "ins", "img"];

/**
 * What remains of HTML that strangers wrote: structure and words. There is no script, no style, no form, and nothing that is loaded:
 * a remote image keeps its address in `data-src`, for whoever asks to see it.
 */
const RULES: IOptions = {
  allowedTags: [...TABLES, ...BLOCKS, ...WORDS],
  allowedAttributes: {
    a: ["href", "title", "rel", "target"],
    img: ["data-src", "alt", "title", "width", "height"],
    td: ["colspan", "rowspan", "align"],
    th: ["colspan", "rowspan", "align"],
    "*": ["dir", "lang"],
  },
  allowedSchemes: ["http", "https", "mailto", "tel"],
  allowProtocolRelative: false,
  disallowedTagsMode: "discard",
  nestingLimit: 100,
  parseStyleAttributes: false,
  transformTags: {
    a: (tagName, attribs) => ({ tagName, attribs: { ...attribs, rel: "noopener noreferrer nofollow", target: "_blank" } }),
    img: (tagName, { src = "", "data-src": _, ...attribs }) => ({
      tagName,
      attribs: { ...attribs, ...(/^https?:\/\//i.test(src) ? { "data-src": src } : {}) },
    }),
  },
};

/** HTML that a browser runs nothing of and loads nothing for; null where nothing remains, or it is too long. */
export async function safeHtml(html: string): Promise<string | null> {
  if (html.length > HTML_LENGTH_MAX) return null;
  // Imported lazily: most messages have no HTML.
  const { default: sanitize } = await import("sanitize-html");
  const safe = sanitize(html.replaceAll("\0", "").toWellFormed(), RULES).trim();
  return safe === "" ? null : safe;
}

const ENTITIES: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"' };

type Reading = { length_max?: number; without?: string[] };

/** The words of HTML, with its lines; of what is in the tags `without`, nothing. */
export async function textOfHtml(html: string, { length_max = HTML_LENGTH_MAX, without }: Reading = {}): Promise<string> {
  const { default: sanitize } = await import("sanitize-html");
  const lines = html.slice(0, length_max).replaceAll(/<(br|\/p|\/div|\/tr|\/li|\/h[1-6])\b[^>]{0,200}>/gi, "\n");
  const unread = without === undefined ? {} : { nonTextTags: without };
  const words = sanitize(lines, { allowedTags: [], allowedAttributes: {}, parseStyleAttributes: false, ...unread });
  return words
    .replaceAll(/&(amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(/[ \t\u00a0]+/g, " ")
    .replaceAll(/ ?\n ?/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
