import { type Fault, fail } from "../../../kernel/errors.ts";

export const SCOPES = ["programme", "grade", "partner", "link"] as const;
export const APPLIES_TO = ["new_deals", "all_charges"] as const;

/** A rate: a share in basis points, or an amount that applies in its currency alone. */
export type Rate = { bps: number } | { flat_cents: number; currency: string };

/** One version of a commission rule. */
export type Rule = {
  id: string;
  version: number;
  name: string;
  scope: (typeof SCOPES)[number];
  grade: string | null;
  partner_id: string | null;
  link_id: string | null;
  priority: number;
  active: boolean;
  plan: string | null;
  currency: string | null;
  min_mrr_cents: number | null;
  first: Rate;
  recurring: Rate;
  /** For how many months after the first charge the sale earns; null: without end. */
  months: number | null;
  applies_to: (typeof APPLIES_TO)[number];
};

/** What a rule is chosen for. */
export type Sale = {
  partner_id: string;
  /** The affiliate link that it came by. */
  link_id: string | null;
  grade: string;
  plan: string | null;
  currency: string;
  mrr_cents: number;
  /** Where the revenue is in another currency than what earns, it meets no least revenue. Default: `currency`. */
  mrr_currency?: string;
};

const NARROWEST_FIRST: readonly Rule["scope"][] = ["link", "partner", "grade", "programme"];

/** The rule for a sale: the narrowest scope, then the highest priority, then the oldest. */
export function ruleFor(rules: readonly Rule[], sale: Sale): Rule | null {
  const matching = rules.filter((rule) => rule.active && applies(rule, sale));
  const rank = ({ scope }: Rule) => NARROWEST_FIRST.indexOf(scope);
  matching.sort((a, b) => rank(a) - rank(b) || b.priority - a.priority || (a.id < b.id ? -1 : 1));
  return matching[0] ?? null;
}

function applies(rule: Rule, sale: Sale): boolean {
  const { partner_id, link_id, grade, plan, currency, mrr_cents, mrr_currency = currency } = sale;
  if (rule.link_id !== null && rule.link_id !== link_id) return false;
  if (rule.partner_id !== null && rule.partner_id !== partner_id) return false;
  if (rule.grade !== null && rule.grade !== grade) return false;
  if (rule.plan !== null && rule.plan.toLowerCase() !== plan?.toLowerCase()) return false;
  if (rule.currency !== null && rule.currency !== currency) return false;
  return rule.min_mrr_cents === null || (mrr_currency === currency && mrr_cents >= rule.min_mrr_cents);
}

type Terms = Pick<Rule, "scope" | "grade" | "partner_id" | "link_id" | "currency" | "min_mrr_cents" | "first" | "recurring">;

/** Refuses a rule whose members contradict each other. */
export function checkRule(rule: Terms): void {
  const { scope, currency } = rule;
  const faults: Fault[] = [];
  const refuse = (member: string, code: string, detail: string) =>
    faults.push({ in: "body", pointer: `#/${member}`, code, detail });
  for (const [member, of] of [
    ["grade", "grade"],
    ["partner_id", "partner"],
    ["link_id", "link"],
  ] as const) {
    if (scope === of && rule[member] === null)
      refuse(member, "required_by_scope", `${member} is required by the scope ${scope}.`);
    if (scope !== of && rule[member] !== null) refuse(member, "not_of_scope", `${member} does not apply to the scope ${scope}.`);
  }
  if (rule.min_mrr_cents !== null && currency === null)
    refuse("currency", "required_by_amount", "currency is required with min_mrr_cents.");
  for (const member of ["first", "recurring"] as const) {
    const rate = rule[member];
    if ("currency" in rate && currency !== null && rate.currency !== currency)
      refuse(`${member}/currency`, "other_currency", `${member} must be in ${currency}, the currency of the rule.`);
  }
  if (faults.length > 0) fail("validation_failed", { faults });
}
