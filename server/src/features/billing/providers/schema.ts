import { closed, Id, listOf, nullable, page, Time, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { PROVIDER_KINDS } from "./adapter.ts";

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: "^\\S(.*\\S)?$",
  description: "1 to 100 characters without leading or trailing whitespace",
  examples: ["Bank transfer"],
});
const Config = Type.Record(Type.String({ pattern: "^[a-z_]{1,40}$" }), Type.Unknown(), {
  ...closed,
  maxProperties: 20,
  description: "What the kind needs; docs/billing.md lists it. Unknown members are refused",
  examples: [{ instructions: "IBAN DE89 3704 0044 0532 0130 00. Give the number of the invoice as the reference." }],
});
const Status = Type.Enum(["active", "paused"], {
  type: "string",
  description: "While it is paused, no payment starts with it; what has started goes on. Default: active",
});
const AccountId = nullable(
  Type.String({
    ...Id("client"),
    description: "The id of the account; null for all accounts of the partner, which takes a key for all clients",
    examples: ["cli_01jd3k5y5cf7m8n9p0q1r2s3t4"],
  }),
);

export const ProviderCreate = Type.Object(
  {
    account_id: Type.Optional(AccountId),
    kind: Type.Enum([...PROVIDER_KINDS], {
      type: "string",
      description: "manual: the page says how to pay, and payments are recorded by hand. test: for trials, without money",
      examples: ["manual"],
    }),
    name: Name,
    status: Type.Optional(Status),
    config: Type.Optional(Config),
  },
  { ...closed, title: "PaymentProviderCreate" },
);
export type ProviderCreate = Type.Static<typeof ProviderCreate>;

export const ProviderPatch = Type.Partial(
  Type.Object({
    name: Name,
    status: Status,
    config: Config,
  }),
  { ...closed, title: "PaymentProviderPatch", minProperties: 1 },
);
export type ProviderPatch = Type.Static<typeof ProviderPatch>;

export const Provider = Type.Object(
  {
    id: Id("payment_provider"),
    account_id: AccountId,
    kind: Type.Enum([...PROVIDER_KINDS], { type: "string" }),
    name: Name,
    status: Status,
    config: Config,
    created_at: Time,
    updated_at: Time,
    archived_at: nullable(Time),
    version: Version,
  },
  { ...closed, title: "PaymentProvider" },
);
export type ProviderShown = Type.Static<typeof Provider>;

export const ProviderListQuery = Type.Object(
  {
    ...page,
    account_id: Type.Optional(Type.String({ ...Id("client"), description: "Providers of this account, without those of all" })),
    archived: Type.Optional(Type.Boolean({ description: "true lists archived providers, false (the default) the others" })),
  },
  closed,
);
export type ProviderListQuery = Type.Static<typeof ProviderListQuery>;

export const ProviderList = listOf(Provider, "PaymentProviderList");
