import { ActorName, closed, Id, listOf, nullable, page, Time } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";

const Outcome = Type.Enum(["success", "denied"]);

/** Who did something. */
export const Actor = Type.Object(
  {
    type: Type.Enum(["key", "user", "operator", "system", "agent", "channel", "visitor", "payer", "provider"]),
    id: Type.String({ description: "The id of the key or of the user, or system", examples: ["usr_01jd3k5y5cf7m8n9p0q1r2s3t4"] }),
    name: ActorName,
  },
  closed,
);

const fields = {
  id: Id("audit"),
  occurred_at: Time,
  actor: Actor,
  action: Type.String({ examples: ["clients.suspend"] }),
  outcome: Outcome,
  target: nullable(Type.String()),
  client_id: nullable(Id("client")),
  changes: nullable(
    Type.Record(
      Type.String(),
      Type.Union([Type.Literal("redacted"), Type.Object({ from: Type.Unknown(), to: Type.Unknown() }, closed)]),
    ),
  ),
  count: Type.Integer({ minimum: 1 }),
  code: nullable(Type.String()),
  request_id: nullable(Id("request")),
  nonce: Type.String(),
  ip: nullable(Type.String()),
  leaf_hash: Type.String({
    pattern: "^[0-9a-f]{64}$",
    examples: ["8f4e3664867f154151911a3f44ef1da29b15ecfc5b6a563c92eae386b203737a"],
  }),
};

export const AuditEntry = Type.Object(fields, { ...closed, title: "AuditEntry" });

export const OperatorAuditEntry = Type.Object(
  { ...fields, partner_id: nullable(Id("partner")) },
  { ...closed, title: "OperatorAuditEntry", description: "An entry with the partner of its log; null for the operator's own." },
);

const filters = {
  action: Type.Optional(
    Type.String({ pattern: "^[a-z_]+\\.[a-z_]+$", maxLength: 100, description: "An action such as clients.suspend" }),
  ),
  actor_id: Type.Optional(Type.String({ pattern: "^[a-z0-9_]{1,64}$", description: "The id of a key or of a user, or system" })),
  client_id: Type.Optional(Id("client")),
  target: Type.Optional(
    Type.String({
      pattern: "^[a-z0-9_]{1,64}$",
      description: "The id of the resource that was acted on",
      examples: ["key_01jd3k5y5cf7m8n9p0q1r2s3t4"],
    }),
  ),
  outcome: Type.Optional(Outcome),
  counted: Type.Optional(
    Type.Boolean({
      description: "false for actions, which have an entry each; true for reads and denials, which are counted by the minute",
    }),
  ),
  ip: Type.Optional(Type.String({ format: "ip", description: "An IPv4 or IPv6 address", examples: ["203.0.113.7"] })),
  request_id: Type.Optional(Id("request")),
  created_after: Type.Optional(Time),
  created_before: Type.Optional(Time),
};

export const AuditListQuery = Type.Object({ ...page, ...filters }, closed);
export type AuditListQuery = Type.Static<typeof AuditListQuery>;

export const AuditList = listOf(AuditEntry, "AuditList");

export const OperatorAuditListQuery = Type.Object({ ...page, ...filters, partner_id: Type.Optional(Id("partner")) }, closed);
export type OperatorAuditListQuery = Type.Static<typeof OperatorAuditListQuery>;

export const OperatorAuditList = listOf(OperatorAuditEntry, "OperatorAuditList");
