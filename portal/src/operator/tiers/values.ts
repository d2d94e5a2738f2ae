import { type Amount, amountsOf, centsOf } from "../../ui/amounts.tsx";
import { inCents, inUnits } from "../../ui/money.tsx";
import type { Requirement, Tier } from "./data.ts";

type RequirementValues = {
  metric: Requirement["metric"];
  value: number | string;
  window_days: number | string;
  currency: string;
};

export type TierValues = {
  grade: string;
  name: string;
  rank: number | string;
  requirements: RequirementValues[];
  hold_days: number | string;
  protection_days: number | string;
  open_registrations_max: number | string;
  rate_limit_per_minute: number | string;
  rate_limit_burst: number | string;
  payout_minimums: Amount[];
  api_access: boolean;
};

const shown = ({ metric, value, window_days, currency = "usd" }: Requirement): RequirementValues => ({
  metric,
  currency,
  window_days: window_days ?? "",
  value: metric === "won_mrr_cents" ? inUnits(value, currency) : metric === "retention_bps" ? value / 100 : value,
});

export const valuesOf = (tier: Tier | null): TierValues => ({
  grade: tier?.grade ?? "",
  name: tier?.name ?? "",
  rank: tier?.rank ?? "",
  requirements: tier?.requirements.map(shown) ?? [],
  hold_days: tier?.hold_days ?? "",
  protection_days: tier?.protection_days ?? "",
  open_registrations_max: tier?.open_registrations_max ?? "",
  rate_limit_per_minute: tier?.rate_limit_per_minute ?? "",
  rate_limit_burst: tier?.rate_limit_burst ?? "",
  payout_minimums: amountsOf(tier?.payout_minimums ?? {}),
  api_access: tier?.api_access ?? false,
});

const count = (value: number | string) => (value === "" ? null : Number(value));

function requirementOf({ metric, value, window_days, currency }: RequirementValues): Requirement {
  if (metric === "won_mrr_cents") return { metric, value: inCents(value, currency) ?? 0, currency };
  if (metric !== "retention_bps") return { metric, value: Number(value) };
  return { metric, value: Math.round(Number(value) * 100), ...(window_days === "" ? {} : { window_days: Number(window_days) }) };
}

export const bodyOf = (values: TierValues) => ({
  name: values.name,
  ...(values.rank === "" ? {} : { rank: Number(values.rank) }),
  requirements: values.requirements.map(requirementOf),
  hold_days: count(values.hold_days),
  protection_days: count(values.protection_days),
  open_registrations_max: count(values.open_registrations_max),
  rate_limit_per_minute: count(values.rate_limit_per_minute),
  rate_limit_burst: count(values.rate_limit_burst),
  payout_minimums: centsOf(values.payout_minimums),
  api_access: values.api_access,
});
