export type Image = { media_type: string; bytes: Buffer; etag: string };

const RASTER: readonly (readonly [type: string, start: RegExp])[] = [
  ["image/png", /^\x89PNG\r\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF[\s\S]{4}WEBP/],
];
const COMMENT = /<!--[\s\S]*?-->/g;
const DRAWING = /^(<\?xml[^>]*>\s*)?(<!DOCTYPE svg[^>]*>\s*)?<svg[\s>/]/i;
const START_BYTES = 4_096;

/** What an image is by its bytes, whatever its server calls it; null for anything else. */
export function imageType(bytes: Buffer): string | null {
  const start = bytes.subarray(0, START_BYTES);
  const letters = start.toString("latin1");
  const raster = RASTER.find(([, pattern]) => pattern.test(letters));
  if (raster !== undefined) return raster[0];
  return DRAWING.test(start.toString("utf8").replaceAll(COMMENT, "").trim()) ? "image/svg+xml" : null;
}

/**
 * Headers for an image that came from elsewhere: shown by `<img>`, where a drawing runs nothing, and saved rather than opened as a
 * page of ours, where it might.
 */
export function imageHeaders({ media_type, bytes, etag }: Image): Record<string, string> {
  return {
    etag,
    "content-type": media_type,
    "content-length": String(bytes.length),
    "content-disposition": "attachment",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "cache-control": "private, max-age=300",
  };
}
