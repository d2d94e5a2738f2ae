import type { Exchange } from "../../../../platform/net/http-sender.ts";
import type { Check, Net, OpenChannel, Outgoing, Sent } from "../adapter.ts";
import {
  type Codes,
  call,
  checkOf,
  failureOf,
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

const numberUrl = ({ config }: OpenChannel<Config, Secrets>) =>
  `${(config.base_url ?? CLOUD_API).replace(/\/+$/, "")}/${config.phone_number_id}`;

const authorization = ({ secrets }: OpenChannel<Config, Secrets>) => ({ authorization: `Bearer ${secrets.token}` });

function refusedOf({ text }: Exchange): Refused {
  const { code, message, error_data } = objectOf(readObject(text).error);
  const detail = textOf(objectOf(error_data).details, 300) ?? textOf(message, 300);
  return { code: textOf(code, 20) ?? null, detail: detail ?? null };
}

/** A text, or the template that WhatsApp has approved with the values of its body. */
function contentOf({ text, template }: Outgoing): object {
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

export async function checkNumber(channel: OpenChannel<Config, Secrets>, net: Net): Promise<Check> {
  const url = `${numberUrl(channel)}?fields=id,display_phone_number,verified_name`;
  const exchange = await call(net.http, { url, headers: authorization(channel) });
  return checkOf(exchange, refusedOf(exchange), "WhatsApp knows the phone number, and accepts the token.");
}
