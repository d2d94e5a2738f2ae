import { inCents, inUnits } from "../../ui/money.tsx";
import type { Rate, Rule, RuleBody } from "./data.ts";

/** A rate as a form shows it: a share in percent, or an amount in whole units. */
export type RateValues = { kind: "bps" | "flat"; bps: number | string; flat_cents: number | string; currency: string };

export type RuleValues = {
  scope: Rule["scope"];
  grade: string | null;
  partner_id: string | null;
  link_id: string | null;
  name: string;
  plan: string | null;
  currency: string | null;
  min_mrr_cents: number | string;
  first: RateValues;
  recurring: RateValues;
  months: number | string;
  priority: number | string;
  applies_to: Rule["applies_to"];
};

const rateValues = (rate: Rate): RateValues =>
  "bps" in rate
    ? { kind: "bps", bps: rate.bps / 100, flat_cents: "", currency: "usd" }
    : { kind: "flat", bps: "", flat_cents: inUnits(rate.flat_cents, rate.currency), currency: rate.currency };

const NEW: Omit<Rule, "id" | "created_by" | "created_at" | "version"> = {
  scope: "grade",
  grade: null,
  partner_id: null,
  link_id: null,
  name: "",
  plan: null,
  currency: null,
  min_mrr_cents: null,
  first: { bps: 1500 },
  recurring: { bps: 1500 },
  months: 12,
  priority: 0,
  active: true,
  applies_to: "new_deals",
};

/** The currency in which the least revenue of a rule is meant. */
const meant = (currency: string | null) => currency ?? "usd";

export function valuesOf(rule: Rule | null, partner_id: string | null = null): RuleValues {
  const { active: _, ...shown } = rule ?? (partner_id === null ? NEW : { ...NEW, scope: "partner" as const, partner_id });
  return {
    ...shown,
    min_mrr_cents: inUnits(shown.min_mrr_cents, meant(shown.currency)),
    first: rateValues(shown.first),
    recurring: rateValues(shown.recurring),
    months: shown.months ?? "",
  };
}

const rateOf = ({ kind, bps, flat_cents, currency }: RateValues): Rate =>
  kind === "bps" ? { bps: Math.round(Number(bps) * 100) } : { flat_cents: inCents(flat_cents, currency) ?? 0, currency };

/** What a version of the rule consists of. */
export function termsOf(values: RuleValues) {
  return {
    name: values.name,
    priority: Number(values.priority),
    plan: values.plan?.trim() || null,
    currency: values.currency || null,
    min_mrr_cents: inCents(values.min_mrr_cents, meant(values.currency)),
    first: rateOf(values.first),
    recurring: rateOf(values.recurring),
    months: values.months === "" ? null : Number(values.months),
    applies_to: values.applies_to,
  };
}

/** Whose sales it is for: one of the four. */
export function subjectOf({ scope, grade, partner_id, link_id }: RuleValues) {
  return {
    scope,
    grade: scope === "grade" ? grade : null,
    partner_id: scope === "partner" ? partner_id : null,
    link_id: scope === "link" ? link_id?.trim() || null : null,
  };
}

export const bodyOf = (values: RuleValues): RuleBody => ({ ...subjectOf(values), ...termsOf(values) });
