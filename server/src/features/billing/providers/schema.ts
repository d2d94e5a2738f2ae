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
const Secrets = (description: string) =>
  Type.Record(Type.String({ pattern: "^[a-z_]{1,40}$" }), Type.Unknown(), {
    ...closed,
    maxProperties: 20,
    description,
    examples: [{}],
  });
const NewSecrets = Secrets("The secrets that the kind needs. They are stored encrypted and never shown");
const SecretsPatch = Secrets("The secrets to change; null removes one");
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
      description:
        "manual: the page says how to pay, and payments are recorded by hand. test: for trials, without money. stripe: the pages of Stripe",
      examples: ["manual"],
    }),
    name: Name,
    status: Type.Optional(Status),
    config: Type.Optional(Config),
    secrets: Type.Optional(NewSecrets),
  },
  { ...closed, title: "PaymentProviderCreate" },
);
export type ProviderCreate = Type.Static<typeof ProviderCreate>;

export const ProviderPatch = Type.Partial(
  Type.Object({
    name: Name,
    status: Status,
    config: Config,
    secrets: SecretsPatch,
  }),
  { ...closed, title: "PaymentProviderPatch", minProperties: 1 },
);
export type ProviderPatch = Type.Static<typeof ProviderPatch>;

/** What all providers show, of partners and of the operator. */
const shown = {
  name: Name,
  status: Status,
  config: Config,
  secrets_set: Type.Boolean({ description: "Whether the provider has its secrets" }),
  hook_path: nullable(
    Type.String({
      description: "Where the provider tells of payments, below the address of the service. Null: it tells nothing",
      examples: ["/hooks/payments/0Zk3dQ9sVbX2a"],
    }),
  ),
  live: Type.Boolean({ description: "Whether real money moves" }),
  created_at: Time,
  updated_at: Time,
  archived_at: nullable(Time),
  version: Version,
};

export const Provider = Type.Object(
  {
    id: Id("payment_provider"),
    account_id: AccountId,
    kind: Type.Enum([...PROVIDER_KINDS], { type: "string" }),
    ...shown,
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

export const ProviderTest = Type.Object(
  {
    ok: Type.Boolean({ description: "Whether the provider accepts the secrets" }),
    code: nullable(Type.String({ description: "What is missing or refused", examples: ["webhook_secret_missing"] })),
    detail: Type.String({ examples: ["Stripe accepts the key."] }),
  },
  { ...closed, title: "PaymentProviderTest" },
);

export const ProgrammeProviderCreate = Type.Object(
  {
    kind: Type.Enum(["test", "stripe"], {
      type: "string",
      description: "stripe: the pages of Stripe. test: for demos, without money",
      examples: ["test"],
    }),
    name: Name,
    status: Type.Optional(Status),
    config: Type.Optional(Type.Record(Type.String({ pattern: "^[a-z_]{1,40}$" }), Type.Unknown(), { ...closed, examples: [{}] })),
    secrets: Type.Optional(NewSecrets),
  },
  { ...closed, title: "ProgrammeProviderCreate" },
);
export type ProgrammeProviderCreate = Type.Static<typeof ProgrammeProviderCreate>;

export const ProgrammeProviderPatch = Type.Partial(Type.Object({ name: Name, status: Status, secrets: SecretsPatch }), {
  ...closed,
  title: "ProgrammeProviderPatch",
  minProperties: 1,
});
export type ProgrammeProviderPatch = Type.Static<typeof ProgrammeProviderPatch>;

export const ProgrammeProvider = Type.Object(
  { id: Id("payment_provider"), kind: Type.Enum(["test", "stripe"], { type: "string" }), ...shown },
  { ...closed, title: "ProgrammeProvider" },
);
export type ProgrammeProviderShown = Type.Static<typeof ProgrammeProvider>;

export const ProgrammeProviderListQuery = Type.Object(
  {
    ...page,
    archived: Type.Optional(Type.Boolean({ description: "true lists archived providers, false (the default) the others" })),
  },
  closed,
);
export type ProgrammeProviderListQuery = Type.Static<typeof ProgrammeProviderListQuery>;

export const ProgrammeProviderList = listOf(ProgrammeProvider, "ProgrammeProviderList");
