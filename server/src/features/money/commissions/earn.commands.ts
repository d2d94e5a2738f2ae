import type { Rate } from "../../programme/rules/index.ts";
import { currentRules, ruleFor } from "../../programme/rules/index.ts";
import { type Earning, insertEarning, liveEarnings, saveEarning, supersededEarning } from "./earnings.queries.ts";
import type { Journal } from "./journal.ts";
import {
  addDays,
  addMonths,
  type Coverage,
  coverageOf,
  type Group,
  isReversed,
  keptAfter,
  type Level,
  type RuleRef,
  type Settled,
  type Share,
  type Step,
  sharesOf,
  type Terms,
  totalOf,
} from "./model.ts";
import { hasActiveClients, programmeTerms } from "./queries.ts";

/** A won sale, as the deal hands it over. */
export type WonSale = {
  partner_id: string;
  deal_id: string;
  client_id: string;
  plan: string | null;
  mrr_cents: number;
  currency: string;
  /** The partners above the seller when the sale was registered, nearest first. */
  upline: readonly string[];
  /** When the client last left. */
  churned_at: Date | null;
};

/** A charge that earns for a sale. */
export type EarningCharge = {
  id: string;
  amount_cents: number;
  currency: string;
  months: number;
  plan: string | null;
  charged_at: Date;
};

/** The partners whose books an earning touches. */
export function booksOf({ partner_id, terms }: Pick<Earning, "partner_id" | "terms">): string[] {
  return [partner_id, ...terms.upline.map((level) => level.partner_id)];
}

export const winCause = (deal_id: string, round: number, level: number): string => `win:${deal_id}:${round}:${level}`;

export const chargeCause = (charge_id: string, { deal_id, round }: Earning, kind: "first" | "recurring", level: number): string =>
  `charge:${charge_id}:${deal_id}:${round}:${kind}:${level}`;

/**
 * Opens what a won sale earns: its terms are frozen, and its first commission is pending until the client's first charge. It
 * supersedes the client's former sale, whose window it continues unless the client had left or never paid.
 */
export async function openEarning(
  journal: Journal,
  sale: WonSale,
  round: number,
): Promise<{ earning: Earning; first_commission_cents: number }> {
  const { tx } = journal;
  const { partner_id, deal_id, client_id, mrr_cents, currency } = sale;
  const former = (await liveEarnings(tx, partner_id, [client_id])).get(client_id) ?? null;
  const continues =
    former !== null && former.first_charge_id !== null && !(sale.churned_at !== null && sale.churned_at > former.opened_at);
  const { grade } = journal.partner(partner_id);
  const earning: Earning = {
    partner_id,
    deal_id,
    round,
    client_id,
    currency,
    mrr_cents,
    grade,
    terms: await freezeTerms(journal, sale, grade, continues),
    opened_at: tx.now,
    first_charge_id: null,
    window_until: continues ? former.window_until : null,
    ended_at: null,
    end_reason: null,
  };
  if (former !== null) await supersede(journal, former);
  await insertEarning(tx, earning);
  const { terms } = earning;
  const running = earning.window_until === null || tx.now < earning.window_until;
  const shares = running ? sharesOf(mrr_cents, currency, rateOf(terms, true), terms.rule, openLevels(terms)) : [];
  const base: Step = { step: "base", input: { mrr_cents }, rule: null, result: mrr_cents };
  addShares(journal, earning, shares, mrr_cents, currency, (level) => ({
    cause: winCause(deal_id, round, level),
    kind: continues ? "recurring" : "first",
    base,
    rule: terms.rule,
    hold_until: null,
    charge_id: null,
  }));
  return { earning, first_commission_cents: shares[0]?.amount_cents ?? 0 };
}

