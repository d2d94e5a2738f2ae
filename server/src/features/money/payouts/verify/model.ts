import type { Found } from "../../charges/index.ts";
import type { Account } from "../../ledger/index.ts";
import type { Status } from "../model.ts";

/** As much of a payout as its commissions and transfers must agree with. */
export type PaidPayout = {
  id: string;
  currency: string;
  statement_seq: number;
  net_cents: number;
  commission_count: number;
  status: Status;
};

/** A commission in a payout, and how it stands now. */
export type Item = {
  payout_id: string;
  commission_id: string;
  amount_cents: number;
  commission_cents: number;
  currency: string;
  status: string;
  claimed_by: string | null;
};

export type PayoutTransfer = { payout_id: string; debit: Account; credit: Account; currency: string; amount_cents: number };

/** Whether the statements of a book have the numbers 1, 2, 3 and so on, up to the last that was given. */
export function checkStatements(payouts: readonly PaidPayout[], last: number): Found[] {
  const found: Found[] = [];
  for (const [index, { id, statement_seq }] of payouts.entries()) {
    const expected = (payouts[index - 1]?.statement_seq ?? 0) + 1;
    if (statement_seq !== expected)
      found.push({ table: "payouts", id, problem: "the numbers of statements have a gap", expected, found: statement_seq });
  }
  const newest = payouts.at(-1);
  const given = newest?.statement_seq ?? 0;
  if (given !== last)
    found.push({
      table: "payouts",
      id: newest?.id ?? "none",
      problem: "it is not the last statement",
      expected: last,
      found: given,
    });
  return found;
}

/** Whether a payout is the sum of its commissions, and those are claimed by it alone and where it stands. */
export function checkItems(payout: PaidPayout, items: readonly Item[]): Found[] {
  const { id, currency, net_cents, commission_count, status } = payout;
  const found: Found[] = [];
  const sum = items.reduce((total, { amount_cents }) => total + amount_cents, 0);
  if (sum !== net_cents)
    found.push({ table: "payouts", id, problem: "it is not the sum of its commissions", expected: sum, found: net_cents });
  if (items.length !== commission_count)
    found.push({
      table: "payouts",
      id,
      problem: "it has another number of commissions",
      expected: items.length,
      found: commission_count,
    });
  for (const item of items) {
    const wrong = (problem: string, expected: unknown, value: unknown) =>
      found.push({ table: "payout_items", id: item.commission_id, problem, expected, found: value });
    if (item.amount_cents !== item.commission_cents)
      wrong(`the payout ${id} has another amount of it`, item.commission_cents, item.amount_cents);
    if (item.currency !== currency) wrong(`the payout ${id} is in another currency`, item.currency, currency);
    if (status === "cancelled") continue;
    if (item.claimed_by !== id) wrong("another payout has claimed it", id, item.claimed_by);
    const expected = status === "paid" ? "paid" : "scheduled";
    if (item.status !== expected) wrong(`the payout ${id} is ${status}, and it is not`, expected, item.status);
  }
  return found;
}

const SCHEDULED = { debit: "approved", credit: "scheduled" } as const;
const PAID = { debit: "scheduled", credit: "cash" } as const;
const CANCELLED = { debit: "scheduled", credit: "approved" } as const;

/** The transfers that lead to a status. */
const LEADING: Record<Status, readonly { debit: Account; credit: Account }[]> = {
  scheduled: [SCHEDULED],
  processing: [SCHEDULED],
  failed: [SCHEDULED],
  paid: [SCHEDULED, PAID],
  cancelled: [SCHEDULED, CANCELLED],
};

/** Whether the ledger moved a payout where it stands, with its amount, once. */
export function checkTransfers({ id, currency, net_cents, status }: PaidPayout, transfers: readonly PayoutTransfer[]): Found[] {
  const expected = LEADING[status].map((leg) => transferText({ ...leg, currency, amount_cents: net_cents }));
  const value = transfers.map(transferText);
  if (value.join() === expected.join()) return [];
  const problem = `it is ${status}, and its transfers do not lead there`;
  return [{ table: "payouts", id, problem, expected: expected.join(", "), found: value.join(", ") }];
}

function transferText({ debit, credit, currency, amount_cents }: Omit<PayoutTransfer, "payout_id">): string {
  return `${debit} to ${credit} ${amount_cents} ${currency}`;
}
