import { setTimeout as sleep } from "node:timers/promises";
import type { Services } from "../../../../platform/record/context.ts";
import { adapterOf, type IncomingMessage, type Media, netOf, type OpenChannel } from "../../channels/index.ts";
import { FILE_BYTES_MAX } from "../attachments/model.ts";
import { storable } from "./model.ts";

/** Providers wait a quarter of a minute for an answer, and what they repeat is fetched again. */
const WITHIN_MS = 10_000;
const FILES_MAX = 10;

/**
 * A message with the files that its provider keeps. What it does not give in time, or is larger than a file may be, is left out: the words are
 * worth more than waiting.
 */
export async function withMedia(services: Services, channel: OpenChannel, item: IncomingMessage): Promise<IncomingMessage> {
  const { fetchMedia } = adapterOf(channel.kind);
  const { media = [], ...message } = item;
  if (fetchMedia === undefined || media.length === 0) return message;
  const over = new AbortController();
  const late = sleep(WITHIN_MS, null, { signal: over.signal }).catch(() => null);
  const asked = media.slice(0, FILES_MAX);
  const loaded = await Promise.all(
    asked.map((one) => Promise.race([fetchMedia(channel, one, netOf(services), FILE_BYTES_MAX), late])),
  ).finally(() => over.abort());
  const files = asked.map((one, index) => ({ ...describe(one, index), bytes: loaded[index] ?? null }));
  const attachments = files.flatMap(({ bytes, ...file }) => (bytes === null ? [] : [{ ...file, bytes }]));
  const missing = media.filter((_, index) => (loaded[index] ?? null) === null);
  return { ...message, attachments: [...message.attachments, ...attachments], missing };
}

const MEDIA_TYPE = /^[a-z0-9][a-z0-9.+-]*\/[a-z0-9][a-z0-9.+-]*$/;

/** The type without its parameters, and a name by the type where the provider gives none. */
function describe({ media_type, name }: Media, index: number): { name: string; media_type: string } {
  const type = media_type?.split(";")[0]?.trim().toLowerCase() ?? "";
  const known = MEDIA_TYPE.test(type) ? type : "application/octet-stream";
  const [kind, subtype = ""] = known.split("/");
  const ending = /^[a-z0-9]{1,8}$/.test(subtype) ? `.${subtype}` : "";
  const given = storable(name ?? "", 200).trim();
  return { name: given || `${kind}-${index + 1}${ending}`, media_type: known };
}
