import { expect, test } from "vitest";
import { type Accrued, checkSales, type Sold } from "./verify.model.ts";

const sale = (rest: Partial<Sold> = {}): Sold => ({
  id: "pur_1",
  price_cents: 9_999,
  currency: "eur",
  share_bps: 7_000,
  seller_share_cents: 6_999,
  commission_id: "com_1",
  ...rest,
});
const accrued = (rest: Partial<Accrued> = {}): Accrued => ({
  id: "com_1",
  cause: "purchase:pur_1",
  base_cents: 9_999,
  rate_bps: 7_000,
  amount_cents: 6_999,
  currency: "eur",
  ...rest,
});
const DUE = "6999 eur, 7000 basis points of 9999";
const wrong = (problem: string, expected: unknown, found: unknown) => ({
  table: "snapshot_purchases",
  id: "pur_1",
  problem,
  expected,
  found,
});

test("a sale has the commission that its price and share make, rounded down", () => {
  expect(checkSales([sale()], [accrued()])).toEqual([]);
  expect(checkSales([], [])).toEqual([]);
});

test("a sale of nothing has none", () => {
  const free = { price_cents: 0, seller_share_cents: 0, commission_id: null };
  expect(checkSales([sale(free)], [])).toEqual([]);
  expect(checkSales([sale({ ...free, commission_id: "com_1" })], [accrued({ base_cents: 0, amount_cents: 0 })])).toEqual([
    wrong("the commission is not what it makes", "nothing", "0 eur, 7000 basis points of 0"),
  ]);
});

test("another share is found", () => {
  expect(checkSales([sale({ seller_share_cents: 7_000 })], [accrued()])).toEqual([
    wrong("it is not the seller's share", 6_999, 7_000),
  ]);
});

test.each<[Partial<Accrued>, string]>([
  [{ amount_cents: 7_000 }, "7000 eur, 7000 basis points of 9999"],
  [{ currency: "usd" }, "6999 usd, 7000 basis points of 9999"],
  [{ rate_bps: 6_999 }, "6999 eur, 6999 basis points of 9999"],
  [{ base_cents: 9_998 }, "6999 eur, 7000 basis points of 9998"],
])("another commission is found: %j", (rest, text) => {
  expect(checkSales([sale()], [accrued(rest)])).toEqual([wrong("the commission is not what it makes", DUE, text)]);
});

test("a missing commission, one that is not named, and one without a sale are found", () => {
  expect(checkSales([sale()], [])).toEqual([
    wrong("the commission is not what it makes", DUE, "nothing"),
    wrong("it names another commission", null, "com_1"),
  ]);
  expect(checkSales([sale({ commission_id: null })], [accrued()])).toEqual([wrong("it names another commission", "com_1", null)]);
  expect(checkSales([sale()], [accrued(), accrued({ id: "com_2", cause: "purchase:pur_2" })])).toEqual([
    { table: "commissions", id: "com_2", problem: "no completed purchase caused it", expected: null, found: "purchase:pur_2" },
  ]);
});
