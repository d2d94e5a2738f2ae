import { closed, Id, listOf, nullable, page, Time, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { AccountId } from "../../accounts/custom-fields/index.ts";
import { KINDS } from "../../inbox/channels/index.ts";
import { SESSION_STATUSES, TURN_STATES } from "./model.ts";

const Status = Type.Enum([...SESSION_STATUSES], {
  type: "string",
  description: "active while a turn runs, waiting for the person, or over",
  examples: ["waiting"],
});
const Outcome = nullable(
  Type.Object(
    {
      kind: Type.Enum(["handed_off", "completed", "expired", "failed"], { type: "string" }),
      reason: Type.String({ description: "Why, or what came of it" }),
    },
    { ...closed, title: "SessionOutcome", description: "How it ended; null before" },
  ),
);

const Rating = Type.Enum(["good", "bad"], { type: "string", description: "How the agent did", examples: ["good"] });
const Comment = nullable(
  Type.String({
    minLength: 1,
    maxLength: 2000,
    pattern: "\\S",
    description: "Why",
    examples: ["It should have asked for the budget."],
  }),
);

export const FeedbackCreate = Type.Object(
  { rating: Rating, comment: Type.Optional(Comment) },
  { ...closed, title: "SessionFeedbackCreate" },
);
export type FeedbackCreate = Type.Static<typeof FeedbackCreate>;

const Tokens = (description: string) => Type.Integer({ minimum: 0, description });
export const Usage = Type.Object(
  {
    requests: Tokens("How often the model answered"),
    input_tokens: Tokens("What it was sent"),
    output_tokens: Tokens("What it wrote"),
  },
  { ...closed, title: "ModelUsage", description: "What the model did, as its service counts" },
);

const shown = {
  id: Id("session"),
  account_id: AccountId,
  agent_id: Id("agent"),
  agent_version: Type.Integer({ minimum: 1, description: "Number of the version that it follows to its end" }),
  conversation_id: Id("conversation"),
  channel_kind: Type.Enum([...KINDS], { type: "string" }),
  status: Status,
  outcome: Outcome,
  feedback: nullable(
    Type.Object(
      {
        rating: Rating,
        comment: Comment,
        by: Type.String({ description: "Key or user that gave it", examples: ["usr_01jd3k5y5cf7m8n9p0q1r2s3t4"] }),
        at: Time,
      },
      { ...closed, title: "SessionFeedback", description: "What the team thinks of it; null before" },
    ),
  ),
  slots: Type.Object({}, { additionalProperties: true, description: "What the person has answered, by slot" }),
  turns: Type.Integer({ minimum: 0, description: "How many turns it has had" }),
  usage: Usage,
  started_at: Time,
  last_turn_at: Time,
  ended_at: nullable(Time),
  version: Version,
};

export const Session = Type.Object(shown, { ...closed, title: "Session" });

const open = (description: string) => Type.Object({}, { additionalProperties: true, description });

const SessionTurn = Type.Object(
  {
    id: Id("turn"),
    state: Type.Enum([...TURN_STATES], {
      type: "string",
      description:
        "approved: what somebody has approved is due; superseded: somebody else has taken the conversation over meanwhile, and nothing of the turn has happened",
    }),
    said: Type.Array(Type.String(), { description: "The messages, in their order" }),
    visited: Type.Array(Type.String(), { description: "The states, in their order" }),
    calls: Type.Array(open("The tool with its arguments, and what it answered"), { description: "The tools that were used" }),
    hits: Type.Array(open("Source, title, quote and score"), { description: "What was found in the knowledge" }),
    spoke: nullable(
      Type.Enum(["playbook", "model"], { type: "string", description: "Whose words were said; null where there were none" }),
    ),
    usage: Usage,
    failures: Type.Array(Type.String({ examples: ["timeout"] }), { description: "Why the model failed, each time" }),
    attempts: Type.Integer({ minimum: 0, description: "How often it was begun" }),
    latency_ms: nullable(Type.Integer({ minimum: 0, description: "How long the last attempt took" })),
    error: nullable(Type.String()),
    created_at: Time,
    finished_at: nullable(Time),
  },
  { ...closed, title: "SessionTurn" },
);

export const SessionWhole = Type.Object(
  { ...shown, history: Type.Array(SessionTurn, { description: "Its last 100 turns, in their order" }) },
  { ...closed, title: "SessionWhole" },
);

export const SessionListQuery = Type.Object(
  {
    ...page,
    status: Type.Optional(Type.Array(Status, { minItems: 1, maxItems: 6, uniqueItems: true, description: "With any of these" })),
    conversation_id: Type.Optional(Id("conversation")),
    rating: Type.Optional(Type.Enum(["good", "bad"], { type: "string", description: "With this feedback", examples: ["bad"] })),
  },
  closed,
);
export type SessionListQuery = Type.Static<typeof SessionListQuery>;

export const SessionList = listOf(Session, "SessionList");
