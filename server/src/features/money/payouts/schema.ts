import { CENTS_MAX } from "../../../kernel/money.ts";
import { CreatedWithin, closed, FreeText, Id, listOf, nullable, page, Time, Version } from "../../../platform/http/shapes.ts";
import { type TSchema, Type } from "../../../platform/http/type.ts";
import { Currency } from "../../accounts/clients/index.ts";
import { BLOCKING, INFORMING, STATUSES } from "./model.ts";

export const Cents = (description: string, example: number) =>
  Type.Integer({ minimum: -CENTS_MAX, maximum: CENTS_MAX, description, examples: [example] });
const optional = <T extends TSchema>(schema: T, description: string) => Type.Union([schema, Type.Null()], { description });

const PayoutStatus = Type.Enum([...STATUSES], {
  type: "string",
  description:
    "scheduled: will be paid; processing: in a file for the bank; paid; failed: the bank refused it, it is tried again or cancelled; cancelled: its commissions are in the next run",
});

export const Payout = Type.Object(
  {
    id: Id("payout"),
    statement_number: Type.String({
      description: "Number of its statement, without gaps within the partner",
      examples: ["S-000042"],
    }),
    status: PayoutStatus,
    currency: Currency,
    gross_cents: Cents("Earned since the payout before", 190_000),
    adjustments_cents: Cents("Taken back since the payout before", -7660),
    carry_in_cents: Cents("Carried over from the run before", 0),
    net_cents: Cents("What is paid: the sum of the three", 182_340),
    commission_count: Type.Integer({ minimum: 1, description: "Number of its commissions", examples: [37] }),
    period_from: Time,
    period_to: Time,
    scheduled_for: Type.String({ ...Time, description: "When it is to be paid" }),
    attempt: Type.Integer({ minimum: 1, description: "2 or more after a failure", examples: [1] }),
    method: Type.Enum(["sepa", "manual"], { description: "How it is paid" }),
    method_hint: Type.String({ description: "Where it is paid to, without the details", examples: ["DE89 … 3000"] }),
    failure: optional(Type.String({ examples: ["Account closed"] }), "Why the last attempt failed"),
    paid_at: nullable(Time),
    reference: optional(Type.String({ examples: ["TRB-2026-10-0001"] }), "The reference of the bank"),
    created_at: Time,
    updated_at: Time,
    version: Version,
  },
  { ...closed, title: "Payout" },
);

const Attempt = Type.Object(
  {
    attempt: Type.Integer({ minimum: 1, examples: [1] }),
    method: Type.Enum(["sepa", "manual"]),
    method_hint: Type.String({ examples: ["DE89 … 3000"] }),
    failure: nullable(Type.String({ examples: ["Account closed"] })),
    started_at: Time,
    ended_at: nullable(Time),
  },
  { ...closed, title: "PayoutAttempt" },
);

const attempts = { attempts: Type.Array(Attempt, { description: "Oldest first" }) };

export const PayoutDetail = Type.Object({ ...Payout.properties, ...attempts }, { ...closed, title: "PayoutDetail" });

/** What the operator sees beyond the partner. */
const operator = {
  id: Id("payout"),
  partner_id: Id("partner"),
  partner_company: Type.String({ description: "Company of the partner", examples: ["Test Agency"] }),
  run_id: Id("payout_run"),
  export_id: optional(Id("payout_export"), "The file for the bank that it is in"),
};

export const OperatorPayout = Type.Object({ ...operator, ...Payout.properties }, { ...closed, title: "OperatorPayout" });
export const OperatorPayoutDetail = Type.Object(
  { ...OperatorPayout.properties, ...attempts },
  { ...closed, title: "OperatorPayoutDetail" },
);

const filters = {
  status: Type.Optional(
    Type.Array(PayoutStatus, { minItems: 1, maxItems: STATUSES.length, uniqueItems: true, description: "Any of these" }),
  ),
  currency: Type.Optional(Currency),
};

export const PayoutListQuery = Type.Object({ ...page, ...filters, ...CreatedWithin }, closed);
export type PayoutListQuery = Type.Static<typeof PayoutListQuery>;

export const PayoutList = listOf(Payout, "PayoutList");

