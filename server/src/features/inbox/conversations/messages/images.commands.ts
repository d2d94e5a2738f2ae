import { notFound } from "../../../../kernel/errors.ts";
import type { Context } from "../../../../platform/record/context.ts";
import { isShown } from "../attachments/model.ts";
import { IMAGE_BYTES_MAX, IMAGES_BYTES_MAX, IMAGES_MAX, imageAddresses } from "./images.model.ts";
import { messageOrNull } from "./queries.ts";
import type { MessageImage } from "./schema.ts";

const TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;

/** Loads the remote images of a message on behalf of its reader, of whom their sender learns nothing. Only what is an image is handed on. */
export async function loadImages(ctx: Context, id: string): Promise<{ json: string }> {
  const { html } = (await messageOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
  const addresses = imageAddresses(html ?? "").slice(0, IMAGES_MAX);
  const loaded = await Promise.all(addresses.map((address) => load(ctx, address)));
  let bytes = 0;
  const images = loaded.map((image, index): MessageImage => {
    const number = index + 1;
    if (typeof image === "string") return { number, media_type: null, content: null, error: image };
    bytes += image.bytes.length;
    if (bytes > IMAGES_BYTES_MAX) return { number, media_type: null, content: null, error: "The images are too large." };
    return { number, media_type: image.media_type, content: image.bytes.toString("base64"), error: null };
  });
  return { json: JSON.stringify({ images }) };
}

/** An image, or why there is none. */
async function load(ctx: Context, address: string): Promise<{ media_type: string; bytes: Buffer } | string> {
  if (!URL.canParse(address)) return "This is no address.";
  const { status, error, bytes, media_type } = await ctx.outbound.http.load({
    url: new URL(address),
    headers: { accept: "image/*", "user-agent": ctx.settings.brand },
    timeout_ms: TIMEOUT_MS,
    connect_timeout_ms: CONNECT_TIMEOUT_MS,
    bytes_max: IMAGE_BYTES_MAX,
  });
  if (error !== null) return `It could not be loaded: ${error}.`;
  if (status !== 200) return `The server of the image answered ${status}.`;
  const type = media_type?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (!isShown(type)) return "This is no image that can be shown.";
  return bytes === null ? "The image is too large." : { media_type: type, bytes };
}
