import { currentRules, type Rate, type Rule, ruleFor } from "../../programme/rules/index.ts";
import {
  addShares,
  chargeCause,
  type EarningCharge,
  earningPartners,
  mergeCauses,
  openLevels,
  rateOf,
  reverse,
  winCause,
  winCauses,
} from "./earn.commands.ts";
import { type Earning, saveEarning } from "./earnings.queries.ts";
import type { Journal } from "./journal.commands.ts";
import {
  addDays,
  addMonths,
  type Coverage,
  coverageOf,
  type Group,
  isReversed,
  isVoided,
  type Level,
  type RuleRef,
  type Share,
  type Step,
  sharesOf,
  type Terms,
  totalOf,
} from "./model.ts";
import { programmeTerms } from "./queries.ts";

/** A charge with the sale that it earns for. */
export type Earned = { earning: Earning; charge: EarningCharge };

/** What a charge earned: whether anything of it counts, and as bits the levels above the seller that earned too. */
export type Outcome = { outcome: "earned" | "outside_window" | "zero"; levels: number };

/** Earns charges, in their order. The first charge of a sale settles its first commission; everything else is recurring. */
export async function earnCharges(journal: Journal, items: readonly Earned[]): Promise<Outcome[]> {
  const { tx } = journal;
  const awaiting = items.filter(({ earning }) => earning.first_charge_id === null);
  const anew = items.some(({ earning }) => earning.terms.applies_to === "all_charges");
  const [{ override_gate }, rules] = await Promise.all([
    programmeTerms(tx, ""),
    anew ? currentRules(tx) : [],
    journal.load(mergeCauses(awaiting.map(({ earning }) => winCauses(earning)))),
  ]);
  const uplines = items.flatMap(({ earning }) => earning.terms.upline.map(({ partner_id }) => partner_id));
  const passing = await earningPartners(journal, uplines, override_gate);
  const outcomes: Outcome[] = [];
  for (const { earning, charge } of items) {
    const open = earning.terms.upline.filter((level) => passing.has(level.partner_id));
    const all = earning.terms.applies_to === "all_charges";
    const rates = all ? ratesOf(ruleFor(rules, saleOf(journal, earning, charge))) : earning.terms;
    outcomes.push({
      outcome: await earnCharge(journal, earning, charge, open, rates),
      levels: open.reduce((bits, { level }) => bits | (1 << (level - 1)), 0),
    });
  }
  return outcomes;
}

function saleOf(journal: Journal, earning: Earning, { plan, currency }: EarningCharge) {
  const { partner_id, link_id, terms, mrr_cents, currency: mrr_currency } = earning;
  const { grade } = journal.partner(partner_id);
  return { partner_id, link_id, grade, plan: plan ?? terms.plan, currency, mrr_cents, mrr_currency };
}

/** What a charge earns by. */
type Rates = Pick<Terms, "rule" | "first" | "recurring">;

/** The rates of a rule that was chosen anew. Where none applies any more, the charge earns nothing, as a win would. */
function ratesOf(rule: Rule | null): Rates {
  if (rule === null) return { rule: null, first: { bps: 0 }, recurring: { bps: 0 } };
  const { id, version, name, first, recurring } = rule;
  return { rule: { id, version, name }, first, recurring };
}

async function earnCharge(
  journal: Journal,
  earning: Earning,
  charge: EarningCharge,
  open: readonly Level[],
  { rule, first: first_rate, recurring }: Rates,
): Promise<Outcome["outcome"]> {
  if (charge.amount_cents === 0) return "zero";
  const { terms } = earning;
  const first = earning.first_charge_id === null;
  if (first) await beginWindow(journal, earning, charge);
  const coverage = coverageOf(charge, earning.window_until, first);
  const rate = rateOf({ ...terms, first: first_rate, recurring }, true);
  const hold_until = addDays(charge.charged_at, terms.hold_days);
  if (first) settleFirst(journal, earning, charge, coverage, rate, rule, hold_until);
  if (coverage.counting === 0) return "outside_window";
  const { recurring_cents } = coverage;
  const shares = sharesOf(recurring_cents, charge.currency, recurring, rule, { cap_bps: terms.cap_bps, upline: [...open] });
  addShares(journal, earning, shares, recurring_cents, charge.currency, (level) => ({
    cause: chargeCause(charge.id, earning, "recurring", level),
    kind: "recurring",
    base: baseStep(charge, coverage, recurring_cents),
    rule,
    hold_until,
    charge_id: charge.id,
  }));
  return "earned";
}

async function beginWindow(journal: Journal, earning: Earning, charge: EarningCharge): Promise<void> {
  const { months, continues } = earning.terms;
  earning.first_charge_id = charge.id;
  if (!continues && months !== null) earning.window_until = addMonths(charge.charged_at, months);
  await saveEarning(journal.tx, earning);
}

function baseStep({ amount_cents, months }: EarningCharge, { counting }: Coverage, result: number): Step {
  return { step: "base", input: { charge_cents: amount_cents, months, counting_months: counting }, rule: null, result };
}

/** The charge rules: each level is brought from what the win accrued to what the first month earns, and its hold begins. */
function settleFirst(
  journal: Journal,
  earning: Earning,
  charge: EarningCharge,
  coverage: Coverage,
  rate: Rate,
  rule: RuleRef | null,
  hold_until: Date,
): void {
  const { terms, deal_id, round, partner_id } = earning;
  const { first_cents } = coverage;
  const shares = sharesOf(first_cents, charge.currency, rate, rule, openLevels(terms));
  const unsettled: Share[] = [];
  for (const level of [null, ...terms.upline]) {
    const group = journal.group(level?.partner_id ?? partner_id, winCause(deal_id, round, level?.level ?? 0));
    const share = shares.find((one) => one.level?.level === level?.level);
    if (group !== undefined && isVoided(group)) continue;
    const usable = group !== undefined && !isReversed(group) && group.root.status !== "void";
    if (usable && group.root.currency === charge.currency) {
      settle(journal, group, share, charge, rule, baseStep(charge, coverage, first_cents), hold_until);
    } else {
      if (usable) reverse(journal, group, "other_currency");
      if (share !== undefined) unsettled.push(share);
    }
  }
  addShares(journal, earning, unsettled, first_cents, charge.currency, (level) => ({
    cause: chargeCause(charge.id, earning, "first", level),
    kind: terms.continues ? "recurring" : "first",
    base: baseStep(charge, coverage, first_cents),
    rule,
    hold_until,
    charge_id: charge.id,
  }));
}

function settle(
  journal: Journal,
  group: Group,
  share: Share | undefined,
  charge: EarningCharge,
  rule: RuleRef | null,
  base: Step,
  hold_until: Date,
): void {
  const accrued_cents = totalOf(group);
  const due = share?.amount_cents ?? 0;
  journal.holdUntil(group, hold_until);
  const own = group.root.level === 0;
  journal.addTo(group, {
    cause: `settle:${charge.id}:${group.root.id}`,
    kind: "adjustment",
    base_cents: base.result,
    amount_cents: due - accrued_cents,
    calculation: [
      ...(own ? [base] : []),
      ...(share?.steps ?? []),
      { step: "settlement", input: { due_cents: due, accrued_cents }, rule: null, result: due - accrued_cents },
    ],
    reason_code: "first_charge",
    fact: "settled",
    rule: own ? rule : null,
    charge_id: own ? charge.id : null,
  });
}
