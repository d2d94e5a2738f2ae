import { createHash } from "node:crypto";
import { newSecret } from "../../../../platform/crypto/secret.ts";
import { closed } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import type { Adapter, Net, OpenChannel } from "../adapter.ts";
import { SMS_CAPABILITIES } from "../sms/adapter.ts";
import { EMPTY_TWIML, parseTwilio } from "../sms/parse.ts";
import { checkAccount, fetchMedia, findMessage, isFromTwilio, type Line, sendMessage, statusUrl } from "../sms/wire.ts";

const Share = Type.Optional(Type.Number({ minimum: 0, maximum: 1 }));
const Faults = Type.Object(
  {
    duplicate: Share,
    delay_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
    reorder: Share,
    fail: Share,
    seed: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })),
  },
  closed,
);
export type Faults = Type.Static<typeof Faults>;

type Config = { from?: string; faults?: Faults };
type Secrets = { auth_token: string };
export type SimulatorChannel = OpenChannel<Config, Secrets>;

const FROM = "+15550100000";

/** The name of the channel's account with the simulator. */
export function accountOf({ id }: Pick<SimulatorChannel, "id">): string {
  return `AC${createHash("sha256").update(id).digest("hex").slice(0, 32)}`;
}

export const simulatorUrl = (base_url: string, { token }: Pick<SimulatorChannel, "token">) => `${base_url}/simulator/${token}`;

const lineOf = (channel: SimulatorChannel, { own, base_url }: Net): Line => ({
  http: own,
  base_url: simulatorUrl(base_url, channel),
  account_sid: accountOf(channel),
  auth_token: channel.secrets.auth_token,
  from: channel.config.from ?? FROM,
});

/** Text messages that reach nobody: a provider inside the service that answers as Twilio does, with faults on demand. */
export const simulator: Adapter<Config, Secrets> = {
  kind: "simulator",
  config: Type.Object(
    { from: Type.Optional(Type.String({ pattern: "^\\+[1-9]\\d{6,14}$" })), faults: Type.Optional(Faults) },
    closed,
  ),
  secrets: Type.Object({ auth_token: Type.String({ pattern: "^[\\x21-\\x7e]{8,200}$" }) }, closed),
  newSecrets: () => ({ auth_token: newSecret() }),
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
