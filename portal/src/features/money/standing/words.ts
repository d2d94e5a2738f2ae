import { money } from "../../../ui/money.tsx";
import type { Requirement, Tier } from "./data.ts";

type Metric = Pick<Requirement, "metric" | "currency" | "window_days">;

/** What is counted. */
export function metricName({ metric, currency, window_days }: Metric): string {
  switch (metric) {
    case "active_clients":
      return "Active clients";
    case "won_mrr_cents":
      return `Monthly revenue of won sales${currency ? `, ${currency.toUpperCase()}` : ""}`;
    case "certifications":
      return "Certifications held";
    case "retention_bps":
      return `Clients that stayed${window_days ? `, ${window_days} days` : ""}`;
  }
}

/** A value of a metric: 12, $4,990, 85%. */
export function metricValue({ metric, currency }: Metric, value: number): string {
  if (metric === "won_mrr_cents") return money(value, currency ?? "usd", true);
  return metric === "retention_bps" ? `${Math.round(value) / 100}%` : String(value);
}

/** What is missing, as people say it: "43 more active clients". */
export function missingText(one: Requirement): string {
  const count = metricValue(one, one.missing);
  switch (one.metric) {
    case "active_clients":
      return `${count} more active client${one.missing === 1 ? "" : "s"}`;
    case "won_mrr_cents":
      return `${count} more monthly revenue`;
    case "certifications":
      return `${count} more certification${one.missing === 1 ? "" : "s"}`;
    case "retention_bps":
      return `${count} more of your clients staying`;
  }
}

type Rate = NonNullable<Tier["rate"]>["first"];

export const rateText = (rate: Rate) => ("bps" in rate ? `${rate.bps / 100}%` : money(rate.flat_cents, rate.currency));
