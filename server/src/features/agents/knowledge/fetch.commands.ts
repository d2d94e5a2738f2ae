import type { Context } from "../../../platform/record/context.ts";
import { BYTES_MAX } from "./model.ts";
import type { Content, Page } from "./queries.ts";
import { contentOf, textOf } from "./read.commands.ts";

const TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;
const REDIRECTS_MAX = 3;
const READABLE = /^(?:text\/(html|plain|markdown)|application\/(xhtml\+xml))$/;

/** What came of a fetch: new content, that it is the same, or why there is nothing. */
export type Fetched = { content: Content } | { same: true } | { error: string };

/** Fetches a page where the egress allows it, also where it redirects to. */
export async function fetchPage(
  { outbound, settings }: Pick<Context, "outbound" | "settings">,
  { url, etag, last_modified }: Pick<Page, "url" | "etag" | "last_modified">,
): Promise<Fetched> {
  const headers = {
    accept: "text/html, application/xhtml+xml, text/markdown, text/plain",
    "user-agent": settings.brand,
    ...(etag === null ? {} : { "if-none-match": etag }),
    ...(last_modified === null ? {} : { "if-modified-since": last_modified }),
  };
  const limits = { timeout_ms: TIMEOUT_MS, connect_timeout_ms: CONNECT_TIMEOUT_MS, bytes_max: BYTES_MAX };
  let place = new URL(url);
  for (let hops = 0; hops <= REDIRECTS_MAX; hops += 1) {
    const { status, error, bytes, media_type, location, ...loaded } = await outbound.http.load({
      url: place,
      headers,
      ...limits,
    });
    if (error !== null) return { error: `It could not be fetched: ${error}.` };
    if (status === 304) return { same: true };
    if (status !== null && status >= 300 && status <= 399 && location !== null && URL.canParse(location, place.href)) {
      place = new URL(location, place);
      continue;
    }
    if (status !== 200) return { error: `The server answered ${status}.` };
    if (bytes === null) return { error: `The page has more than ${BYTES_MAX} bytes.` };
    return read(bytes, media_type ?? "text/plain", loaded);
  }
  return { error: `It redirects more than ${REDIRECTS_MAX} times.` };
}

async function read(
  bytes: Buffer,
  media_type: string,
  { etag, last_modified }: Pick<Content, "etag" | "last_modified">,
): Promise<Fetched> {
  const [type = "", ...parameters] = media_type.toLowerCase().split(";");
  const readable = READABLE.exec(type.trim());
  if (readable === null) return { error: `${type.trim()} is not a page of HTML or text.` };
  const [, charset] = /charset="?([\w-]+)/.exec(parameters.join(";")) ?? [];
  const content = contentOf(await textOf(bytes, readable[1] === "html" || readable[2] !== undefined, charset), {
    etag,
    last_modified,
  });
  return content.text === "" ? { error: "The page has no text." } : { content };
}
