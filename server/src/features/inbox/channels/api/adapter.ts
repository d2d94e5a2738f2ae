import { signatureHeaders } from "../../../../platform/crypto/webhook-signature.ts";
import { closed } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import type { Adapter, Net, OpenChannel } from "../adapter.ts";
import { call, checkOf, failureOf, readObject, succeeded, textOf } from "../provider.model.ts";
import { isSigned, parseItems } from "./parse.ts";

type Config = { url: string };
type Secrets = { secret: string };

/** Sends a signed body to the channel's address, the way webhooks are sent: the id of the message is the idempotency key. */
function post({ config, secrets }: OpenChannel<Config, Secrets>, id: string, content: object, net: Net) {
  const body = JSON.stringify(content);
  const at_seconds = Math.floor(net.now().getTime() / 1000);
  const signed = signatureHeaders({
    brand: net.brand,
    event_id: id,
    secrets: [secrets.secret],
    body: Buffer.from(body),
    at_seconds,
  });
  return call(net.http, { url: config.url, headers: { "content-type": "application/json", ...signed }, body });
}

/** A program of the account's own: messages go out as signed requests, and come in the same way. */
export const api: Adapter<Config, Secrets> = {
  kind: "api",
  config: Type.Object({ url: Type.String({ minLength: 1, maxLength: 2048 }) }, closed),
  secrets: Type.Object({ secret: Type.String({ pattern: "^whsec_[A-Za-z0-9+/]{32,88}={0,2}$" }) }, closed),
  capabilities: {
    text_max: 10_000,
    html: true,
    attachments: 10,
    window_hours: null,
    delivered: true,
    read: true,
    idempotent: true,
    consent: null,
  },
  addressOf: ({ external_id, phone, email }) => external_id ?? phone ?? email,
  async check(channel, net) {
    const content = { type: "test", channel_id: channel.id };
    const exchange = await post(channel, `test_${net.now().getTime()}`, content, net);
    return checkOf(exchange, { code: null, detail: null }, "The address accepts signed requests.");
  },
  async send(channel, message, net) {
    const { id, conversation_id, to, subject, text, html, template } = message;
    const attachments = message.attachments.map(({ name, media_type, bytes, link }) => ({
      name,
      media_type,
      bytes,
      url: link(),
    }));
    const words = { subject, text, html, template, attachments };
    const content = { type: "message", id, channel_id: channel.id, conversation_id, to, ...words };
    const exchange = await post(channel, id, content, net);
    if (!succeeded(exchange)) return failureOf(exchange, { code: null, detail: null }, {}, to, net);
    return { result: "accepted", provider_id: textOf(readObject(exchange.text).id, 200) ?? id };
  },
  verify: ({ secrets }, request) => isSigned(secrets.secret, request),
  parse: (_channel, request) => parseItems(request),
};
