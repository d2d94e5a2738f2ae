import { fail } from "../../../kernel/errors.ts";
import type { Due, Waiting } from "../commissions/index.ts";
import { minimumFor, nextSlot } from "./schedule.model.ts";

export const STATUSES = ["scheduled", "processing", "paid", "failed", "cancelled"] as const;
export type Status = (typeof STATUSES)[number];

/** Which states a payout may come from. */
const FROM: Record<Exclude<Status, "processing">, readonly Status[]> = {
  scheduled: ["failed"],
  paid: ["scheduled", "processing"],
  failed: ["scheduled", "processing"],
  cancelled: ["scheduled", "failed"],
};

export function checkTransition(from: Status, to: keyof typeof FROM): void {
  if (FROM[to].includes(from)) return;
  const allowed = (Object.keys(FROM) as (keyof typeof FROM)[]).filter((state) => FROM[state].includes(from));
  fail("invalid_state_transition", {
    detail: `The payout is ${from}. ${WAY_OUT[from]}`,
    meta: { from, to, allowed },
  });
}

const WAY_OUT: Record<Status, string> = {
  scheduled: "Only a failed one is tried again.",
  processing: "It is in a file for the bank: report whether it was paid or failed.",
  paid: "If the bank returned it, adjust the balance with the reason payout_returned.",
  failed: "Try it again, or cancel it.",
  cancelled: "Its commissions are in the next run.",
};

/** The number of a statement as it is printed, such as S-000042. */
export function statementNumber(seq: number): string {
  return `S-${String(seq).padStart(6, "0")}`;
}

/** The last time of a schedule since an instant, for which a run is outstanding; null where there is none. */
export function dueSlot(cron: string | null, time_zone: string, since: Date, now: Date): Date | null {
  let due: Date | null = null;
  for (let slot = nextSlot(cron, time_zone, since); slot !== null && slot <= now; slot = nextSlot(cron, time_zone, slot))
    due = slot;
  return due;
}

export const BLOCKING = [
  "nothing_approved",
  "below_minimum",
  "negative_balance",
  "no_payout_method",
  "currency_not_supported",
  "partner_suspended",
  "payouts_held",
] as const;
export const INFORMING = ["awaiting_first_charge", "in_hold", "held_commissions"] as const;

export type BlockerCode = (typeof BLOCKING)[number] | (typeof INFORMING)[number];

/** Why an amount is not paid, or not yet. One that does not block is about another amount. */
export type Blocker = { code: BlockerCode; blocks: boolean; detail: string; amount_cents?: number; until?: Date };

/** What of a partner decides whether it is paid. */
export type PartnerState = {
  partner_id: string;
  company: string;
  status: string;
  grade: string;
  payouts_held: boolean;
  hold_reason: string | null;
  /** The currencies of its payout method; null where it has none. */
  currencies: string[] | null;
  method_kind: string | null;
  minimums: Record<string, number>;
  /** The number of its last statement. */
  statement_seq: number;
};

export function netOf({ carry_in_cents, gross_cents, adjustments_cents }: Omit<Due, "currency" | "count" | "first_at">): number {
  return carry_in_cents + gross_cents + adjustments_cents;
}

/** What blocks the payment of what is due in a currency. Nothing is paid while there is one. */
export function blockersOf(state: PartnerState, currency: string, due: Due | undefined): Blocker[] {
  const blockers: Blocker[] = [];
  const block = (code: BlockerCode, detail: string, rest: Partial<Blocker> = {}) =>
    blockers.push({ code, blocks: true, detail, ...rest });
  const net_cents = due === undefined ? 0 : netOf(due);
  const minimum_cents = minimumFor(state.minimums, currency);
  if (state.status !== "active")
    block("partner_suspended", "The partner account is suspended. Nothing is paid until it is reactivated.");
  if (state.payouts_held)
    block("payouts_held", `The operator holds all payouts${state.hold_reason === null ? "" : `: ${state.hold_reason}`}.`);
  if (due === undefined || net_cents === 0) block("nothing_approved", "No commission is approved and due.");
  else if (net_cents < 0)
    block("negative_balance", "More was taken back than earned. It is set off against what comes.", { amount_cents: net_cents });
  else if (net_cents < minimum_cents)
    block("below_minimum", "The amount is below the minimum. It is carried over to the next run.", {
      amount_cents: minimum_cents - net_cents,
    });
  if (state.currencies === null) block("no_payout_method", "There is no payout method. An owner adds it in the portal.");
  else if (!state.currencies.includes(currency))
    block("currency_not_supported", `The payout method does not take ${currency}. An owner can choose another one.`);
  return blockers;
}

/** What is not due yet, and why. */
export function laterOf(waiting: Waiting | undefined, held_cents: number): Blocker[] {
  const later: Blocker[] = [];
  const inform = (code: BlockerCode, detail: string, amount_cents: number, until: Date | null = null) => {
    if (amount_cents !== 0) later.push({ code, blocks: false, detail, amount_cents, ...(until === null ? {} : { until }) });
  };
  inform("awaiting_first_charge", "Won sales whose clients have not paid yet.", waiting?.awaiting_cents ?? 0);
  inform("in_hold", "Commissions whose hold is not over by then.", waiting?.in_hold_cents ?? 0, waiting?.in_hold_until ?? null);
  inform("held_commissions", "Commissions that the operator holds.", held_cents);
  return later;
}