/** The terms of a sale that is won now. */
async function freezeTerms(journal: Journal, sale: WonSale, grade: string, continues: boolean): Promise<Terms> {
  const { tx } = journal;
  const [rules, settings] = await Promise.all([currentRules(tx), programmeTerms(tx, grade)]);
  const rule = ruleFor(rules, { ...sale, grade });
  const line = [sale.partner_id, ...sale.upline];
  const upline = settings.override_bps.flatMap((bps, index): Level[] => {
    const partner_id = sale.upline[index];
    const via = line[index];
    if (partner_id === undefined || via === undefined || bps === 0) return [];
    return [{ level: index + 1, partner_id, via, bps, open: false }];
  });
  const earning = await earningPartners(journal, sale.upline, settings.override_gate);
  return {
    rule: rule === null ? null : { id: rule.id, version: rule.version, name: rule.name },
    plan: sale.plan,
    first: rule?.first ?? { bps: 0 },
    recurring: rule?.recurring ?? { bps: 0 },
    months: rule?.months ?? null,
    applies_to: rule?.applies_to ?? "new_deals",
    hold_days: settings.hold_days,
    cap_bps: settings.total_cap_bps,
    upline: upline.map((level) => ({ ...level, open: earning.has(level.partner_id) })),
    continues,
  };
}

/** Those of some partners that earn overrides now: active, with clients of their own. Nobody moves up for one that does not. */
async function earningPartners(journal: Journal, ids: Iterable<string>, gate: number): Promise<Set<string>> {
  const active = [...new Set(ids)].filter((id) => journal.partner(id).status === "active");
  const passing = await Promise.all(active.map((id) => hasActiveClients(journal.tx, id, gate)));
  return new Set(active.filter((_, index) => passing[index]));
}

function openLevels({ cap_bps, upline }: Terms) {
  return { cap_bps, upline: upline.filter(({ open }) => open) };
}

function rateOf({ first, recurring, continues }: Terms, for_first: boolean): Rate {
  return for_first && !continues ? first : recurring;
}

/** Ends the former sale of a client. Without a charge, it has earned nothing. */
async function supersede(journal: Journal, former: Earning): Promise<void> {
  if (former.first_charge_id === null) await reverseWin(journal, former, "superseded");
  await saveEarning(journal.tx, { ...former, ended_at: journal.tx.now, end_reason: "superseded" });
}

/** The causes of the roots of a win, by book. */
function winCauses({ partner_id, deal_id, round, terms }: Earning): Map<string, string[]> {
  const levels = [{ partner_id, level: 0 }, ...terms.upline];
  return new Map(levels.map((one) => [one.partner_id, [winCause(deal_id, round, one.level)]]));
}

async function reverseWin(journal: Journal, earning: Earning, reason: string): Promise<void> {
  const causes = winCauses(earning);
  await journal.load(causes);
  for (const [partner_id, of] of causes) for (const cause of of) reverse(journal, journal.group(partner_id, cause), reason);
}

/** Takes back what is left of a root. */
export function reverse(journal: Journal, group: Group | undefined, reason_code: string): void {
  if (group === undefined || isReversed(group)) return;
  const left = totalOf(group);
  const calculation: Step[] = [{ step: "reversal", input: { earned_cents: left }, rule: null, result: -left }];
  const cause = `reverse:${group.root.id}`;
  journal.addTo(group, {
    cause,
    kind: "reversal",
    base_cents: 0,
    amount_cents: -left,
    calculation,
    reason_code,
    fact: "reversed",
  });
}

/** What a row of a share has in common over all levels. */
type Shared = {
  cause: string;
  kind: "first" | "recurring";
  base: Step;
  rule: RuleRef | null;
  hold_until: Date | null;
  charge_id: string | null;
};

