import { ALL_SCOPES } from "../../../kernel/scopes.ts";
import { closed, Id, listOf, nullable, page, Time, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";

/** The explicit type lets the validator compare the items by hash instead of pairwise for uniqueItems. */
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
  { description: '"all", or the ids of the clients that the key has access to', examples: ["all"] },
);

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: "\\S",
  description: "1 to 100 characters, not whitespace only",
  examples: ["Billing sync"],
});
const ExpiresAt = nullable(
  Type.String({
    format: "date-time",
    description: "A time in the future in RFC 3339 when the key expires; null for a key that does not expire",
    examples: ["2027-11-02T09:30:00.000Z"],
  }),
);
const AllowedCidrs = nullable(
  Type.Array(
    Type.String({
      format: "cidr",
      maxLength: 49,
      description: "A network in CIDR notation, such as 203.0.113.0/24 or 2001:db8::/32; a single address is a /32 or a /128",
      examples: ["203.0.113.0/24"],
    }),
    {
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      description: "The networks that the key can be used from; null for any",
      examples: [["203.0.113.0/24", "2001:db8::/32"]],
    },
  ),
);

export const KeyCreate = Type.Object(
  {
    name: Name,
    scopes: Scopes,
    clients: Clients,
    expires_at: Type.Optional(ExpiresAt),
    allowed_cidrs: Type.Optional(AllowedCidrs),
  },
  { ...closed, title: "KeyCreate" },
);
export type KeyCreate = Type.Static<typeof KeyCreate>;

export const KeyPatch = Type.Partial(KeyCreate, { ...closed, title: "KeyPatch", minProperties: 1 });
export type KeyPatch = Type.Static<typeof KeyPatch>;

export const KeyRotation = Type.Object(
  {
    overlap_hours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 72,
        default: 0,
        description: "For how many hours the previous secret stays valid",
        examples: [24],
      }),
    ),
  },
  { ...closed, title: "KeyRotation" },
);
export type KeyRotation = Type.Static<typeof KeyRotation>;

const fields = {
  id: Id("key"),
  name: Type.String({ examples: ["Billing sync"] }),
  hint: Type.String({ description: "The last four characters of the key", examples: ["x7Qa"] }),
  scopes: Scopes,
  clients: Clients,
  expires_at: ExpiresAt,
  allowed_cidrs: AllowedCidrs,
  previous_valid_until: nullable(
    Type.String({
      format: "date-time",
      description: "After a rotation with an overlap, when the previous secret expires",
      examples: ["2026-11-03T09:30:00.000Z"],
    }),
  ),
  last_used_at: nullable(
    Type.String({
      format: "date-time",
      description: "The time of the last request with the key, accurate to about 30 seconds",
      examples: ["2026-11-02T09:30:00.000Z"],
    }),
  ),
  created_by: Type.String({ description: "The key or user that created it", examples: ["key_01jd3k5y5cf7m8n9p0q1r2s3t4"] }),
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
      description: "The secret. It is shown only once.",
      examples: ["trb_0123456789ABCDEFGHIJKLMNOPQRSTUVabcdef"],
    }),
  },
  { ...closed, title: "KeyCreated" },
);

export const KeyListQuery = Type.Object(page, closed);
export type KeyListQuery = Type.Static<typeof KeyListQuery>;

export const KeyList = listOf(Key, "KeyList");
