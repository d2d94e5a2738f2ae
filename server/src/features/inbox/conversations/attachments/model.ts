/** How large a file may be, and all files of an account together. */
export const FILE_BYTES_MAX = 10 * 1024 * 1024;
export const ACCOUNT_BYTES_MAX = 5 * 1024 * 1024 * 1024;

export const CHUNK_BYTES = 256 * 1024;

/** How long a file is kept that no message uses. */
export const UNUSED_MS = 86_400_000;

/** Images that a browser shows without running anything. */
const SHOWN = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

export const isShown = (media_type: string) => SHOWN.has(media_type);

/** Headers under which a browser runs nothing of a file that anybody may have sent. */
export function fileHeaders({ name, media_type }: { name: string; media_type: string }): Record<string, string> {
  const shown = isShown(media_type);
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const names = `filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, percent)}`;
  return {
    "content-type": shown ? media_type : "application/octet-stream",
    "content-disposition": `${shown ? "inline" : "attachment"}; ${names}`,
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
  };
}

/** The same for a provider, which has to know what a file is: browsers only save it. */
export function linkedFileHeaders(file: { name: string; media_type: string }): Record<string, string> {
  const { "content-disposition": disposition = "", ...headers } = fileHeaders(file);
  const type = /^[a-z0-9.+-]+\/[a-z0-9.+-]+$/.test(file.media_type) ? file.media_type : "application/octet-stream";
  return { ...headers, "content-type": type, "content-disposition": disposition.replace(/^inline/, "attachment") };
}

const percent = (letter: string) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;

/** The bytes in pieces of one size, whatever the size of those in which they arrive. */
export async function* chunksOf(source: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer, void> {
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let filled = 0;
  for await (const piece of source) {
    for (let at = 0; at < piece.length; ) {
      const copied = piece.copy(chunk, filled, at);
      at += copied;
      filled += copied;
      if (filled < CHUNK_BYTES) continue;
      yield chunk;
      chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      filled = 0;
    }
  }
  if (filled > 0) yield chunk.subarray(0, filled);
}
