import { fractionOf, shareOf } from "../../../kernel/money.ts";
import type { Rate } from "../../programme/rules/index.ts";
import type { Account } from "../ledger/index.ts";

export const KINDS = ["first", "recurring", "override", "adjustment", "reversal", "marketplace"] as const;
export const STATUSES = ["pending", "held", "approved", "scheduled", "paid", "void"] as const;
export type Status = (typeof STATUSES)[number];

/** One step of how an amount was calculated. */
export type Step = { step: string; input: Record<string, number | string>; rule: string | null; result: number };

/** The rule that decided an amount, by its version. */
export type RuleRef = { id: string; version: number; name: string };

/** An amount that was earned or taken back: a root, or a row that changes the amount of one. */
export type Commission = {
  partner_id: string;
  id: string;
  /** The business fact, so that nothing is earned twice for it. */
  cause: string;
  kind: (typeof KINDS)[number];
  /** How far above the seller the partner stands; 0 is the seller. */
  level: number;
  deal_id: string | null;
  round: number | null;
  client_id: string | null;
  charge_id: string | null;
  refund_id: string | null;
  root_id: string | null;
  source_commission_id: string | null;
  /** The partner directly below, through which an override came. */
  source_partner_id: string | null;
  origin_partner_id: string | null;
  origin_commission_id: string | null;
  base_cents: number;
  rate_bps: number;
  amount_cents: number;
  currency: string;
  grade: string;
  rule: RuleRef | null;
  calculation: Step[];
  reason_code: string | null;
  accrued_at: Date;
  status: Status;
  hold_until: Date | null;
  hold_reason: string | null;
  payout_id: string | null;
  version: number;
};

/** A root and the rows that name it. They move together while no payout has claimed them. */
export type Group = { root: Commission; rows: Commission[] };

export function totalOf({ rows }: Group): number {
  return rows.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}

/** The account in which the amount of a commission stands. */
export function accountOf(status: Exclude<Status, "void">): Account {
  return status === "paid" ? "cash" : status;
}

/** The account that a root comes from: what is written off is no expense, and what the bank returns was paid once. */
export function sourceOf({ reason_code }: Pick<Commission, "reason_code">): Account {
  if (reason_code === "write_off") return "written_off";
  return reason_code === "payout_returned" ? "cash" : "expense";
}

/** Where a row that changes a root stands: with the root, or where the next payout takes it. */
export function statusBeside(root: Commission): "pending" | "held" | "approved" {
  return root.status === "pending" || root.status === "held" ? root.status : "approved";
}

/** Whether a payout has claimed a commission. */
export function isClaimed({ status }: Pick<Commission, "status">): boolean {
  return status === "scheduled" || status === "paid";
}

/** A root that was reversed takes no further rows. */
export function isReversed({ root, rows }: Group): boolean {
  return rows.some(({ cause }) => cause === `reverse:${root.id}`);
}

/** Why the operator takes a commission back. */
export const VOID_REASONS = ["fraud", "terms_violation", "tracking_error", "duplicate", "order_cancelled", "other"] as const;

/** Whether the operator took a root back: neither the first charge nor another win of the sale earns it again. */
export function isVoided({ root, rows }: Group): boolean {
  return rows.some(({ cause, reason_code }) => cause === `reverse:${root.id}` && VOID_REASONS.some((one) => one === reason_code));
}

/** What a rate makes of a base. A flat amount applies in its own currency alone. */
export function amountAt(rate: Rate, base_cents: number, currency: string): number {
  if ("bps" in rate) return shareOf(base_cents, rate.bps);
  return rate.currency === currency && base_cents > 0 ? rate.flat_cents : 0;
}

/** A partner above the seller, as frozen at the win. */
export type Level = {
  level: number;
  partner_id: string;
  /** The partner directly below it in this line. */
  via: string;
  bps: number;
  /** Whether it earned at the win: active, with clients of its own. */
  open: boolean;
};

/** The terms of a won sale, frozen at the win. */
export type Terms = {
  rule: RuleRef | null;
  plan: string | null;
  first: Rate;
  recurring: Rate;
  months: number | null;
  applies_to: "new_deals" | "all_charges";
  hold_days: number;
  cap_bps: number;
  upline: Level[];
  /** A later sale to the same client: it earns at the recurring rate, within the window of the former. */
  continues: boolean;
};

