import { fail } from "../../../kernel/errors.ts";
import type { Rate, Rule } from "../../programme/rules/index.ts";
import { currentRules, ruleFor } from "../../programme/rules/index.ts";
import { type Earning, insertEarning, liveEarnings, saveEarning, supersededEarning } from "./earnings.queries.ts";
import type { Journal } from "./journal.commands.ts";
import {
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
import { hasActiveClients, type ProgrammeTerms, programmeTerms } from "./queries.ts";

/** A won sale, as the deal hands it over. */
export type WonSale = {
  partner_id: string;
  deal_id: string;
  client_id: string;
  /** The affiliate link that it came by. */
  link_id: string | null;
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
 *
 * A sale that is won again keeps the terms of the round in which its charges earned (`kept`), and its place: a sale that was won
 * after it goes on earning.
 */
export async function openEarning(
  journal: Journal,
  sale: WonSale,
  round: number,
  kept: Earning | null,
): Promise<{ earning: Earning; first_commission_cents: number }> {
  const { tx } = journal;
  const { partner_id, deal_id, client_id, link_id, mrr_cents, currency } = sale;
  const live = (await liveEarnings(tx, partner_id, [client_id])).get(client_id) ?? null;
  const superseded = kept !== null && live !== null && live.opened_at > kept.opened_at;
  const continued = superseded ? (kept.terms.continues ? kept : null) : continuedBy(sale, live);
  const grade = kept?.grade ?? journal.partner(partner_id).grade;
  const earning: Earning = {
    partner_id,
    deal_id,
    round,
    client_id,
    currency,
    mrr_cents,
    grade,
    link_id,
    terms: { ...(await freezeTerms(journal, sale, grade, kept?.terms ?? null)), continues: continued !== null },
    opened_at: kept?.opened_at ?? tx.now,
    first_charge_id: null,
    window_until: continued?.window_until ?? null,
    ended_at: superseded ? tx.now : null,
    end_reason: superseded ? "superseded" : null,
  };
  if (live !== null && !superseded) await supersede(journal, live);
  await insertEarning(tx, earning);
  const { terms } = earning;
  const running = earning.window_until === null || earning.opened_at < earning.window_until;
  const shares = running ? sharesOf(mrr_cents, currency, rateOf(terms, true), terms.rule, openLevels(terms)) : [];
  const base: Step = { step: "base", input: { mrr_cents }, rule: null, result: mrr_cents };
  addShares(journal, earning, shares, mrr_cents, currency, (level) => ({
    cause: winCause(deal_id, round, level),
    kind: terms.continues ? "recurring" : "first",
    base,
    rule: terms.rule,
    hold_until: null,
    charge_id: null,
  }));
  return { earning, first_commission_cents: shares[0]?.amount_cents ?? 0 };
}

/** The former sale whose window a sale continues: the client has paid for it, and has not left since. */
function continuedBy({ churned_at }: WonSale, former: Earning | null): Earning | null {
  if (former === null || (former.first_charge_id === null && !former.terms.continues)) return null;
  return churned_at !== null && churned_at > former.opened_at ? null : former;
}

type Frozen = Omit<Terms, "continues">;

/** The terms of a sale that is won now, or those that it keeps, with the levels that earn now. */
async function freezeTerms(journal: Journal, sale: WonSale, grade: string, kept: Frozen | null): Promise<Frozen> {
  const { tx } = journal;
  const [rules, settings] = await Promise.all([currentRules(tx), programmeTerms(tx, grade)]);
  const terms = kept ?? termsOf(sale, ruleFor(rules, { ...sale, grade }), settings);
  const ids = terms.upline.map(({ partner_id }) => partner_id);
  const earning = await earningPartners(journal, ids, settings.override_gate);
  return { ...terms, upline: terms.upline.map((level) => ({ ...level, open: earning.has(level.partner_id) })) };
}

function termsOf({ partner_id, plan, upline }: WonSale, rule: Rule | null, settings: ProgrammeTerms): Frozen {
  const line = [partner_id, ...upline];
  return {
    rule: rule === null ? null : { id: rule.id, version: rule.version, name: rule.name },
    plan,
    first: rule?.first ?? { bps: 0 },
    recurring: rule?.recurring ?? { bps: 0 },
    months: rule?.months ?? null,
    applies_to: rule?.applies_to ?? "new_deals",
    hold_days: settings.hold_days,
    cap_bps: settings.total_cap_bps,
    upline: settings.override_bps.flatMap((bps, index): Level[] => {
      const [via, above] = [line[index], upline[index]];
      if (above === undefined || via === undefined || bps === 0) return [];
      return [{ level: index + 1, partner_id: above, via, bps, open: false }];
    }),
  };
}

/** Those of some partners that earn overrides now: active, with clients of their own. Nobody moves up for one that does not. */
export async function earningPartners(journal: Journal, ids: Iterable<string>, gate: number): Promise<Set<string>> {
  const active = [...new Set(ids)].filter((id) => journal.partner(id).status === "active");
  const passing = await Promise.all(active.map((id) => hasActiveClients(journal.tx, id, gate)));
  return new Set(active.filter((_, index) => passing[index]));
}

export function openLevels({ cap_bps, upline }: Terms) {
  return { cap_bps, upline: upline.filter(({ open }) => open) };
}

export function rateOf({ first, recurring, continues }: Terms, for_first: boolean): Rate {
  return for_first && !continues ? first : recurring;
}

/** Ends the former sale of a client. Without a charge, it has earned nothing; what the operator holds of it is not taken back. */
async function supersede(journal: Journal, former: Earning): Promise<void> {
  if (former.first_charge_id === null) {
    const causes = winCauses(former);
    await journal.load(causes);
    if (groupsOf(journal, causes).some(isHeld)) refuseHeld("the client's former sale");
    await reverseWin(journal, former, "superseded");
  }
  await saveEarning(journal.tx, { ...former, ended_at: journal.tx.now, end_reason: "superseded" });
}

/** The causes of the roots of a win, by book. */
export function winCauses({ partner_id, deal_id, round, terms }: Earning): Map<string, string[]> {
  const levels = [{ partner_id, level: 0 }, ...terms.upline];
  return new Map(levels.map((one) => [one.partner_id, [winCause(deal_id, round, one.level)]]));
}

async function reverseWin(journal: Journal, earning: Earning, reason: string): Promise<void> {
  const causes = winCauses(earning);
  await journal.load(causes);
  for (const group of groupsOf(journal, causes)) reverse(journal, group, reason);
}

/** The causes of the roots of a charge in a round, by book. The first one settles what the win accrued. */
function chargeCauses(earning: Earning, charge_id: string): Map<string, string[]> {
  const levels = [{ partner_id: earning.partner_id, level: 0 }, ...earning.terms.upline];
  const causes = levels.map(
    ({ partner_id, level }) =>
      new Map([[partner_id, (["first", "recurring"] as const).map((kind) => chargeCause(charge_id, earning, kind, level))]]),
  );
  return mergeCauses(earning.first_charge_id === charge_id ? [winCauses(earning), ...causes] : causes);
}

/** The roots that loaded causes have. */
function groupsOf(journal: Journal, causes: ReadonlyMap<string, readonly string[]>): Group[] {
  return [...causes].flatMap(([partner_id, of]) => of.flatMap((cause) => journal.group(partner_id, cause) ?? []));
}

/**
 * Those of some charges that no sale earns by itself: the operator voided something of the round that earned them last. The
 * rounds are the closed ones of the client, the last one first.
 */
export async function voidedCharges(
  journal: Journal,
  rounds: readonly Earning[],
  charge_ids: readonly string[],
): Promise<Set<string>> {
  if (rounds.every(({ end_reason }) => end_reason !== "voided")) return new Set();
  await journal.load(mergeCauses(rounds.flatMap((round) => charge_ids.map((id) => chargeCauses(round, id)))));
  const last = (id: string) =>
    rounds.map((round) => groupsOf(journal, chargeCauses(round, id))).find((groups) => groups.length > 0) ?? [];
  return new Set(charge_ids.filter((id) => last(id).some(isVoided)));
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
export function addShares(
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

/** How a round of a sale is closed. `charge_ids` are the charges that it earned. */
export type Closing = { charge_ids: readonly string[]; reason: string; held: "reverse" | "refuse" };

/**
 * Takes back everything that a round of a sale earned, at every level, for good. The sale that it had superseded is live again.
 * A round of which the operator voided something is the last one that the sale earns by itself.
 */
export async function closeEarning(journal: Journal, earning: Earning, { charge_ids, reason, held }: Closing): Promise<void> {
  const { tx } = journal;
  const causes = mergeCauses([winCauses(earning), ...charge_ids.map((id) => chargeCauses(earning, id))]);
  await journal.load(causes);
  const groups = [...new Set(groupsOf(journal, causes))];
  if (held === "refuse" && groups.some(isHeld)) refuseHeld("this sale");
  const voided = groups.some(isVoided);
  for (const group of groups) reverse(journal, group, reason);
  const live = earning.ended_at === null;
  await saveEarning(tx, { ...earning, ended_at: tx.now, end_reason: voided ? "voided" : "reversed" });
  if (live) await reviveFormer(journal, earning);
}

const isHeld = ({ root }: Group): boolean => root.status === "held";

function refuseHeld(sale: string): never {
  const detail = `The operator holds a commission of ${sale}. Ask the operator to release it first.`;
  fail("commission_locked", { detail, meta: { commission_status: "held" } });
}

/** Ends a sale whose client was never charged: what its win accrued is taken back. */
export async function expireEarning(journal: Journal, earning: Earning): Promise<void> {
  await reverseWin(journal, earning, "no_charge");
  await saveEarning(journal.tx, { ...earning, ended_at: journal.tx.now, end_reason: "expired" });
  await reviveFormer(journal, earning);
}

/** The sale that a sale had superseded is live again. */
async function reviveFormer({ tx }: Journal, { partner_id, client_id }: Earning): Promise<void> {
  const former = await supersededEarning(tx, partner_id, client_id);
  if (former !== null) await saveEarning(tx, { ...former, ended_at: null, end_reason: null });
}

/** The causes of several facts, by book. */
export function mergeCauses(maps: readonly Map<string, string[]>[]): Map<string, string[]> {
  const merged = new Map<string, string[]>();
  for (const map of maps) for (const [id, causes] of map) merged.set(id, [...(merged.get(id) ?? []), ...causes]);
  return merged;
}
