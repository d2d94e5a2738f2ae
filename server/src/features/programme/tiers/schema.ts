import { idPattern } from "../../../kernel/ids.ts";
import { CENTS_MAX } from "../../../kernel/money.ts";
import { CentsByCurrency, closed, nullable, Time, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { METRICS } from "./model.ts";
import { Currency, Months, Rate } from "./rate.schema.ts";

export const Grade = Type.String({
  pattern: idPattern("grade"),
  description: "The name of a grade: up to 40 lower-case letters, digits, - or _, beginning with a letter",
  examples: ["gold"],
});

const Requirement = Type.Object(
  {
    metric: Type.Enum([...METRICS], {
      description:
        "active_clients; won_mrr_cents: monthly revenue of won sales in one currency; certifications held; retention_bps: share of the clients of window_days ago that stayed",
      examples: ["active_clients"],
    }),
    value: Type.Integer({ minimum: 1, maximum: CENTS_MAX, description: "At least this", examples: [20] }),
    window_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650, description: "For retention_bps", examples: [365] })),
    currency: Type.Optional(Type.String({ ...Currency, description: "For won_mrr_cents: an ISO 4217 code in lower case" })),
  },
  { ...closed, examples: [{ metric: "active_clients", value: 20 }] },
);

const Limit = (maximum: number, description: string, example: number, minimum = 1) =>
  nullable(Type.Integer({ minimum, maximum, description: `${description}; null: as the programme says`, examples: [example] }));

const fields = {
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: "\\S",
    description: "1 to 100 characters, not whitespace only",
    examples: ["Gold"],
  }),
  rank: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    description: "Position in the order of grades, unique; registered has 0",
    examples: [2],
  }),
  requirements: Type.Array(Requirement, {
    maxItems: 10,
    description: "What a partner must meet for this grade, all of it",
    examples: [[{ metric: "active_clients", value: 20 }]],
  }),
  hold_days: Limit(365, "For how many days a commission is held after its charge", 14, 0),
  protection_days: Limit(3650, "For how many days a registered company is protected", 120),
  open_registrations_max: Limit(1_000_000, "How many open registrations a partner may have", 200),
  rate_limit_per_minute: Limit(10_000_000, "How many requests a minute the partner and each of its keys may make", 1200),
  rate_limit_burst: Limit(1_000_000, "How many requests may come at once", 200),
  payout_minimums: CentsByCurrency(
    "The least amount that is paid in a currency, in place of that of the programme. Replaced as a whole",
  ),
  api_access: Type.Boolean({
    description: "Whether a promotion to this grade grants access to the partner API",
    examples: [true],
  }),
};

/** The columns of the update, and what audit entries compare. */
export const TIER_FIELDS = Object.keys(fields) as (keyof typeof fields)[];

export const TierCreate = Type.Object(
  {
    grade: Grade,
    name: fields.name,
    rank: Type.Optional(Type.Integer({ ...fields.rank, minimum: 1, description: "Default: above all other grades" })),
    requirements: Type.Optional(fields.requirements),
    hold_days: Type.Optional(fields.hold_days),
    protection_days: Type.Optional(fields.protection_days),
    open_registrations_max: Type.Optional(fields.open_registrations_max),
    rate_limit_per_minute: Type.Optional(fields.rate_limit_per_minute),
    rate_limit_burst: Type.Optional(fields.rate_limit_burst),
    payout_minimums: Type.Optional(fields.payout_minimums),
    api_access: Type.Optional(fields.api_access),
  },
  { ...closed, title: "TierCreate" },
);
export type TierCreate = Type.Static<typeof TierCreate>;

export const TierPatch = Type.Partial(Type.Object(fields), { ...closed, title: "TierPatch", minProperties: 1 });
export type TierPatch = Type.Static<typeof TierPatch>;

export const Tier = Type.Object(
  {
    grade: Grade,
    ...fields,
    rate: nullable(
      Type.Object(
        { first: Rate, recurring: Rate, months: Months },
        { ...closed, description: "What a sale earns: the grade's rule without conditions. null: it has none" },
      ),
    ),
    created_at: Time,
    updated_at: Time,
    version: Version,
  },
  { ...closed, title: "Tier", description: "A grade of partners, what it requires, and its benefits." },
);
export type TierShown = Type.Static<typeof Tier>;

export const TierList = Type.Object(
  { data: Type.Array(Tier), has_more: Type.Literal(false), next_cursor: Type.Null() },
  { ...closed, title: "TierList" },
);
