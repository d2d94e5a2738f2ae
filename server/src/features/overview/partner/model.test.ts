import { expect, test } from "vitest";
import { balances, type Closed, decided, firstMonthAt, lastMonths, wonByMonth } from "./model.ts";

const NOW = new Date("2026-11-15T10:00:00Z");
const closed = (day: string, fields: Partial<Closed> = {}): Closed => ({
  ...{ day, status: "won", currency: "usd", deals: 1, mrr_cents: 100, amount_cents: 0 },
  ...fields,
});

test("the last months are twelve with the present one, and none before the beginning", () => {
  const months = lastMonths(NOW, new Date("2020-01-01T00:00:00Z"));
  expect([months.length, months[0], months.at(-1)]).toEqual([12, "2025-12", "2026-11"]);
  expect(lastMonths(NOW, new Date("2026-10-31T23:59:59Z"))).toEqual(["2026-10", "2026-11"]);
  expect(lastMonths(new Date("2027-01-31T00:00:00Z"), NOW)).toEqual(["2026-11", "2026-12", "2027-01"]);
  expect(firstMonthAt(NOW).toISOString()).toBe("2025-12-01T00:00:00.000Z");
});

test("the value of a month is the present one without what came later", () => {
  const changes = [
    { month: "2026-09", change: 50 },
    { month: "2026-11", change: -20 },
    { month: "2026-11", change: 5 },
  ];
  expect(balances(100, changes, ["2026-08", "2026-09", "2026-10", "2026-11"])).toEqual([65, 115, 115, 100]);
});

test("decided are the deals of 90 days, by weeks that end today", () => {
  const rows = [
    closed("2026-11-15", { status: "lost" }),
    closed("2026-11-09"),
    closed("2026-11-08", { deals: 3 }),
    closed("2026-08-18"),
    closed("2026-08-17"),
  ];
  const { won, lost, weeks } = decided(rows, NOW);
  expect([won, lost]).toEqual([5, 1]);
  expect(weeks).toHaveLength(13);
  expect(weeks.at(-1)).toEqual({ ends_on: "2026-11-15", won: 1, lost: 1 });
  expect(weeks.at(-2)).toEqual({ ends_on: "2026-11-08", won: 3, lost: 0 });
  expect(weeks[0]).toEqual({ ends_on: "2026-08-23", won: 1, lost: 0 });
});

test("what was won is added up by month, each currency by itself", () => {
  const rows = [closed("2026-10-01"), closed("2026-10-31", { currency: "eur" }), closed("2026-11-01", { status: "lost" })];
  expect(wonByMonth(rows, ["2026-10", "2026-11"])).toEqual(
    ["eur", "usd"].map((currency) => ({
      currency,
      months: [
        { month: "2026-10", deals: 1, mrr_cents: 100, amount_cents: 0 },
        { month: "2026-11", deals: 0, mrr_cents: 0, amount_cents: 0 },
      ],
    })),
  );
});
