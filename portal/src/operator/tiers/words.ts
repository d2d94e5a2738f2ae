import { money, percent } from "../../ui/money.tsx";
import type { Requirement, Tier } from "./data.ts";

export const METRICS: Record<Requirement["metric"], string> = {
  active_clients: "Active clients",
  won_mrr_cents: "Monthly revenue won",
  certifications: "Certifications held",
  retention_bps: "Clients kept",
};

type Value = Pick<Requirement, "metric"> & { currency?: string | undefined };

/** A value of a metric, in its unit. */
export function valueText({ metric, currency }: Value, value: number): string {
  if (metric === "won_mrr_cents") return money(value, currency ?? "usd", true);
  return metric === "retention_bps" ? percent(value) : value.toLocaleString("en-US");
}

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** "5 active clients". */
export function requirementText(requirement: Requirement): string {
  const { metric, value, window_days } = requirement;
  if (metric === "active_clients") return plural(value, "active client", "active clients");
  if (metric === "certifications") return plural(value, "certification", "certifications");
  if (metric === "won_mrr_cents") return `${valueText(requirement, value)} monthly revenue won`;
  return `${percent(value)} of clients kept over ${window_days ?? 90} days`;
}

const amountsText = (amounts: Record<string, number>) =>
  Object.entries(amounts)
    .map(([currency, cents]) => money(cents, currency))
    .join(", ");

/** What a tier gives beyond what the programme gives to all. */
export function benefitsOf({
  hold_days,
  protection_days,
  open_registrations_max,
  rate_limit_per_minute,
  payout_minimums,
  api_access,
}: Tier): string[] {
  return [
    hold_days === null ? null : hold_days === 0 ? "no hold" : `${plural(hold_days, "day", "days")} of hold`,
    protection_days === null ? null : `${plural(protection_days, "day", "days")} of protection`,
    open_registrations_max === null ? null : `${open_registrations_max.toLocaleString("en-US")} open registrations`,
    rate_limit_per_minute === null ? null : `${rate_limit_per_minute.toLocaleString("en-US")} requests a minute`,
    Object.keys(payout_minimums).length === 0 ? null : `payouts from ${amountsText(payout_minimums)}`,
    api_access ? "API access" : null,
  ].filter((benefit) => benefit !== null);
}
