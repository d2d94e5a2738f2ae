import { newSecret } from "../../../../platform/crypto/secret.ts";
import { closed } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import type { Adapter, OpenChannel } from "../adapter.ts";

const Words = (maxLength: number) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, pattern: "^[^\\u0000]*\\S[^\\u0000]*$" }));

export const WebchatConfig = Type.Object(
  {
    /** As browsers write them: in lower case, with a port where it is not the usual one. */
    origins: Type.Optional(
      Type.Array(Type.String({ maxLength: 300, pattern: "^https?://[a-z0-9.-]+(:[1-9]\\d{0,4})?$" }), {
        maxItems: 50,
        uniqueItems: true,
      }),
    ),
    title: Words(60),
    greeting: Words(500),
    color: Type.Optional(Type.String({ pattern: "^#[0-9a-f]{6}$" })),
    position: Type.Optional(Type.Enum(["left", "right"], { type: "string" })),
    /** Tokens of visitors of another epoch are refused: raising it ends all sessions. */
    epoch: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  },
  closed,
);
export type WebchatConfig = Type.Static<typeof WebchatConfig>;
export type WebchatSecrets = { identity_secret: string };
export type WebchatChannel = OpenChannel<WebchatConfig, WebchatSecrets>;

export const WEBCHAT_TEXT_MAX = 4_000;

/** A chat on web pages. There is no provider: visitors read what is stored, so a message is sent once it is. */
export const webchat: Adapter<WebchatConfig, WebchatSecrets> = {
  kind: "webchat",
  config: WebchatConfig,
  secrets: Type.Object({ identity_secret: Type.String({ pattern: "^[\\x21-\\x7e]{16,200}$" }) }, closed),
  newSecrets: () => ({ identity_secret: newSecret() }),
  capabilities: {
    text_max: WEBCHAT_TEXT_MAX,
    html: false,
    attachments: 0,
    window_hours: null,
    delivered: false,
    read: true,
    idempotent: true,
    consent: null,
  },
  at_once: true,
  // Whoever has not opened the chat is not there.
  addressOf: () => null,
  check: async () => ({ ok: true, code: null, detail: "The chat needs no provider." }),
  send: async (_channel, { id }) => ({ result: "accepted", provider_id: id }),
  // Visitors have paths and tokens of their own.
  verify: () => false,
  parse: () => [],
};
