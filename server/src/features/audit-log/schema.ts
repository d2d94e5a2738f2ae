import { Type } from "typebox";
import { idPattern } from "../../kernel/ids.ts";
import { LIMIT_MAX } from "../../kernel/page.ts";

const closed = { additionalProperties: false };
const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const Outcome = Type.Enum(["success", "denied"]);
const Time = Type.String({ format: "date-time", description: "a time in RFC 3339, such as 2026-11-02T09:30:00Z" });

export const AuditEntry = Type.Object(
  {
    id: Type.String({ pattern: idPattern("audit") }),
    occurred_at: Time,
    actor: Type.Object({ type: Type.Enum(["key", "system"]), id: Type.String() }, closed),
    action: Type.String({ examples: ["clients.suspend"] }),
    outcome: Outcome,
    target: nullable(Type.String()),
    client_id: nullable(Type.String({ pattern: idPattern("client") })),
    changes: nullable(
      Type.Record(
        Type.String(),
        Type.Union([Type.Literal("redacted"), Type.Object({ from: Type.Unknown(), to: Type.Unknown() }, closed)]),
      ),
    ),
    count: Type.Integer({ minimum: 1 }),
    code: nullable(Type.String()),
    request_id: nullable(Type.String({ pattern: idPattern("request") })),
    nonce: Type.String(),
    ip: nullable(Type.String()),
    leaf_hash: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  },
  closed,
);

export const AuditListQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT_MAX })),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
    action: Type.Optional(
      Type.String({ pattern: "^[a-z_]+\\.[a-z_]+$", maxLength: 100, description: "an action such as clients.suspend" }),
    ),
    actor_id: Type.Optional(Type.String({ pattern: "^[a-z0-9_]{1,64}$", description: "the id of a key, or system" })),
    client_id: Type.Optional(Type.String({ pattern: idPattern("client"), description: "a client id" })),
    outcome: Type.Optional(Outcome),
    created_after: Type.Optional(Time),
    created_before: Type.Optional(Time),
  },
  closed,
);
export type AuditListQuery = Type.Static<typeof AuditListQuery>;

export const AuditList = Type.Object(
  { data: Type.Array(AuditEntry), has_more: Type.Boolean(), next_cursor: nullable(Type.String()) },
  closed,
);