/** Adds a root for the seller and for each level above it. The levels above learn nothing of the sale but its base. */
function addShares(
  journal: Journal,
  earning: Earning,
  shares: readonly Share[],
  base_cents: number,
  currency: string,
  shared: (level: number) => Shared,
): void {
  let origin_commission_id: string | null = null;
  for (const { level, amount_cents, rate_bps, steps } of shares) {
    const { cause, kind, base, rule, hold_until, charge_id } = shared(level?.level ?? 0);
    const common = {
      cause,
      base_cents,
      rate_bps,
      amount_cents,
      currency,
      hold_until,
      reason_code: null,
      status: "pending",
    } as const;
    if (level === null) {
      const { partner_id, deal_id, round, client_id } = earning;
      const none = { source_commission_id: null, source_partner_id: null, origin_partner_id: null, origin_commission_id: null };
      const own = { partner_id, deal_id, round, client_id, charge_id, level: 0, kind, rule, calculation: [base, ...steps] };
      origin_commission_id = journal.addRoot({ ...common, ...none, ...own }, "accrued")?.id ?? null;
    } else {
      const hidden = { deal_id: null, round: null, client_id: null, charge_id: null, source_commission_id: null, rule: null };
      const origin = { source_partner_id: level.via, origin_partner_id: earning.partner_id, origin_commission_id };
      const of_level = { partner_id: level.partner_id, level: level.level, kind: "override", calculation: steps } as const;
      journal.addRoot({ ...common, ...hidden, ...origin, ...of_level }, "accrued");
    }
  }
}

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
    const rule = earning.terms.applies_to === "all_charges" ? ruleFor(rules, saleOf(journal, earning, charge)) : null;
    outcomes.push({
      outcome: await earnCharge(journal, earning, charge, open, rule),
      levels: open.reduce((bits, { level }) => bits | (1 << (level - 1)), 0),
    });
  }
  return outcomes;
}

function saleOf(journal: Journal, { partner_id, terms, mrr_cents }: Earning, { plan, currency }: EarningCharge) {
  return { partner_id, grade: journal.partner(partner_id).grade, plan: plan ?? terms.plan, currency, mrr_cents };
}

function mergeCauses(maps: readonly Map<string, string[]>[]): Map<string, string[]> {
  const merged = new Map<string, string[]>();
  for (const map of maps) for (const [id, causes] of map) merged.set(id, [...(merged.get(id) ?? []), ...causes]);
  return merged;
}

async function earnCharge(
  journal: Journal,
  earning: Earning,
  charge: EarningCharge,
  open: readonly Level[],
  resolved: (RuleRef & { first: Rate; recurring: Rate }) | null,
): Promise<Outcome["outcome"]> {
  if (charge.amount_cents === 0) return "zero";
  const { terms } = earning;
  const first = earning.first_charge_id === null;
  if (first) await beginWindow(journal, earning, charge);
  const coverage = coverageOf(charge, earning.window_until, first);
  const rule = resolved === null ? terms.rule : { id: resolved.id, version: resolved.version, name: resolved.name };
  const rates = resolved === null ? terms : { ...terms, first: resolved.first, recurring: resolved.recurring };
  const hold_until = addDays(charge.charged_at, terms.hold_days);
  if (first) settleFirst(journal, earning, charge, coverage, rateOf(rates, true), rule, hold_until);
  if (coverage.counting === 0) return "outside_window";
  const { recurring_cents } = coverage;
  const shares = sharesOf(recurring_cents, charge.currency, rates.recurring, rule, { cap_bps: terms.cap_bps, upline: [...open] });
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
    const usable = group !== undefined && !isReversed(group) && group.root.status !== "void";
    if (usable && group.root.currency === charge.currency) {
      settle(journal, group, share, charge, baseStep(charge, coverage, first_cents), hold_until);
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
    charge_id: own ? charge.id : null,
  });
}

/** A refund of a part of a charge. */
export type AppliedRefund = { id: string; applied_cents: number };

