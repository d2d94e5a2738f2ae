import type { Rate } from "../../../programme/rules/index.ts";
import { addMonths, amountAt, coverageOf, type EarningCharge, keptAfter, type Terms } from "../../commissions/index.ts";

/** A charge that earned for a sale, with what is needed to earn it again. */
export type PastCharge = EarningCharge & {
  partner_id: string;
  client_id: string;
  client_company: string;
  deal_id: string;
  refunded_cents: number;
  /** What the seller earned by it, less what was taken back. */
  earned_cents: number;
  terms: Terms;
  grade: string;
  link_id: string | null;
  mrr_cents: number;
  /** The currency of `mrr_cents`. */
  sale_currency: string;
  window_until: Date | null;
  first_charge_id: string | null;
  first_charged_at: Date | null;
};

/** The terms to earn it on: rates, and for how many months. */
export type Alternative = { first: Rate; recurring: Rate; months: number | null };

/** What the seller would have earned by a charge on other terms, less what refunds took back. */
export function earnedOn(charge: PastCharge, alternative: Alternative): number {
  const { terms, amount_cents, currency, refunded_cents } = charge;
  const first = charge.first_charge_id === charge.id;
  const coverage = coverageOf(charge, windowOn(charge, alternative), first);
  const { first: first_rate, recurring } = alternative;
  const left = (base_cents: number, rate: Rate) => {
    const settled = { base_cents, amount_cents: amountAt(rate, base_cents, currency), rate_bps: "bps" in rate ? rate.bps : 0 };
    return keptAfter(settled, refunded_cents, amount_cents);
  };
  const of_first = coverage.first_cents === 0 ? 0 : left(coverage.first_cents, terms.continues ? recurring : first_rate);
  return of_first + (coverage.recurring_cents === 0 ? 0 : left(coverage.recurring_cents, recurring));
}

/** The window on other terms. A sale that continues another's keeps the window of that one. */
function windowOn({ terms, window_until, first_charged_at }: PastCharge, { months }: Alternative): Date | null {
  if (terms.continues) return window_until;
  return months === null || first_charged_at === null ? null : addMonths(first_charged_at, months);
}
