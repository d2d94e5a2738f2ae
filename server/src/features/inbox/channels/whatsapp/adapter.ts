import { closed } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import type { Adapter, ProviderReply, RawRequest } from "../adapter.ts";
import { isFromWhatsApp, isSubscription, parseWhatsApp } from "./parse.ts";
import { type Config, checkNumber, fetchMedia, type Secrets, sendMessage } from "./wire.ts";

const Secret = Type.String({ pattern: "^[\\x21-\\x7e]{8,1000}$" });

/** The challenge of a subscription is given back; anything else needs no words. */
function replyTo({ method, url }: RawRequest): ProviderReply {
  const text = method === "GET" ? (url.searchParams.get("hub.challenge") ?? "").slice(0, 200) : "";
  return { status: 200, type: "text/plain; charset=utf-8", text };
}

/** WhatsApp over Meta's Cloud API. */
export const whatsapp: Adapter<Config, Secrets> = {
  kind: "whatsapp",
  config: Type.Object(
    {
      phone_number_id: Type.String({ pattern: "^\\d{5,20}$" }),
      base_url: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })),
    },
    closed,
  ),
  secrets: Type.Object({ token: Secret, app_secret: Secret, verify_token: Secret }, closed),
  capabilities: {
    text_max: 4_096,
    html: false,
    attachments: 1,
    window_hours: 24,
    delivered: true,
    read: true,
    idempotent: false,
    consent: "whatsapp",
  },
  addressOf: ({ phone }) => phone,
  check: checkNumber,
  send: sendMessage,
  fetchMedia,
  verify: ({ secrets }, request) =>
    request.method === "GET" ? isSubscription(secrets.verify_token, request) : isFromWhatsApp(secrets.app_secret, request),
  parse: ({ config }, request) => (request.method === "GET" ? [] : parseWhatsApp(config.phone_number_id, request)),
  reply: (_channel, request) => replyTo(request),
};
