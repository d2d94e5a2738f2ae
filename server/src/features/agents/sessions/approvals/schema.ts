import { closed, FREE_TEXT, Id, listOf, nullable, page, Time, Version } from "../../../../platform/http/shapes.ts";
import { Type } from "../../../../platform/http/type.ts";
import { AccountId } from "../../../accounts/custom-fields/index.ts";

export const APPROVAL_STATUSES = ["pending", "approved", "rejected", "expired"] as const;

const Status = Type.Enum([...APPROVAL_STATUSES], {
  type: "string",
  description: "pending until somebody decides, at most for a week",
  examples: ["pending"],
});
const Note = nullable(
  Type.String({ minLength: 1, maxLength: 1000, pattern: FREE_TEXT, description: "Why", examples: ["Agreed by phone"] }),
);
const open = (description: string) => Type.Object({}, { additionalProperties: true, description });

export const Approval = Type.Object(
  {
    id: Id("approval"),
    account_id: AccountId,
    agent_id: Id("agent"),
    agent_version: Type.Integer({ minimum: 1, description: "Number of the version that asked" }),
    conversation_id: Id("conversation"),
    session_id: Id("session"),
    turn_id: Type.String({ ...Id("turn"), description: "The turn that asked" }),
    tool: Type.String({ description: "The tool", examples: ["create_deal"] }),
    args: open("Its arguments"),
    record_id: nullable(Type.String({ description: "The record that it is about; null where there is none" })),
    record_version: nullable(Type.Integer({ minimum: 1, description: "The version of the record when the agent asked" })),
    status: Status,
    note: Note,
    decided_by: nullable(Type.String({ description: "Key or user that decided", examples: ["key_01jd3k5y5cf7m8n9p0q1r2s3t4"] })),
    decided_at: nullable(Time),
    result: nullable(open("What the tool answered; null before")),
    executed_at: nullable(Type.String({ ...Time, description: "When it was done, soon after it was approved" })),
    expires_at: Time,
    created_at: Time,
    version: Version,
  },
  { ...closed, title: "Approval" },
);
export type ApprovalShown = Type.Static<typeof Approval>;

export const ApprovalDecision = Type.Object({ note: Type.Optional(Note) }, { ...closed, title: "ApprovalDecision" });
export type ApprovalDecision = Type.Static<typeof ApprovalDecision>;

export const ApprovalListQuery = Type.Object(
  {
    ...page,
    account_id: Type.Optional(AccountId),
    agent_id: Type.Optional(Id("agent")),
    conversation_id: Type.Optional(Id("conversation")),
    status: Type.Optional(Type.Array(Status, { minItems: 1, maxItems: 4, uniqueItems: true, description: "With any of these" })),
  },
  closed,
);
export type ApprovalListQuery = Type.Static<typeof ApprovalListQuery>;
export const ApprovalList = listOf(Approval, "ApprovalList");
