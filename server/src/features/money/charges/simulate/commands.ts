import { setImmediate as breathe } from "node:timers/promises";
import { fail } from "../../../../kernel/errors.ts";
import type { Context } from "../../../../platform/record/context.ts";
import { currentRules, type Rule, ruleFor } from "../../../programme/rules/index.ts";
import { type Alternative, earnedOn, type PastCharge } from "./model.ts";
import { pastCharges } from "./queries.ts";
import type { CommissionSimulation, RuleSimulation } from "./schema.ts";

const CHARGES_MAX = 20_000;
const ROWS_MAX = 100;
const AT_ONCE = 1000;

/** The terms that a charge would have earned on, with the name of their rule; null where none applies. */
type Choose = (charge: PastCharge) => (Alternative & { rule: string | null }) | null;

/** What the past charges of the partner would have earned on the terms of a grade, or on any terms. Nothing is written. */
export async function simulateCommissions(
  ctx: Context,
  { grade, rule, from, to }: CommissionSimulation,
): Promise<{ json: string }> {
  const { partner_id } = ctx.scope;
  if (rule !== undefined) {
    const { first, recurring, months = null } = rule;
    return simulate(ctx, partner_id, from, to, () => ({ first, recurring, months, rule: null }));
  }
  const current = "grade" in ctx.principal ? ctx.principal.grade : "";
  const rules = await currentRules(ctx.db);
  return simulate(ctx, partner_id, from, to, (charge) => chosen(ruleFor(rules, { ...saleOf(charge), grade: grade ?? current })));
}

/** What the past charges would have earned with another rule, or another version of one. Nothing is written. */
export async function simulateRule(ctx: Context, body: RuleSimulation): Promise<{ json: string }> {
  const { rule_id = null, partner_id = null, from, to } = body;
  const rules = (await currentRules(ctx.db)).filter(({ id }) => id !== rule_id);
  const {
    grade = null,
    partner_id: of_partner = null,
    link_id = null,
    priority = 0,
    active = true,
    plan = null,
    currency = null,
  } = body.rule;
  const { min_mrr_cents = null, months = null, applies_to = "new_deals" } = body.rule;
  const conditions = {
    grade,
    partner_id: of_partner,
    link_id,
    priority,
    active,
    plan,
    currency,
    min_mrr_cents,
    months,
    applies_to,
  };
  const candidate: Rule = { ...body.rule, ...conditions, id: rule_id ?? "rul_", version: 0 };
  return simulate(ctx, partner_id, from, to, (charge) => chosen(ruleFor([...rules, candidate], saleOf(charge))));
}

function saleOf({ partner_id, link_id, grade, terms, plan, currency, mrr_cents, sale_currency }: PastCharge) {
  return { partner_id, link_id, grade, plan: plan ?? terms.plan, currency, mrr_cents, mrr_currency: sale_currency };
}

function chosen(rule: Rule | null): ReturnType<Choose> {
  if (rule === null) return null;
  const { first, recurring, months, name, version } = rule;
  return { first, recurring, months, rule: version === 0 ? name : `${name}, version ${version}` };
}

async function simulate(
  ctx: Context,
  partner_id: string | null,
  from: string,
  to: string,
  choose: Choose,
): Promise<{ json: string }> {
  if (Date.parse(from) >= Date.parse(to)) refuseField("to", "range", "to must be later than from.");
  const charges = await pastCharges(ctx.db, partner_id, new Date(from), new Date(to), CHARGES_MAX + 1);
  const totals = new Map<string, { currency: string; charges: number } & Amounts>();
  const data: object[] = [];
  for (const [index, charge] of charges.slice(0, CHARGES_MAX).entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await breathe();
    const alternative = choose(charge);
    const current_cents = charge.earned_cents;
    const simulated_cents = alternative === null ? 0 : earnedOn(charge, alternative);
    const amounts = { current_cents, simulated_cents, difference_cents: simulated_cents - current_cents };
    const { currency } = charge;
    const total = totals.get(currency) ?? { currency, charges: 0, current_cents: 0, simulated_cents: 0, difference_cents: 0 };
    totals.set(currency, total);
    total.charges += 1;
    for (const name of ["current_cents", "simulated_cents", "difference_cents"] as const) total[name] += amounts[name];
    if (data.length < ROWS_MAX) data.push({ ...shown(charge), rule: alternative?.rule ?? null, ...amounts });
  }
  return { json: JSON.stringify({ totals: [...totals.values()], data, complete: charges.length <= CHARGES_MAX }) };
}

type Amounts = { current_cents: number; simulated_cents: number; difference_cents: number };

function shown({ partner_id, client_id, client_company, deal_id, id, charged_at, amount_cents, currency }: PastCharge) {
  return { partner_id, client_id, client_company, deal_id, charge_id: id, charged_at, amount_cents, currency };
}

function refuseField(name: string, code: string, detail: string): never {
  fail("validation_failed", { detail, faults: [{ in: "body", pointer: `#/${name}`, code, detail }] });
}
