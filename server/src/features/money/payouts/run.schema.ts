import { closed, Id, listOf, nullable, page, Time, Version } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { Currency } from "../../accounts/clients/index.ts";
import { Blocker, Cents } from "./schema.ts";

const Count = (description: string, example: number) => Type.Integer({ minimum: 0, description, examples: [example] });

const Total = Type.Object(
  {
    currency: Currency,
    payouts: Count("Number of payouts", 12),
    net_cents: Cents("Their sum, in minor units", 182_340),
  },
  { ...closed, title: "PayoutTotal" },
);

const Blocked = Type.Object(
  {
    code: Type.String({
      description: "What blocked it; internal_error where a payout failed unexpectedly",
      examples: ["below_minimum"],
    }),
    partners: Count("Number of partners", 3),
  },
  { ...closed, title: "PayoutRunBlocked" },
);

export const PayoutRun = Type.Object(
  {
    id: Id("payout_run"),
    trigger: Type.Enum(["manual", "schedule"], { description: "Whether it was started by the operator or by the schedule" }),
    state: Type.Enum(["running", "finished"]),
    cutoff: Type.String({ ...Time, description: "It pays what is due by this time" }),
    scheduled_for: Type.String({ ...Time, description: "When the payouts are to be paid" }),
    partners_total: Count("Partners with something approved", 40),
    partners_done: Count("Partners that it has processed", 40),
    scheduled: Type.Array(Total, { description: "What it has scheduled, by currency" }),
    blocked: Type.Array(Blocked, { description: "Why partners were not paid" }),
    created_by: Type.String({ description: "The key or user that started it, or system", examples: ["system"] }),
    created_at: Time,
    finished_at: nullable(Time),
    version: Version,
  },
  { ...closed, title: "PayoutRun" },
);

export const PayoutRunList = listOf(PayoutRun, "PayoutRunList");
export const PayoutRunListQuery = Type.Object(page, closed);

const Cutoff = Type.Optional(
  Type.String({ ...Time, description: "Pay what is due by this time, at the latest now. Default: now" }),
);

export const PayoutRunCreate = Type.Object(
  {
    cutoff: Cutoff,
    scheduled_for: Type.Optional(Type.String({ ...Time, description: "When the payouts are to be paid. Default: now" })),
  },
  { ...closed, title: "PayoutRunCreate" },
);
export type PayoutRunCreate = Type.Static<typeof PayoutRunCreate>;

export const PayoutPreviewBody = Type.Object({ cutoff: Cutoff }, { ...closed, title: "PayoutPreviewRequest" });

const Amounts = {
  gross_cents: Cents("Earned since the last run", 190_000),
  adjustments_cents: Cents("Taken back since the last run", -7660),
  carry_in_cents: Cents("Carried over from the last run", 0),
  net_cents: Cents("What is paid: the sum of the three", 182_340),
};

export const PayoutPreview = Type.Object(
  {
    cutoff: Time,
    scheduled: Type.Array(Total, { description: "What a run would schedule, by currency" }),
    blocked: Type.Array(Blocked, { description: "Why partners would not be paid" }),
    data: Type.Array(
      Type.Object(
        {
          partner_id: Id("partner"),
          company: Type.String({ examples: ["Test Agency"] }),
          currency: Currency,
          ...Amounts,
          commission_count: Count("Number of commissions", 37),
          method: nullable(Type.Enum(["sepa", "manual"], { type: "string" })),
          blockers: Type.Array(Blocker),
        },
        { ...closed, title: "PayoutPreviewRow" },
      ),
      { description: "The largest amounts first, at most 500; those that would be paid first" },
    ),
    rows_total: Count("Number of rows, also of those beyond the first 500", 40),
  },
  { ...closed, title: "PayoutPreview" },
);
