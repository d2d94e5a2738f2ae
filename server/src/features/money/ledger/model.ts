/**
 * The accounts of a book, per currency. A balance is credits less debits, so that all balances of a book sum to zero: what is
 * owed to the partner is positive, and `expense` is what it ever earned, negative.
 */
export const ACCOUNTS = ["expense", "pending", "held", "approved", "scheduled", "cash", "written_off"] as const;
export type Account = (typeof ACCOUNTS)[number];

/** Why an amount was moved. */
export const FACTS = [
  "accrued",
  "adjusted",
  "settled",
  "refunded",
  "reversed",
  "approved",
  "held",
  "released",
  "scheduled",
  "paid",
  "cancelled",
] as const;
export type Fact = (typeof FACTS)[number];

/** An amount that moves from one account of a book to another. */
export type Posting = {
  debit: Account;
  credit: Account;
  currency: string;
  amount_cents: number;
  fact: Fact;
  commission_id?: string;
  payout_id?: string;
};

/** A posting of an amount with a sign: a negative one goes the other way. */
export function signed({ debit, credit, amount_cents, ...rest }: Posting): Posting {
  return amount_cents < 0
    ? { ...rest, debit: credit, credit: debit, amount_cents: -amount_cents }
    : { ...rest, debit, credit, amount_cents };
}
