import { expect, test } from "vitest";
import type { LinkDay } from "./data.ts";
import { best, columnsOf, isCode, isEmpty, periodsOf, together } from "./model.ts";

const NONE = { clicks: 0, unique: 0, bots: 0, repeats: 0, leads: 0, deals: 0, won: 0, commissions: [] };
const days = (count: number): LinkDay[] =>
  Array.from({ length: count }, (_, index) => ({
    ...NONE,
    day: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
    clicks: index,
    commissions: index % 2 === 0 ? [{ currency: "usd", amount_cents: 100 }] : [{ currency: "eur", amount_cents: -50 }],
  }));

test("a month is shown by day, a year by week, and nothing is lost in either", () => {
  expect(periodsOf(days(30))).toHaveLength(30);
  const weeks = periodsOf(days(365));
  expect(weeks).toHaveLength(53);
  expect(weeks[0]).toMatchObject({ from: "2026-01-01", to: "2026-01-01" });
  expect(weeks.at(-1)).toMatchObject({ from: "2026-12-25", to: "2026-12-31" });
  expect(together(weeks)).toEqual(together(days(365)));
});

test("currencies are never added to each other", () => {
  expect(together(days(4)).commissions).toEqual([
    { currency: "usd", amount_cents: 200 },
    { currency: "eur", amount_cents: -100 },
  ]);
});

test("columns show one currency, and name the last of them", () => {
  const columns = columnsOf(periodsOf(days(30)), "commissions", "eur");
  expect(columns.map(({ value }) => value)).toEqual(days(30).map((_, index) => (index % 2 === 0 ? 0 : -50)));
  expect(columns.filter(({ label }) => label !== "")).toHaveLength(6);
  expect(columns.at(-1)?.label).not.toBe("");
});

test("a period with bots alone is empty", () => {
  expect(isEmpty({ ...NONE, bots: 3 })).toBe(true);
  expect(isEmpty({ ...NONE, clicks: 1 })).toBe(false);
  expect(isEmpty({ ...NONE, commissions: [{ currency: "usd", amount_cents: -1 }] })).toBe(false);
});

test("the best link is the one that sold, not the one with the most clicks", () => {
  const many = { totals: { ...NONE, clicks: 900, leads: 9 } };
  const sold = { totals: { ...NONE, clicks: 4, deals: 1, won: 1 } };
  expect(best([many, sold, {}])).toBe(sold);
  expect(best([many, { totals: { ...NONE, clicks: 900, leads: 8 } }])).toBe(many);
  expect(best([])).toBeUndefined();
});

test.each(["abcd", "Spring-Sale", "a".repeat(32)])("%s is a code", (code) => expect(isCode(code)).toBe(true));
test.each(["abc", "a".repeat(33), "a_bc", "ab cd", "äbcd", ""])("%j is none", (code) => expect(isCode(code)).toBe(false));
