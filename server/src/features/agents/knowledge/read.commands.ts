import { textOfHtml } from "../../../platform/mail/safe-html.ts";
import { hashOf } from "../../accounts/configuring/index.ts";
import { BYTES_MAX } from "./model.ts";
import type { Content } from "./queries.ts";

/** What is left out of pages: what is not read, and what all pages of a site have. */
const NO_TEXT = [
  "head",
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "nav",
  "footer",
  "form",
  "textarea",
  "option",
  "button",
];

/** A text as content, in its one form. */
export function contentOf(text: string, { etag = null, last_modified = null }: Partial<Content> = {}): Content {
  const storable = text.replaceAll("\0", "").replaceAll(/\r\n?/g, "\n").toWellFormed().trim();
  return { text: storable, bytes: Buffer.byteLength(storable), sha256: hashOf(storable), etag, last_modified };
}

/** The words of bytes that are HTML, or text as they are. Headings are as Markdown has them. */
export async function textOf(bytes: Buffer, html: boolean, charset = "utf-8"): Promise<string> {
  const text = decoderOf(charset).decode(bytes);
  if (!html) return text;
  const marked = text.replaceAll(
    /<h([1-6])\b[^>]{0,500}>/gi,
    (_tag: string, level: string) => `<p>\n\n${"#".repeat(Number(level))} `,
  );
  return textOfHtml(marked.replaceAll(/<\/h[1-6]>/gi, "\n\n"), { length_max: BYTES_MAX, without: NO_TEXT });
}

/** For a charset that nobody knows, that of UTF-8. */
function decoderOf(charset: string) {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
