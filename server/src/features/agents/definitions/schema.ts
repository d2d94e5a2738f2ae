import { closed, Id, listOf, nullable, page, Time, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { AccountId, accountOfNew } from "../../accounts/custom-fields/index.ts";
import { AGENT_STATUSES, MODES } from "./model.ts";
import { ContentInput } from "./versions/schema.ts";

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: "^\\S(.*\\S)?$",
  description: "1 to 100 characters without leading or trailing whitespace, unique among the agents in use, not case-sensitive",
  examples: ["Nora"],
});
const Description = nullable(Type.String({ minLength: 1, maxLength: 1000, pattern: "\\S", examples: ["Qualifies new leads"] }));
const Mode = Type.Enum([...MODES], {
  type: "string",
  description: "off: it does not answer; suggest: its answers are notes for the team; autopilot: it answers. Default: autopilot",
  examples: ["autopilot"],
});
const Limits = Type.Object(
  {
    turns_per_session: Type.Integer({
      minimum: 1,
      maximum: 500,
      description: "After how many turns a conversation is handed to a person. Default: 50",
      examples: [50],
    }),
  },
  { ...closed, title: "AgentLimits" },
);

export const AgentCreate = Type.Object(
  {
    ...accountOfNew,
    name: Name,
    description: Type.Optional(Description),
    mode: Type.Optional(Mode),
    limits: Type.Optional(Limits),
    content: Type.Optional(ContentInput),
  },
  { ...closed, title: "AgentCreate" },
);
export type AgentCreate = Type.Static<typeof AgentCreate>;

export const AgentPatch = Type.Partial(
  Type.Object({
    name: Name,
    description: Description,
    mode: Mode,
    limits: Limits,
    status: Type.Enum(["active", "paused"], {
      type: "string",
      description: "A paused agent does not answer. One that has no published version is neither",
      examples: ["paused"],
    }),
  }),
  { ...closed, title: "AgentPatch", minProperties: 1 },
);
export type AgentPatch = Type.Static<typeof AgentPatch>;

const number = (description: string) => Type.Integer({ minimum: 1, description, examples: [1] });

export const Agent = Type.Object(
  {
    id: Id("agent"),
    account_id: AccountId,
    name: Name,
    description: Description,
    status: Type.Enum([...AGENT_STATUSES], {
      type: "string",
      description: "draft: no version of it was published yet",
      examples: ["active"],
    }),
    mode: Mode,
    limits: Limits,
    latest_version: number("Number of the newest version"),
    published_version: nullable(number("Number of the version that answers")),
    channel_ids: Type.Array(Id("channel"), { description: "The channels that it answers on" }),
    created_at: Time,
    updated_at: Time,
    version: Version,
  },
  { ...closed, title: "Agent" },
);
export type AgentShown = Type.Static<typeof Agent>;

export const AgentListQuery = Type.Object(
  {
    ...page,
    account_id: Type.Optional(AccountId),
    status: Type.Optional(
      Type.Array(Type.Enum([...AGENT_STATUSES], { type: "string", examples: ["active"] }), {
        minItems: 1,
        maxItems: 4,
        uniqueItems: true,
        description: "With any of these. Default: all but archived ones",
      }),
    ),
  },
  closed,
);
export type AgentListQuery = Type.Static<typeof AgentListQuery>;

export const AgentList = listOf(Agent, "AgentList");

export const AgentChannels = Type.Object(
  {
    channel_ids: Type.Array(Id("channel"), {
      maxItems: 50,
      uniqueItems: true,
      description: "All channels of its account that it answers on; those that it had and that are not named have no agent then",
    }),
  },
  { ...closed, title: "AgentChannels" },
);
export type AgentChannels = Type.Static<typeof AgentChannels>;