/** Takes back what refunds of a charge cost each level. `refunded_cents` is what was refunded before them. */
export async function refundCharge(
  journal: Journal,
  earning: Earning,
  charge: EarningCharge,
  refunded_cents: number,
  refunds: readonly AppliedRefund[],
): Promise<void> {
  const first = earning.first_charge_id === charge.id;
  const levels = [{ partner_id: earning.partner_id, level: 0 }, ...earning.terms.upline];
  const causes = ({ level }: { level: number }) => [
    ...(first ? [winCause(earning.deal_id, earning.round, level), chargeCause(charge.id, earning, "first", level)] : []),
    chargeCause(charge.id, earning, "recurring", level),
  ];
  await journal.load(new Map(levels.map((level) => [level.partner_id, causes(level)])));
  const coverage = coverageOf(charge, earning.window_until, first);
  for (const level of levels) {
    for (const cause of causes(level)) {
      const group = journal.group(level.partner_id, cause);
      if (group === undefined || isReversed(group)) continue;
      const settled = settledOf(group, charge, cause.startsWith("win:") ? coverage.first_cents : group.root.base_cents);
      let total = refunded_cents;
      for (const { id, applied_cents } of refunds) {
        total += applied_cents;
        takeBack(journal, group, settled, id, applied_cents, total, charge);
      }
    }
  }
}

/** A root as its charge settled it: the settling row is part of its amount. */
function settledOf({ root, rows }: Group, charge: EarningCharge, base_cents: number): Settled {
  const settling = rows.find(({ cause }) => cause === `settle:${charge.id}:${root.id}`);
  return { base_cents, amount_cents: root.amount_cents + (settling?.amount_cents ?? 0), rate_bps: root.rate_bps };
}

function takeBack(
  journal: Journal,
  group: Group,
  settled: Settled,
  refund_id: string,
  applied_cents: number,
  total: number,
  charge: EarningCharge,
): void {
  const kept = keptAfter(settled, total, charge.amount_cents);
  const earned_cents = totalOf(group);
  const own = group.root.level === 0;
  journal.addTo(group, {
    cause: `refund:${refund_id}:${group.root.id}`,
    kind: "reversal",
    base_cents: -Math.min(applied_cents, settled.base_cents),
    amount_cents: kept - earned_cents,
    calculation: [
      {
        step: "refund",
        input: { base_cents: settled.base_cents, refunded_cents: total, charge_cents: charge.amount_cents },
        rule: null,
        result: kept,
      },
      { step: "difference", input: { kept_cents: kept, earned_cents }, rule: null, result: kept - earned_cents },
    ],
    reason_code: "refund",
    fact: "refunded",
    charge_id: own ? charge.id : null,
    refund_id: own ? refund_id : null,
  });
}

/**
 * Takes back everything that a round of a sale earned, at every level, for good. The sale that it had superseded is live again.
 * `charge_ids` are the charges that it earned.
 */
export async function closeEarning(
  journal: Journal,
  earning: Earning,
  charge_ids: readonly string[],
  reason: string,
): Promise<void> {
  const { tx } = journal;
  const causes = mergeCauses([
    winCauses(earning),
    ...charge_ids.flatMap((id) =>
      [{ partner_id: earning.partner_id, level: 0 }, ...earning.terms.upline].map(
        ({ partner_id, level }) =>
          new Map([[partner_id, (["first", "recurring"] as const).map((kind) => chargeCause(id, earning, kind, level))]]),
      ),
    ),
  ]);
  await journal.load(causes);
  for (const [partner_id, of] of causes) for (const cause of of) reverse(journal, journal.group(partner_id, cause), reason);
  const live = earning.ended_at === null;
  await saveEarning(tx, { ...earning, ended_at: tx.now, end_reason: "reversed" });
  const former = live ? await supersededEarning(tx, earning.partner_id, earning.client_id) : null;
  if (former !== null) await saveEarning(tx, { ...former, ended_at: null, end_reason: null });
}

/** Ends a sale whose client was never charged: what its win accrued is taken back. */
export async function expireEarning(journal: Journal, earning: Earning): Promise<void> {
  await reverseWin(journal, earning, "no_charge");
  await saveEarning(journal.tx, { ...earning, ended_at: journal.tx.now, end_reason: "expired" });
}
