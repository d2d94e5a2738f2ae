import { ActorName, After, closed, FreeText, Id, listOf, nullable, page, Time, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { Tags } from "../../accounts/clients/index.ts";
import { AccountId } from "../../accounts/custom-fields/index.ts";
import { KINDS } from "../channels/index.ts";
import { MESSAGE_KINDS, MESSAGE_STATUSES } from "./messages/model.ts";
import { firstMessage, Message } from "./messages/schema.ts";
import { CONVERSATION_STATUSES, OWNER_KINDS, PRIORITIES } from "./model.ts";

export const Subject = nullable(FreeText(200, "What the conversation is about", "Appointment on Friday"));
export const Priority = Type.Enum([...PRIORITIES], { description: "Default: normal", examples: ["high"] });
const Status = Type.Enum([...CONVERSATION_STATUSES], {
  type: "string",
  description: "open, snoozed until a time, or closed",
  examples: ["open"],
});
const ChannelKind = Type.Enum([...KINDS], { type: "string", description: "The kind of its channel", examples: ["sms"] });
const OwnerKind = Type.Enum([...OWNER_KINDS], {
  type: "string",
  description: "Who answers: nobody yet, an agent, or a human, which is a user or a key",
  examples: ["human"],
});
export const Address = Type.String({
  minLength: 1,
  maxLength: 320,
  pattern: "^[^\\u0000\\s]+$",
  description: "Where the person is reached on the channel: a phone number, an e-mail address, or an id",
  examples: ["+14155552671"],
});
export const OwnerToken = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: "Rises with each change of the owner. A request with a stale one is refused with owner_changed",
  examples: [1],
});

const LastMessage = Type.Object(
  {
    id: Id("message"),
    direction: Type.Enum(["in", "out"]),
    kind: Type.Enum([...MESSAGE_KINDS]),
    text: Type.String({ description: "Its first 200 characters" }),
    status: nullable(Type.Enum([...MESSAGE_STATUSES])),
    created_at: Time,
  },
  closed,
);

export const Conversation = Type.Object(
  {
    id: Id("conversation"),
    account_id: AccountId,
    channel_id: Id("channel"),
    channel_kind: ChannelKind,
    address: Address,
    contact_id: nullable(Type.String({ ...Id("contact"), description: "The contact, also after merges and a conversion" })),
    lead_id: nullable(Type.String({ ...Id("lead"), description: "The lead that wrote first, if it was one" })),
    person_name: nullable(
      Type.String({ description: "The name of the contact, or of the lead while there is none", examples: ["Ada Okafor"] }),
    ),
    subject: Subject,
    tags: Tags,
    priority: Priority,
    status: Status,
    owner_kind: OwnerKind,
    owner_id: nullable(
      Type.String({
        description: "The user, key or agent; null for nobody, and for a human who has yet to take it",
        examples: ["usr_01jd3k5y5cf7m8n9p0q1r2s3t4"],
      }),
    ),
    owner_name: ActorName,
    owner_token: OwnerToken,
    return_at: nullable(Type.String({ ...Time, description: "When it goes back to the agent of the channel" })),
    last_message: nullable(LastMessage),
    last_message_at: Time,
    last_inbound_at: nullable(Time),
    reply_window_until: nullable(
      Type.String({ ...Time, description: "Until when others than templates can be sent; null where the channel has no window" }),
    ),
    unread: Type.Integer({ minimum: 0, description: "Messages of the person since it was last read or answered" }),
    waiting_since: nullable(Type.String({ ...Time, description: "Since when the person waits for an answer" })),
    snoozed_until: nullable(Time),
    previous_id: nullable(Type.String({ ...Id("conversation"), description: "The closed conversation that it goes on from" })),
    closed_at: nullable(Time),
    archived_at: nullable(Time),
    created_at: Time,
    updated_at: Time,
    version: Version,
  },
  { ...closed, title: "Conversation" },
);

export const ConversationStreamQuery = Type.Object(
  {
    after: Type.Optional(Type.String({ ...After, description: "The id of the last message. Default: end, what comes next" })),
    account_id: Type.Optional(AccountId),
  },
  closed,
);
export type ConversationStreamQuery = Type.Static<typeof ConversationStreamQuery>;

/** The data of a message of the stream. */
export const ConversationStreamed = Type.Union([Conversation, Message], { title: "ConversationStreamed" });

export const WaitingQuery = Type.Object({ account_id: Type.Optional(AccountId) }, closed);
export type WaitingQuery = Type.Static<typeof WaitingQuery>;

export const WAITING_MAX = 100;

