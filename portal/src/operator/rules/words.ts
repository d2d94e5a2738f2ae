import { money, percent } from "../../ui/money.tsx";
import type { Rate, Rule } from "./data.ts";

export const rateText = (rate: Rate) => ("bps" in rate ? percent(rate.bps) : money(rate.flat_cents, rate.currency));

const monthsText = (months: number | null) =>
  months === null ? "without end" : months === 1 ? "for one month" : `for ${months} months`;

type Terms = Pick<Rule, "first" | "recurring" | "months">;

/** "15% first, 15% recurring for 12 months". */
export function termsText({ first, recurring, months }: Terms): string {
  const nothing = "bps" in recurring ? recurring.bps === 0 : recurring.flat_cents === 0;
  return `${rateText(first)} first, ${nothing ? "nothing recurring" : `${rateText(recurring)} recurring ${monthsText(months)}`}`;
}

type Subject = Pick<Rule, "scope" | "grade" | "partner_id" | "link_id">;

/** Names that the rule itself does not have. */
export type Names = { grade(grade: string): string; partner(id: string): string };

/** "Silver partners", "Northwind Agency", "All partners". */
export function subjectText({ scope, grade, partner_id, link_id }: Subject, names: Names): string {
  if (scope === "link") return link_id === null ? "One affiliate link" : `Affiliate link ${link_id}`;
  if (scope === "partner") return partner_id === null ? "One partner" : names.partner(partner_id);
  if (scope === "grade") return grade === null ? "One tier" : `${names.grade(grade)} partners`;
  return "All partners";
}

type Conditions = Pick<Rule, "plan" | "currency" | "min_mrr_cents">;

/** "Growth, eur, from €100.00"; empty where every sale is meant. */
export function conditionsText({ plan, currency, min_mrr_cents }: Conditions): string {
  const from = min_mrr_cents ? `from ${money(min_mrr_cents, currency ?? "usd")}` : null;
  return [plan, currency, from].filter(Boolean).join(", ");
}

/** "Silver partners: 15% first, 15% recurring for 12 months, on Growth". */
export function sentence(rule: Subject & Terms & Conditions, names: Names): string {
  const only = conditionsText(rule);
  return `${subjectText(rule, names)}: ${termsText(rule)}${only ? `, only ${only}` : ""}`;
}
