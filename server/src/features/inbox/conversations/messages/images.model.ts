/** How large an image may be. */
export const IMAGE_BYTES_MAX = 5 * 1024 * 1024;

const IMAGE = /<img\b[^>]*?\sdata-src="([^"]*)"/g;
const ENTITIES: Readonly<Record<string, string>> = { "&amp;": "&", "&quot;": '"', "&lt;": "<", "&gt;": ">" };

/** The addresses of the remote images of HTML that was made safe, in their order. */
export function imageAddresses(html: string): string[] {
  return [...html.matchAll(IMAGE)].map(([, text = ""]) =>
    text.replaceAll(/&(amp|quot|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity),
  );
}