/** What one partner earns of a base, and how that was calculated. */
export type Share = { level: Level | null; amount_cents: number; rate_bps: number; steps: Step[] };

/** The seller's share, and those of the levels above it. Together they stay within the cap: the farthest is cut first, the seller never. */
export function sharesOf(
  base_cents: number,
  currency: string,
  rate: Rate,
  rule: RuleRef | null,
  { cap_bps, upline }: Pick<Terms, "cap_bps" | "upline">,
): Share[] {
  if (rule === null) return [];
  const direct = amountAt(rate, base_cents, currency);
  const shares: Share[] = [
    {
      level: null,
      amount_cents: direct,
      rate_bps: "bps" in rate ? rate.bps : 0,
      steps: [rateStep(base_cents, rate, rule, direct)],
    },
  ];
  const cap_cents = shareOf(base_cents, cap_bps);
  let room = Math.max(cap_cents - direct, 0);
  for (const level of upline) {
    const full = shareOf(base_cents, level.bps);
    const amount_cents = Math.min(full, room);
    room -= amount_cents;
    const rule = `override of level ${level.level}`;
    const steps: Step[] = [{ step: "rate", input: { base_cents, bps: level.bps }, rule, result: full }];
    if (amount_cents < full)
      steps.push({ step: "cap", input: { cap_bps, cap_cents, full_cents: full }, rule: "total_cap_bps", result: amount_cents });
    shares.push({ level, amount_cents, rate_bps: level.bps, steps });
  }
  return shares;
}

function rateStep(base_cents: number, rate: Rate, rule: RuleRef, result: number): Step {
  const input =
    "bps" in rate ? { base_cents, bps: rate.bps } : { base_cents, flat_cents: rate.flat_cents, currency: rate.currency };
  return { step: "rate", input, rule: ruleLabel(rule), result };
}

export function ruleLabel({ name, version }: RuleRef): string {
  return `${name}, version ${version}`;
}

/** A time some months later, in UTC. A day that the month does not have is its last one. */
export function addMonths(time: Date, months: number): Date {
  const moved = new Date(time);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const last = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(time.getUTCDate(), last));
  return moved;
}

const DAY_MS = 86_400_000;

export function addDays(time: Date, days: number): Date {
  return new Date(time.getTime() + days * DAY_MS);
}

/** What is needed of a charge to see what it earns. */
export type Paid = { amount_cents: number; months: number; charged_at: Date };

export type Coverage = {
  /** How many months of the charge begin within the window. */
  counting: number;
  /** The part of the first month, which settles the first commission; 0 unless it is the first charge. */
  first_cents: number;
  /** The rest of what counts. */
  recurring_cents: number;
};

/** How much of a charge earns: its months that begin before the window ends. */
export function coverageOf({ amount_cents, months, charged_at }: Paid, window_until: Date | null, first: boolean): Coverage {
  let counting = 0;
  while (counting < months && (window_until === null || addMonths(charged_at, counting) < window_until)) counting += 1;
  const base = fractionOf(amount_cents, counting, months);
  const first_cents = first && counting > 0 ? fractionOf(amount_cents, 1, months) : 0;
  return { counting, first_cents, recurring_cents: base - first_cents };
}

/** A root after it was settled: what it is paid for, and what it earns for that. */
export type Settled = { base_cents: number; amount_cents: number; rate_bps: number };

/** What is left of a settled root when a part of its charge was refunded. A share is taken of what is left; anything else shrinks with it. */
export function keptAfter({ base_cents, amount_cents, rate_bps }: Settled, refunded_cents: number, charge_cents: number): number {
  if (base_cents === 0) return fractionOf(amount_cents, charge_cents - refunded_cents, charge_cents);
  const left = base_cents - fractionOf(base_cents, refunded_cents, charge_cents);
  if (rate_bps > 0 && shareOf(base_cents, rate_bps) === amount_cents) return shareOf(left, rate_bps);
  return fractionOf(amount_cents, left, base_cents);
}
