import { closed, Id, listOf, nullable, page, Time, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { AccountId, accountOfNew } from "../../accounts/custom-fields/index.ts";
import { CHANNEL_STATUSES, KINDS } from "./adapter.ts";
import { DAYS } from "./model.ts";
import { OFFERED } from "./registry.ts";

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: "^\\S(.*\\S)?$",
  description: "1 to 100 characters without leading or trailing whitespace, unique among the channels in use, not case-sensitive",
  examples: ["Shop chat"],
});
/** Members by name, with texts, numbers, lists and objects as values; each kind has its own, and refuses others. */
const Members = (description: string, example: object) =>
  Type.Record(Type.String({ pattern: "^[a-z_]{1,40}$" }), Type.Unknown(), {
    ...closed,
    maxProperties: 30,
    description,
    examples: [example],
  });
const CONFIG_EXAMPLE = { url: "https://chat.harbour.example/tributary" };
const SECRETS_EXAMPLE = { secret: "whsec_bm90IGEgc2VjcmV0LCBqdXN0IGFuIGV4YW1wbGU=" };
const Config = Members(
  "What the kind of channel needs; docs/conversations.md lists it. Unknown members are refused",
  CONFIG_EXAMPLE,
);
const Secrets = Members("The secrets that the kind needs. They are stored encrypted and never shown", SECRETS_EXAMPLE);
const TimeOfDay = Type.String({ pattern: "^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$", description: "Local time", examples: ["09:00"] });
const Periods = Type.Array(Type.Object({ from: TimeOfDay, to: Type.String({ ...TimeOfDay, examples: ["17:30"] }) }, closed), {
  maxItems: 4,
  description: "Periods of the day, in their order",
});
const Hours = nullable(
  Type.Partial(Type.Object(Object.fromEntries(DAYS.map((day) => [day, Periods]))), {
    ...closed,
    title: "ChannelHours",
    description: "When somebody is there, by day of the week, in timezone; a day without periods is closed. Null: no hours",
    examples: [{ mon: [{ from: "09:00", to: "17:30" }] }],
  }),
);
const Timezone = nullable(
  Type.String({
    minLength: 1,
    maxLength: 60,
    description: "The time zone of hours, from the IANA database. Required with hours",
    examples: ["Europe/Berlin"],
  }),
);
const PerMinute = Type.Integer({
  minimum: 1,
  maximum: 100_000,
  description: "How many messages are sent in a minute at most. Default: 60",
  examples: [60],
});
const Wanted = Type.Enum(["active", "paused"], {
  type: "string",
  description: "While it is paused, nothing is sent; what arrives is kept. Default: active",
});

export const ChannelCreate = Type.Object(
  {
    ...accountOfNew,
    kind: Type.Enum([...OFFERED], {
      type: "string",
      description: "What carries the messages. The simulator is for demos and development alone",
      examples: ["api"],
    }),
    name: Name,
    status: Type.Optional(Wanted),
    config: Type.Optional(Config),
    secrets: Type.Optional(Secrets),
    hours: Type.Optional(Hours),
    timezone: Type.Optional(Timezone),
    per_minute: Type.Optional(PerMinute),
  },
  { ...closed, title: "ChannelCreate" },
);
export type ChannelCreate = Type.Static<typeof ChannelCreate>;

export const ChannelPatch = Type.Partial(
  Type.Object({
    name: Name,
    status: Wanted,
    config: Members("The members to change; null removes one", CONFIG_EXAMPLE),
    secrets: Members("The secrets to change; null removes one", SECRETS_EXAMPLE),
    hours: Hours,
    timezone: Timezone,
    per_minute: PerMinute,
  }),
  { ...closed, title: "ChannelPatch", minProperties: 1 },
);
export type ChannelPatch = Type.Static<typeof ChannelPatch>;

const LastError = nullable(
  Type.Object(
    {
      code: Type.String({ description: "The code of the provider, or http_ and the status", examples: ["20003"] }),
      detail: Type.String({ examples: ["The provider refuses the credentials of the channel."] }),
      at: Time,
    },
    {
      ...closed,
      title: "ChannelError",
      description: "Why the channel is in error: nothing is sent until it is changed or tested",
    },
  ),
);

export const Channel = Type.Object(
  {
    id: Id("channel"),
    account_id: AccountId,
    kind: Type.Enum([...KINDS], { type: "string" }),
    name: Name,
    status: Type.Enum([...CHANNEL_STATUSES], {
      type: "string",
      description: "error: the provider refuses the channel itself; it is active again once it is changed or tested",
    }),
    config: Config,
    secrets_set: Type.Boolean({ description: "Whether the channel has its secrets" }),
    hook_path: Type.String({
      description: "Where the provider, or the chat on a web page, sends messages and statuses, below the address of the service",
      examples: ["/hooks/0Zk3dQ9sVbX2a"],
    }),
    capabilities: Type.Object(
      {
        text_max: Type.Integer({ minimum: 1, description: "The characters that a message may have", examples: [1600] }),
        html: Type.Boolean({ description: "Whether messages can have HTML" }),
        attachments: Type.Boolean({ description: "Whether messages can have files" }),
        window_hours: nullable(
          Type.Integer({ minimum: 1, description: "How long after a person's message others than templates can be sent" }),
        ),
        delivered: Type.Boolean({ description: "Whether it reports that a message was delivered" }),
        read: Type.Boolean({ description: "Whether it reports that a message was read" }),
      },
      { ...closed, title: "ChannelCapabilities", description: "What channels of the kind can do" },
    ),
    agent_id: nullable(Type.String({ description: "The agent that answers on the channel" })),
    hours: Hours,
    timezone: Timezone,
    per_minute: PerMinute,
    last_error: LastError,
    created_at: Time,
    updated_at: Time,
    archived_at: nullable(Time),
    version: Version,
  },
  { ...closed, title: "Channel" },
);
export type ChannelShown = Type.Static<typeof Channel>;

export const ChannelListQuery = Type.Object(
  {
    ...page,
    account_id: Type.Optional(AccountId),
    kind: Type.Optional(Type.Enum([...KINDS], { type: "string", description: "Channels of this kind alone", examples: ["sms"] })),
    status: Type.Optional(
      Type.Enum([...CHANNEL_STATUSES], { type: "string", description: "Channels with this status", examples: ["active"] }),
    ),
    archived: Type.Optional(Type.Boolean({ description: "true lists archived channels, false (the default) the others" })),
  },
  closed,
);
export type ChannelListQuery = Type.Static<typeof ChannelListQuery>;

export const ChannelList = listOf(Channel, "ChannelList");

export const ChannelTest = Type.Object(
  {
    ok: Type.Boolean({ description: "Whether the provider accepts the channel" }),
    code: nullable(Type.String({ description: "The code of the provider, or http_ and the status", examples: ["20003"] })),
    detail: Type.String({ description: "What the provider says, in a sentence" }),
    status: Type.Enum([...CHANNEL_STATUSES], { type: "string", description: "The status of the channel after the test" }),
  },
  { ...closed, title: "ChannelTest" },
);
