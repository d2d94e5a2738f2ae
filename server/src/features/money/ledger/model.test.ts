import fc from "fast-check";
import { expect, test } from "vitest";
import { ACCOUNTS, FACTS, type Posting, signed } from "./model.ts";

const posting = fc.record({
  debit: fc.constantFrom(...ACCOUNTS),
  credit: fc.constantFrom(...ACCOUNTS),
  currency: fc.constant("eur"),
  amount_cents: fc.integer({ min: -1_000_000, max: 1_000_000 }),
  fact: fc.constantFrom(...FACTS),
  commission_id: fc.constant("com_1"),
});

/** What a posting adds to the balance of an account. */
const moved = ({ debit, credit, amount_cents }: Posting, account: string) =>
  (credit === account ? amount_cents : 0) - (debit === account ? amount_cents : 0);

test("a posting with a sign moves the same between the same accounts, and its amount is never negative", () => {
  fc.assert(
    fc.property(posting, (given) => {
      const posted = signed(given);
      expect(posted.amount_cents).toBeGreaterThanOrEqual(0);
      for (const account of ACCOUNTS) expect(moved(posted, account) + 0).toBe(moved(given, account) + 0);
      expect(posted).toMatchObject({ currency: "eur", fact: given.fact, commission_id: "com_1" });
    }),
  );
});

test("a negative amount goes the other way", () => {
  const given: Posting = {
    debit: "expense",
    credit: "pending",
    currency: "usd",
    amount_cents: -250,
    fact: "refunded",
    payout_id: "po_1",
  };
  expect(signed(given)).toEqual({ ...given, debit: "pending", credit: "expense", amount_cents: 250 });
  expect(signed({ ...given, amount_cents: 0 })).toEqual({ ...given, amount_cents: 0 });
});
