import { Type } from "typebox";
import { idPattern } from "../../kernel/ids.ts";
import { LIMIT_MAX } from "../../kernel/page.ts";
import { ALL_SCOPES } from "../../kernel/scopes.ts";

const closed = { additionalProperties: false };
const Scopes = Type.Array(Type.Enum(ALL_SCOPES), {
  minItems: 1,
  maxItems: ALL_SCOPES.length,
  uniqueItems: true,
  examples: [["clients:read", "clients:write"]],
});
const Clients = Type.Union(
  [
    Type.Literal("all"),
    Type.Array(Type.String({ pattern: idPattern("client"), description: "a client id, such as cli_01j…" }), {
      minItems: 1,
      maxItems: 500,
      uniqueItems: true,
    }),
  ],
  { description: '"all", or a list of client ids', examples: ["all"] },
);
const Time = Type.String({ format: "date-time" });

export const KeyCreate = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: "\\S",
      description: "1 to 100 characters, not only blanks",
      examples: ["Billing sync"],
    }),
    scopes: Scopes,
    clients: Clients,
  },
  closed,
);
export type KeyCreate = Type.Static<typeof KeyCreate>;

const fields = {
  id: Type.String({ pattern: idPattern("key") }),
  name: Type.String(),
  hint: Type.String({ description: "The last four characters of the key" }),
  scopes: Scopes,
  clients: Clients,
  created_by: Type.String(),
  created_at: Time,
  revoked_at: Type.Union([Time, Type.Null()]),
  version: Type.Integer({ minimum: 1 }),
};

export const Key = Type.Object(fields, closed);

export const KeyCreated = Type.Object(
  { ...fields, api_key: Type.String({ pattern: "^trb_[0-9A-Za-z]{38}$", description: "The secret. It is shown this once." }) },
  closed,
);

export const KeyListQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT_MAX })),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
  },
  closed,
);
export type KeyListQuery = Type.Static<typeof KeyListQuery>;

export const KeyList = Type.Object(
  { data: Type.Array(Key), has_more: Type.Boolean(), next_cursor: Type.Union([Type.String(), Type.Null()]) },
  closed,
);
