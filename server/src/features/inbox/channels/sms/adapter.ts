import { closed } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import type { Adapter, Capabilities, Net, OpenChannel } from "../adapter.ts";
import { EMPTY_TWIML, parseTwilio } from "./parse.ts";
import { checkAccount, fetchMedia, findMessage, isFromTwilio, type Line, sendMessage, statusUrl } from "./wire.ts";

type Config = { account_sid: string; from: string; base_url?: string };
type Secrets = { auth_token: string };

const TWILIO = "https://api.twilio.com";

export const SMS_CAPABILITIES: Capabilities = {
  text_max: 1_600,
  html: false,
  attachments: 10,
  window_hours: null,
  delivered: true,
  read: false,
  idempotent: false,
  consent: "sms",
};

const lineOf = ({ config, secrets }: OpenChannel<Config, Secrets>, { http }: Net): Line => ({
  http,
  base_url: config.base_url ?? TWILIO,
  account_sid: config.account_sid,
  auth_token: secrets.auth_token,
  from: config.from,
});

/** Text messages over Twilio, or over a provider that speaks like it. */
export const sms: Adapter<Config, Secrets> = {
  kind: "sms",
  config: Type.Object(
    {
      account_sid: Type.String({ pattern: "^AC[0-9a-fA-F]{32}$" }),
      from: Type.String({ pattern: "^(\\+[1-9]\\d{6,14}|MG[0-9a-fA-F]{32})$" }),
      base_url: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })),
    },
    closed,
  ),
  secrets: Type.Object({ auth_token: Type.String({ pattern: "^[\\x21-\\x7e]{8,200}$" }) }, closed),
  capabilities: SMS_CAPABILITIES,
  addressOf: ({ phone }) => phone,
  check: (channel, net) => checkAccount(lineOf(channel, net)),
  send: (channel, message, net) => sendMessage(lineOf(channel, net), message, statusUrl(channel, message.id, net.base_url), net),
  confirm: (channel, message, net) => findMessage(lineOf(channel, net), message),
  fetchMedia: (channel, media, net, bytes_max) => fetchMedia(lineOf(channel, net), media, bytes_max),
  verify: ({ secrets }, request) => isFromTwilio(secrets.auth_token, request),
  parse: (_channel, request) => parseTwilio(request),
  reply: () => EMPTY_TWIML,
};
