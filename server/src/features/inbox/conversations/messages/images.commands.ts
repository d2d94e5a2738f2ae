import { notFound } from "../../../../kernel/errors.ts";
import type { Result } from "../../../../platform/http/route.ts";
import type { Context } from "../../../../platform/record/context.ts";
import { fileHeaders, isShown } from "../attachments/model.ts";
import { IMAGE_BYTES_MAX, imageAddresses } from "./images.model.ts";
import { messageOrNull } from "./queries.ts";

const TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;

/** Loads a remote image of a message on behalf of its reader, of whom the sender learns nothing. Only what is an image is handed on. */
export async function loadImage(ctx: Context, id: string, number: number): Promise<Result> {
  const message = (await messageOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
  const address = imageAddresses(message.html ?? "")[number - 1];
  if (address === undefined || !URL.canParse(address)) notFound(`${id}, image ${number}`);
  const { status, body } = await ctx.outbound.http.send({
    method: "GET",
    url: new URL(address),
    headers: { accept: "image/*", "user-agent": ctx.settings.brand },
    body: Buffer.alloc(0),
    timeout_ms: TIMEOUT_MS,
    connect_timeout_ms: CONNECT_TIMEOUT_MS,
    keep_bytes: IMAGE_BYTES_MAX + 1,
    raw: true,
  });
  const media_type = body?.type.split(";")[0]?.trim().toLowerCase() ?? "";
  if (status !== 200 || body === undefined || body.bytes.length > IMAGE_BYTES_MAX || !isShown(media_type))
    notFound(`${id}, image ${number}`);
  const headers = { ...fileHeaders({ name: `image-${number}`, media_type }), "content-length": String(body.bytes.length) };
  return {
    json: "",
    headers,
    async *pieces() {
      yield body.bytes;
    },
  };
}