export const Waiting = Type.Object(
  {
    waiting: Type.Integer({
      minimum: 0,
      maximum: WAITING_MAX,
      description: "How many open conversations have a person who waits for an answer; 100 stands for that many or more",
      examples: [3],
    }),
  },
  { ...closed, title: "ConversationsWaiting" },
);

export const ConversationList = listOf(Conversation, "ConversationList");

const any = { minItems: 1, maxItems: 20, uniqueItems: true } as const;

export const ConversationListQuery = Type.Object(
  {
    ...page,
    account_id: Type.Optional(AccountId),
    status: Type.Optional(Type.Array(Status, { ...any, description: "Any of these. Default: all" })),
    channel_id: Type.Optional(Id("channel")),
    channel_kind: Type.Optional(Type.Array(ChannelKind, { ...any, description: "On channels of any of these kinds" })),
    contact_id: Type.Optional(
      Type.String({ ...Id("contact"), description: "With this contact, and with whoever was merged into it" }),
    ),
    lead_id: Type.Optional(Id("lead")),
    owner_kind: Type.Optional(Type.Array(OwnerKind, { ...any, description: "Owned by any of these" })),
    owner_id: Type.Optional(FreeText(40, "The user, key or agent that owns it", "usr_01jd3k5y5cf7m8n9p0q1r2s3t4")),
    tag: Type.Optional(
      Type.Array(FreeText(50, "A tag", "vip"), { minItems: 1, maxItems: 20, description: "With any of these tags" }),
    ),
    unread: Type.Optional(Type.Boolean({ description: "true: with unread messages; false: without" })),
    waiting: Type.Optional(Type.Boolean({ description: "true: where the person waits for an answer; false: where nobody does" })),
    archived: Type.Optional(Type.Boolean({ description: "true lists archived conversations, false (the default) the others" })),
    q: Type.Optional(FreeText(100, "Text that occurs in a message; not case-sensitive", "invoice")),
  },
  closed,
);
export type ConversationListQuery = Type.Static<typeof ConversationListQuery>;

export const ConversationCreate = Type.Object(
  {
    channel_id: Id("channel"),
    contact_id: Type.Optional(Id("contact")),
    lead_id: Type.Optional(Id("lead")),
    address: Type.Optional(Address),
    subject: Type.Optional(Subject),
    tags: Type.Optional(Tags),
    priority: Type.Optional(Priority),
    ...firstMessage,
  },
  { ...closed, title: "ConversationCreate" },
);
export type ConversationCreate = Type.Static<typeof ConversationCreate>;

export const ConversationPatch = Type.Object(
  { subject: Type.Optional(Subject), tags: Type.Optional(Tags), priority: Type.Optional(Priority) },
  { ...closed, title: "ConversationPatch", minProperties: 1 },
);
export type ConversationPatch = Type.Static<typeof ConversationPatch>;

const token = { owner_token: Type.Optional(OwnerToken) };
const User = Type.String({
  ...Id("user"),
  description: "A user with access to the account",
  examples: ["usr_01jd3k5y5cf7m8n9p0q1r2s3t4"],
});
const Reason = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 1000,
    pattern: "^[^\\u0000]*\\S[^\\u0000]*$",
    description: "Why, for whoever goes on; shown in the conversation to the team alone",
    examples: ["Asks for a refund"],
  }),
);

export const Assignment = Type.Object(
  { owner_id: nullable(User), ...token },
  { ...closed, title: "Assignment", description: "null for owner_id assigns it to nobody" },
);
export type Assignment = Type.Static<typeof Assignment>;

export const Handoff = Type.Object(
  {
    to: Type.Enum(["human", "agent"], { description: "To a person, or to the agent of the channel", examples: ["human"] }),
    owner_id: Type.Optional(
      Type.String({ ...User, description: "The user, for a hand-off to a human. Default: whoever takes it" }),
    ),
    reason: Reason,
    return_after_minutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 43_200,
        description: "After which it goes back to the agent, up to 30 days; for a hand-off to a human",
        examples: [60],
      }),
    ),
    ...token,
  },
  { ...closed, title: "Handoff" },
);
export type Handoff = Type.Static<typeof Handoff>;

export const OwnerChange = Type.Object(token, { ...closed, title: "OwnerChange" });
export type OwnerChange = Type.Static<typeof OwnerChange>;

export const Snooze = Type.Object(
  { until: Type.String({ ...Time, description: "A time in the future", examples: ["2030-11-02T09:30:00.000Z"] }) },
  { ...closed, title: "Snooze" },
);
export type Snooze = Type.Static<typeof Snooze>;