export const OperatorPayoutListQuery = Type.Object(
  { ...page, ...filters, ...CreatedWithin, partner_id: Type.Optional(Id("partner")), run_id: Type.Optional(Id("payout_run")) },
  closed,
);
export type OperatorPayoutListQuery = Type.Static<typeof OperatorPayoutListQuery>;

export const OperatorPayoutList = listOf(OperatorPayout, "OperatorPayoutList");

export const Blocker = Type.Object(
  {
    code: Type.Enum([...BLOCKING, ...INFORMING]),
    blocks: Type.Boolean({
      description: "Whether nothing is paid because of it; otherwise it tells of an amount that is not due yet",
    }),
    detail: Type.String({ examples: ["There is no payout method. An owner adds it in the portal."] }),
    amount_cents: Type.Optional(Cents("The amount that it is about, or that is missing", 1200)),
    until: Type.Optional(Type.String({ ...Time, description: "When it changes by itself" })),
  },
  { ...closed, title: "PayoutBlocker" },
);

const UpcomingPayout = Type.Object(
  {
    currency: Currency,
    scheduled_for: optional(Time, "When the next run is scheduled; null where the operator starts it by hand"),
    pending_cents: Cents("Earned, and not approved yet", 12_000),
    held_cents: Cents("Held by the operator", 0),
    approved_cents: Cents("Approved and not yet in a payout", 91_200),
    scheduled_cents: Cents("In payouts that are not paid yet", 0),
    payable_cents: Cents("What the next run would pay, if nothing blocked it", 91_200),
    minimum_cents: Cents("The least amount that is paid", 5000),
    eligible: Type.Boolean({ description: "Whether nothing blocks it" }),
    blockers: Type.Array(Blocker),
  },
  { ...closed, title: "UpcomingPayout" },
);

export const UpcomingPayouts = Type.Object(
  { data: Type.Array(UpcomingPayout), has_more: Type.Literal(false), next_cursor: Type.Null() },
  { ...closed, title: "UpcomingPayouts" },
);

const PaidAt = Type.Optional(Type.String({ ...Time, description: "When it was paid. Default: now" }));
const Reference = Type.Optional(FreeText(200, "The reference of the bank; shown to the partner", "TRB-2026-10-0001"));
const Failure = FreeText(500, "Why it failed; shown to the partner", "Account closed");

export const PaidBody = Type.Object({ paid_at: PaidAt, reference: Reference }, { ...closed, title: "PayoutPaid" });
export type PaidBody = Type.Static<typeof PaidBody>;
export const FailedBody = Type.Object({ failure: Failure }, { ...closed, title: "PayoutFailed" });

export const OUTCOMES_MAX = 500;

export const PayoutOutcomes = Type.Object(
  {
    outcomes: Type.Array(
      Type.Object(
        {
          payout_id: Id("payout"),
          outcome: Type.Enum(["paid", "failed"]),
          paid_at: PaidAt,
          reference: Reference,
          failure: Type.Optional(Failure),
          version: Type.Optional(
            Type.Integer({ ...Version, description: "The version that the caller saw; another one is refused" }),
          ),
        },
        closed,
      ),
      { minItems: 1, maxItems: OUTCOMES_MAX, description: `1 to ${OUTCOMES_MAX} outcomes` },
    ),
    dry_run: Type.Optional(Type.Boolean({ description: "Only tell what would change; nothing is changed", examples: [false] })),
  },
  { ...closed, title: "PayoutOutcomes" },
);
export type PayoutOutcomes = Type.Static<typeof PayoutOutcomes>;

const Count = Type.Integer({ minimum: 0, examples: [1] });

export const PayoutOutcomesResult = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          payout_id: Id("payout"),
          status: Type.Enum(["changed", "unchanged", "error"]),
          error: Type.Optional(
            Type.Object(
              {
                code: Type.String({
                  description: "The error code of the same outcome alone",
                  examples: ["invalid_state_transition"],
                }),
                detail: Type.String({ examples: ["The payout is cancelled. Its commissions are in the next run."] }),
              },
              closed,
            ),
          ),
        },
        closed,
      ),
      { description: "One result per outcome, in the order of the request" },
    ),
    changed: Count,
    unchanged: Count,
    failed: Count,
  },
  { ...closed, title: "PayoutOutcomesResult" },
);
