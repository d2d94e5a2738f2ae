import { createHash } from "node:crypto";
import type { HttpSender } from "./http-sender.ts";
import { type Image, imageType } from "./image-type.ts";

const IMAGE_BYTES_MAX = 512 * 1024;
const KEPT_BYTES_MAX = 32 * 1024 * 1024;
/** What one entry takes besides its image, so that very many failures have a bound, too. */
const ENTRY_BYTES = 4 * 1024;
const KEPT_MS = 15 * 60_000;
const FAILURE_KEPT_MS = 60_000;
const REDIRECTS_MAX = 3;
const LIMITS = { timeout_ms: 5_000, connect_timeout_ms: 3_000, bytes_max: IMAGE_BYTES_MAX };

/** An image, or why there is none, as a sentence. */
export type LoadImage = (address: string) => Promise<Image | string>;

type Entry = { loading: Promise<Image | string>; bytes: number; until_ms: number };

/**
 * Loads images of other servers, such as logos, and keeps them in memory for a while: those used last, up to a bound. However many
 * ask for one, it is loaded once. What cannot be loaded is tried again after a minute.
 */
export function createImageLoader(http: Pick<HttpSender, "load">, now_ms = () => performance.now()): LoadImage {
  const kept = new Map<string, Entry>();
  let kept_bytes = 0;

  const drop = (address: string, entry: Entry) => {
    if (kept.get(address) !== entry) return;
    kept.delete(address);
    kept_bytes -= entry.bytes;
  };
  const resize = (entry: Entry, bytes: number) => {
    kept_bytes += bytes - entry.bytes;
    entry.bytes = bytes;
    for (const [address, oldest] of kept) {
      if (kept_bytes <= KEPT_BYTES_MAX) return;
      drop(address, oldest);
    }
  };

  function begin(address: string): Entry {
    const entry: Entry = { loading: loadImage(http, address), bytes: 0, until_ms: Number.POSITIVE_INFINITY };
    kept.set(address, entry);
    resize(entry, ENTRY_BYTES);
    void entry.loading.then((image) => {
      const failed = typeof image === "string";
      entry.until_ms = now_ms() + (failed ? FAILURE_KEPT_MS : KEPT_MS);
      if (!failed && kept.get(address) === entry) resize(entry, ENTRY_BYTES + image.bytes.length);
    });
    return entry;
  }

  return (address) => {
    const known = kept.get(address);
    if (known === undefined || known.until_ms <= now_ms()) {
      if (known !== undefined) drop(address, known);
      return begin(address).loading;
    }
    // The order of the map is that of use.
    kept.delete(address);
    kept.set(address, known);
    return known.loading;
  };
}

/** Never rejects: whatever goes wrong is a sentence. */
async function loadImage(http: Pick<HttpSender, "load">, address: string): Promise<Image | string> {
  if (!URL.canParse(address)) return "This is not an address.";
  let url = new URL(address);
  for (let hops = 0; hops <= REDIRECTS_MAX; hops += 1) {
    const { status, error, bytes, location } = await http.load({ url, headers: { accept: "image/*" }, ...LIMITS });
    if (error !== null) return `The image could not be loaded: ${error}.`;
    if (status !== null && status >= 300 && status <= 399 && location !== null && URL.canParse(location, url.href)) {
      url = new URL(location, url);
      continue;
    }
    if (status !== 200) return `The server of the image answered ${status}.`;
    if (bytes === null) return `The image is larger than ${IMAGE_BYTES_MAX / 1024} KB.`;
    const media_type = imageType(bytes);
    if (media_type === null) return "The file is not an image: PNG, JPEG, GIF, WebP and SVG are.";
    return { media_type, bytes, etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"` };
  }
  return `The address redirects more than ${REDIRECTS_MAX} times.`;
}
