export const IMAGES_MAX = 30;
/** How large an image may be, and all of a message together. */
export const IMAGE_BYTES_MAX = 1024 * 1024;
export const IMAGES_BYTES_MAX = 10 * 1024 * 1024;

const IMAGE = /<img\b[^>]*?\sdata-src="([^"]*)"/g;
const ENTITIES: Readonly<Record<string, string>> = { "&amp;": "&", "&quot;": '"', "&lt;": "<", "&gt;": ">" };

/** The addresses of the remote images of HTML that was made safe, in their order. */
export function imageAddresses(html: string): string[] {
  return [...html.matchAll(IMAGE)].map(([, text = ""]) =>
    text.replaceAll(/&(amp|quot|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity),
  );
}
