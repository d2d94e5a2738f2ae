import { describe, expect, test } from "vitest";
import { checkItems, checkStatements, checkTransfers, type Item, type PaidPayout, type PayoutTransfer } from "./model.ts";

const payout = (rest: Partial<PaidPayout> = {}): PaidPayout => ({
  id: "po_1",
  currency: "eur",
  statement_seq: 1,
  net_cents: 300,
  commission_count: 2,
  status: "scheduled",
  ...rest,
});
const item = (rest: Partial<Item> = {}): Item => ({
  payout_id: "po_1",
  commission_id: "com_1",
  amount_cents: 100,
  commission_cents: 100,
  currency: "eur",
  status: "scheduled",
  claimed_by: "po_1",
  ...rest,
});

describe("the numbers of statements", () => {
  const numbered = (...numbers: number[]) =>
    numbers.map((statement_seq, index) => payout({ id: `po_${index + 1}`, statement_seq }));

  test("count from 1 without a gap up to the last", () => {
    expect(checkStatements(numbered(1, 2, 3), 3)).toEqual([]);
    expect(checkStatements([], 0)).toEqual([]);
  });

  test("a gap is found once, where it is", () => {
    const gap = { table: "payouts", problem: "the numbers of statements have a gap" };
    expect(checkStatements(numbered(1, 3, 4), 4)).toEqual([{ ...gap, id: "po_2", expected: 2, found: 3 }]);
    expect(checkStatements(numbered(2), 2)).toEqual([{ ...gap, id: "po_1", expected: 1, found: 2 }]);
    expect(checkStatements(numbered(1, 1), 1)).toEqual([{ ...gap, id: "po_2", expected: 2, found: 1 }]);
  });

  test("the last one is the last that was given", () => {
    const last = { table: "payouts", problem: "it is not the last statement" };
    expect(checkStatements(numbered(1, 2), 3)).toEqual([{ ...last, id: "po_2", expected: 3, found: 2 }]);
    expect(checkStatements([], 1)).toEqual([{ ...last, id: "none", expected: 1, found: 0 }]);
  });
});

describe("the commissions of a payout", () => {
  const items = (...rest: Partial<Item>[]) => [
    item(rest[0]),
    item({ commission_id: "com_2", amount_cents: 200, commission_cents: 200, ...rest[1] }),
  ];
  const problems = (...given: Parameters<typeof checkItems>) =>
    checkItems(...given).map(({ id, expected, found }) => [id, expected, found]);

  test("sum to it and stand where it stands", () => {
    for (const status of ["scheduled", "processing", "failed"] as const)
      expect(checkItems(payout({ status }), items())).toEqual([]);
    expect(checkItems(payout({ status: "paid" }), items({ status: "paid" }, { status: "paid" }))).toEqual([]);
  });

  test("another sum or another number is found", () => {
    expect(checkItems(payout({ net_cents: 301 }), items())).toEqual([
      { table: "payouts", id: "po_1", problem: "it is not the sum of its commissions", expected: 300, found: 301 },
    ]);
    expect(checkItems(payout({ commission_count: 3 }), items())).toEqual([
      { table: "payouts", id: "po_1", problem: "it has another number of commissions", expected: 2, found: 3 },
    ]);
  });

  test("a commission of another amount, currency, payout or status is found", () => {
    expect(checkItems(payout(), items({ commission_cents: 99 }))).toEqual([
      { table: "payout_items", id: "com_1", problem: "the payout po_1 has another amount of it", expected: 99, found: 100 },
    ]);
    expect(problems(payout(), items({}, { currency: "usd" }))).toEqual([["com_2", "usd", "eur"]]);
    expect(problems(payout(), items({ claimed_by: "po_2" }))).toEqual([["com_1", "po_1", "po_2"]]);
    expect(problems(payout(), items({ claimed_by: null }))).toEqual([["com_1", "po_1", null]]);
    expect(problems(payout(), items({}, { status: "paid" }))).toEqual([["com_2", "scheduled", "paid"]]);
    expect(problems(payout({ status: "paid" }), items({}, { status: "paid" }))).toEqual([["com_1", "paid", "scheduled"]]);
  });

  test("what was cancelled may be claimed by the next payout", () => {
    const free = { claimed_by: "po_2", status: "paid" };
    expect(checkItems(payout({ status: "cancelled" }), items(free, free))).toEqual([]);
    expect(problems(payout({ status: "cancelled" }), items({ ...free, currency: "usd" }, free))).toEqual([
      ["com_1", "usd", "eur"],
    ]);
  });
});

describe("the transfers of a payout", () => {
  const leg = (
    debit: PayoutTransfer["debit"],
    credit: PayoutTransfer["credit"],
    rest: Partial<PayoutTransfer> = {},
  ): PayoutTransfer => ({
    payout_id: "po_1",
    debit,
    credit,
    currency: "eur",
    amount_cents: 300,
    ...rest,
  });
  const scheduled = leg("approved", "scheduled");
  const LEGS = {
    scheduled: [scheduled],
    processing: [scheduled],
    failed: [scheduled],
    paid: [scheduled, leg("scheduled", "cash")],
    cancelled: [scheduled, leg("scheduled", "approved")],
  };

  test.each(Object.keys(LEGS) as (keyof typeof LEGS)[])("lead to %s, and to nothing else", (status) => {
    for (const [other, legs] of Object.entries(LEGS)) {
      const same = legs.map(({ credit }) => credit).join() === LEGS[status].map(({ credit }) => credit).join();
      expect(checkTransfers(payout({ status }), legs).length, other).toBe(same ? 0 : 1);
    }
  });

  test("have its amount and its currency, once", () => {
    const wrong = { table: "payouts", id: "po_1", problem: "it is scheduled, and its transfers do not lead there" };
    const expected = "approved to scheduled 300 eur";
    const found = (...legs: PayoutTransfer[]) => checkTransfers(payout(), legs);
    expect(found()).toEqual([{ ...wrong, expected, found: "" }]);
    expect(found(leg("approved", "scheduled", { amount_cents: 299 }))).toEqual([
      { ...wrong, expected, found: "approved to scheduled 299 eur" },
    ]);
    expect(found(leg("approved", "scheduled", { currency: "usd" }))).toEqual([
      { ...wrong, expected, found: "approved to scheduled 300 usd" },
    ]);
    expect(found(scheduled, scheduled)).toEqual([{ ...wrong, expected, found: `${expected}, ${expected}` }]);
  });
});
