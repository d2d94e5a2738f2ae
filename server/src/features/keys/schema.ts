import { Type } from "typebox";
import { ALL_SCOPES } from "../../kernel/scopes.ts";
import { closed, Id, listOf, nullable, page, Time, Version } from "../../platform/http/shapes.ts";

/** Its type is said, because the items of a list of no known type are compared pairwise to find them unique. */
const Scopes = Type.Array(Type.Enum(ALL_SCOPES, { type: "string" }), {
  minItems: 1,
  maxItems: ALL_SCOPES.length,
  uniqueItems: true,
  examples: [["clients:read", "clients:write"]],
});
const Clients = Type.Union(
  [
    Type.Literal("all"),
    Type.Array(Id("client"), {
      minItems: 1,
      maxItems: 500,
      uniqueItems: true,
    }),
  ],
  { description: '"all", or a list of client ids', examples: ["all"] },
);

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
  { ...closed, title: "KeyCreate" },
);
export type KeyCreate = Type.Static<typeof KeyCreate>;

const fields = {
  id: Id("key"),
  name: Type.String({ examples: ["Billing sync"] }),
  hint: Type.String({ description: "The last four characters of the key", examples: ["x7Qa"] }),
  scopes: Scopes,
  clients: Clients,
  created_by: Type.String({ description: "The key or user that made it", examples: ["key_01jd3k5y5cf7m8n9p0q1r2s3t4"] }),
  created_at: Time,
  revoked_at: nullable(Time),
  version: Version,
};

export const Key = Type.Object(fields, { ...closed, title: "Key" });

export const KeyCreated = Type.Object(
  {
    ...fields,
    api_key: Type.String({
      pattern: "^trb_[0-9A-Za-z]{38}$",
      description: "The secret. It is shown this once.",
      examples: ["trb_0123456789ABCDEFGHIJKLMNOPQRSTUVabcdef"],
    }),
  },
  { ...closed, title: "KeyCreated" },
);

export const KeyListQuery = Type.Object(page, closed);
export type KeyListQuery = Type.Static<typeof KeyListQuery>;

export const KeyList = listOf(Key, "KeyList");
