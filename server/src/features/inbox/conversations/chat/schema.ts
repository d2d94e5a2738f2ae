import { closed } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { WEBCHAT_TEXT_MAX } from "../../channels/index.ts";

const profile = {
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: "^[^\\u0000\\n]*\\S[^\\u0000\\n]*$" })),
  email: Type.Optional(Type.String({ format: "email", maxLength: 254 })),
};

/** What a visitor writes. The page gives the message an id that nobody can guess, and sends it again until it is stored. */
export const ChatMessage = Type.Object(
  {
    client_message_id: Type.String({ pattern: "^[A-Za-z0-9_-]{16,64}$" }),
    text: Type.String({ minLength: 1, maxLength: WEBCHAT_TEXT_MAX, pattern: "^[^\\u0000]*\\S[^\\u0000]*$" }),
    ...profile,
  },
  closed,
);
export type ChatMessage = Type.Static<typeof ChatMessage>;

/** What a visitor says about itself. */
export const ChatProfile = Type.Object(profile, { ...closed, minProperties: 1 });
export type ChatProfile = Type.Static<typeof ChatProfile>;

export const ChatRead = Type.Object({ id: Type.String({ minLength: 1, maxLength: 60 }) }, closed);

/** A user of the account's own site, and the proof of it. */
export const ChatIdentity = Type.Object(
  {
    user_id: Type.String({ pattern: "^[\\x21-\\x7e]{1,200}$" }),
    hash: Type.String({ pattern: "^[0-9a-fA-F]{64}$" }),
  },
  closed,
);
export type ChatIdentity = Type.Static<typeof ChatIdentity>;
