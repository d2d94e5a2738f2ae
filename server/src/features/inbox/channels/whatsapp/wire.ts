import type { Exchange } from "../../../../platform/net/http-sender.ts";
import type { Check, Media, Net, OpenChannel, Outgoing, OutgoingFile, Sent } from "../adapter.ts";
import {
  type Codes,
  call,
  checkOf,
  failureOf,
  loadFile,
  objectOf,
  objectsOf,
  type Refused,
  readObject,
  succeeded,
  textOf,
} from "../provider.model.ts";

export type Config = { phone_number_id: string; base_url?: string };
export type Secrets = { token: string; app_secret: string; verify_token: string };

/** The version is a part of the address: a later one is set by base_url. */
const CLOUD_API = "https://graph.facebook.com/v23.0";

/** Codes of the Cloud API that say more than the status of HTTP. */
export const WHATSAPP_CODES: Codes = {
  0: "config",
  1: "passing",
  2: "passing",
  3: "config",
  4: "passing",
  10: "config",
  190: "config",
  368: "config",
  80007: "passing",
  130429: "passing",
  131000: "passing",
  131005: "config",
  131016: "passing",
  131026: "permanent",
  131031: "config",
  131042: "config",
  131045: "config",
  131047: "permanent",
  131048: "passing",
  131050: "opted_out",
  131056: "passing",
  131057: "passing",
  133010: "config",
};

const baseUrl = ({ config }: OpenChannel<Config, Secrets>) => (config.base_url ?? CLOUD_API).replace(/\/+$/, "");
const numberUrl = (channel: OpenChannel<Config, Secrets>) => `${baseUrl(channel)}/${channel.config.phone_number_id}`;

const authorization = ({ secrets }: OpenChannel<Config, Secrets>) => ({ authorization: `Bearer ${secrets.token}` });

function refusedOf({ text }: Exchange): Refused {
  const { code, message, error_data } = objectOf(readObject(text).error);
  const detail = textOf(objectOf(error_data).details, 300) ?? textOf(message, 300);
  return { code: textOf(code, 20) ?? null, detail: detail ?? null };
}

/** The kinds of files that WhatsApp shows; others are documents. Only a sound has no room for words. */
const SHOWN = {
  image: /^image\/(jpeg|png)$/,
  video: /^video\/(mp4|3gpp)$/,
  audio: /^audio\/(aac|mp4|mpeg|amr|ogg)$/,
};

/** A file with the text as its caption. WhatsApp fetches it. */
function fileOf({ name, media_type, link }: OutgoingFile, text: string): object {
  const [type = "document"] = Object.entries(SHOWN).find(([, types]) => types.test(media_type)) ?? [];
  const kind = type === "audio" && text !== "" ? "document" : type;
  const words = { ...(text === "" ? {} : { caption: text }), ...(kind === "document" ? { filename: name } : {}) };
  return { type: kind, [kind]: { link: link(), ...words } };
}

/** A text, a file, or the template that WhatsApp has approved with the values of its body. */
function contentOf({ text, template, attachments: [file] }: Outgoing): object {
  if (template === null && file !== undefined) return fileOf(file, text);
  if (template === null) return { type: "text", text: { body: text, preview_url: false } };
  const parameters = template.values.map((value) => ({ type: "text", text: value }));
  const components = parameters.length === 0 ? [] : [{ type: "body", parameters }];
  return { type: "template", template: { name: template.name, language: { code: template.language }, components } };
}

export async function sendMessage(channel: OpenChannel<Config, Secrets>, message: Outgoing, net: Net): Promise<Sent> {
  const content = {
    messaging_product: "whatsapp",
    recipient_type: "individual",
    to: message.to.replace(/^\+/, ""),
    ...contentOf(message),
    biz_opaque_callback_data: message.id,
  };
  const exchange = await call(net.http, {
    url: `${numberUrl(channel)}/messages`,
    headers: { ...authorization(channel), "content-type": "application/json" },
    body: JSON.stringify(content),
  });
  if (!succeeded(exchange)) return failureOf(exchange, refusedOf(exchange), WHATSAPP_CODES, message.to, net);
  const [sent] = objectsOf(readObject(exchange.text).messages);
  return { result: "accepted", provider_id: textOf(sent?.id, 200) ?? message.id };
}

/** A file of a message that came in: its id leads to an address, which is WhatsApp's too. */
export async function fetchMedia(channel: OpenChannel<Config, Secrets>, media: Media, net: Net, bytes_max: number) {
  // Without a name of the caller, WhatsApp's file servers answer with a page.
  const headers = { ...authorization(channel), "user-agent": net.brand };
  const exchange = await call(net.http, { url: `${baseUrl(channel)}/${encodeURIComponent(media.id ?? "")}`, headers });
  const { url, file_size } = readObject(exchange.text);
  const address = textOf(url, 2048) ?? "";
  if (!succeeded(exchange) || !URL.canParse(address) || Number(file_size ?? 0) > bytes_max) return null;
  return loadFile(net.http, { url: address, headers, bytes_max });
}

export async function checkNumber(channel: OpenChannel<Config, Secrets>, net: Net): Promise<Check> {
  const url = `${numberUrl(channel)}?fields=id,display_phone_number,verified_name`;
  const exchange = await call(net.http, { url, headers: authorization(channel) });
  return checkOf(exchange, refusedOf(exchange), "WhatsApp knows the phone number, and accepts the token.");
}
