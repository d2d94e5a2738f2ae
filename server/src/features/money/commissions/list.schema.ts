import { CENTS_MAX } from "../../../kernel/money.ts";
import { closed, Id, listOf, nullable, page, Time } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { Currency } from "../../accounts/clients/index.ts";
import { AsOf } from "../ledger/index.ts";
import { KINDS, STATUSES } from "./model.ts";
import { Commission, Kind, Level, OperatorCommission, Status } from "./schema.ts";

const AccruedWithin = {
  accrued_after: Type.Optional(Type.String({ ...Time, description: "From this time on, inclusive, in RFC 3339" })),
  accrued_before: Type.Optional(Type.String({ ...Time, description: "Before this time, in RFC 3339" })),
};

export const CommissionListQuery = Type.Object(
  {
    ...page,
    deal_id: Type.Optional(Id("deal")),
    client_id: Type.Optional(Id("client")),
    charge_id: Type.Optional(Id("charge")),
    link_id: Type.Optional(Type.String({ ...Id("link"), description: "Only those of sales that came by this affiliate link" })),
    status: Type.Optional(Type.Array(Status, { minItems: 1, maxItems: STATUSES.length, description: "Any of these" })),
    kind: Type.Optional(Type.Array(Kind, { minItems: 1, maxItems: KINDS.length, description: "Any of these" })),
    level: Type.Optional(Level),
    payout_id: Type.Optional(Id("payout")),
    currency: Type.Optional(Currency),
    source_partner_id: Type.Optional(Type.String({ ...Id("partner"), description: "Id of a direct sub-partner" })),
    ...AccruedWithin,
    as_of: Type.Optional(AsOf),
    summary: Type.Optional(Type.Boolean({ description: "Whether to include the balances by currency. Default: false" })),
  },
  closed,
);
export type CommissionListQuery = Type.Static<typeof CommissionListQuery>;

const Cents = (description: string) =>
  Type.Integer({ minimum: -CENTS_MAX, maximum: CENTS_MAX, description, examples: [149_850] });

const CommissionBalance = Type.Object(
  {
    currency: Currency,
    pending_cents: Cents("In the hold period"),
    held_cents: Cents("Held by the operator"),
    approved_cents: Cents("Ready for payout; negative where more was taken back than is open"),
    scheduled_cents: Cents("Part of a payout that is not paid yet"),
    paid_cents: Cents("Paid out"),
  },
  { ...closed, title: "CommissionBalance" },
);

const Balances = Type.Array(CommissionBalance, {
  description: "With summary=true: the balances of all commissions by currency, whatever the filters",
});

const withSummary = <T extends typeof Commission | typeof OperatorCommission>(row: T, title: string) =>
  Type.Object({ ...listOf(row, title).properties, summary: Type.Optional(Balances) }, { ...closed, title });

export const CommissionList = withSummary(Commission, "CommissionList");
export const OperatorCommissionList = withSummary(OperatorCommission, "OperatorCommissionList");

const { status, kind, currency } = CommissionListQuery.properties;

export const AllCommissionsQuery = Type.Object(
  { ...page, partner_id: Type.Optional(Id("partner")), status, kind, currency, ...AccruedWithin },
  closed,
);
export type AllCommissionsQuery = Type.Static<typeof AllCommissionsQuery>;

export const GROUPINGS = ["month", "client", "kind", "sub_partner"] as const;
export type Grouping = (typeof GROUPINGS)[number];

export const CommissionSummaryQuery = Type.Object(
  {
    group_by: Type.Optional(Type.Enum([...GROUPINGS], { description: "Grouping of the rows. Default: month" })),
    currency: Type.Optional(Currency),
    accrued_after: Type.Optional(
      Type.String({
        ...Time,
        description: "From this time on, inclusive. Default: the last 12 months, the current one included",
      }),
    ),
    accrued_before: AccruedWithin.accrued_before,
  },
  closed,
);
export type CommissionSummaryQuery = Type.Static<typeof CommissionSummaryQuery>;

export const CommissionSummary = Type.Object(
  {
    group_by: Type.Enum([...GROUPINGS]),
    accrued_after: Time,
    accrued_before: Time,
    data: Type.Array(
      Type.Object(
        {
          key: nullable(
            Type.String({
              description: "The month in UTC, the kind, or the id of the client or sub-partner",
              examples: ["2026-11"],
            }),
          ),
          name: nullable(Type.String({ description: "Company of the client or sub-partner", examples: ["Harbour Dental"] })),
          currency: Currency,
          count: Type.Integer({ minimum: 1, examples: [12] }),
          amount_cents: Cents("What was earned less what was taken back"),
        },
        { ...closed, title: "CommissionSummaryRow" },
      ),
      { maxItems: 1000, description: "Months in order, all others by amount, the largest first" },
    ),
    truncated: Type.Boolean({
      description: "Whether there are more than 1,000 rows; those with the smallest amounts are left out",
    }),
  },
  { ...closed, title: "CommissionSummary" },
);
