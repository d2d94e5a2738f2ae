import { describe, expect, test } from "vitest";
import { addedUp, day, figure, kindName, type StatementPayout, type StatementRow, share } from "./statement.model.ts";

test.each([
  ["first", 0, "First"],
  ["recurring", 0, "Recurring"],
  ["override", 2, "Override, level 2"],
  ["adjustment", 0, "Adjustment"],
  ["reversal", 1, "Reversal, level 1"],
  ["marketplace", 0, "Marketplace"],
  ["bonus", 0, "bonus"],
  ["bonus", 1, "bonus, level 1"],
])("a row of the kind %s at level %i is called %s", (kind, level, name) => {
  expect(kindName({ kind, level })).toBe(name);
});

test.each([
  [0, "usd", "0.00"],
  [123_450, "usd", "1,234.50"],
  [-123_456_789, "usd", "−1,234,567.89"],
  [99_999, "eur", "999.99"],
  [1_234_567, "jpy", "1,234,567"],
  [-1_234_567, "kwd", "−1,234.567"],
])("%i of %s is shown as %s", (cents, currency, shown) => {
  expect(figure(cents, currency)).toBe(shown);
});

test("shares and days are for people", () => {
  expect([share(1_250), share(1_000), share(5)]).toEqual(["12.5 %", "10 %", "0.05 %"]);
  expect([day("2026-05-15T23:59:59Z"), day(new Date("2026-05-16T00:00:00Z"))]).toEqual(["15 May 2026", "16 May 2026"]);
});

describe("the rows of a statement", () => {
  const payout = (rest: Partial<StatementPayout> = {}) =>
    ({
      id: "po_1",
      gross_cents: 300,
      adjustments_cents: -50,
      carry_in_cents: 20,
      net_cents: 270,
      count: 2,
      ...rest,
    }) as StatementPayout;
  const rows = (...amounts: number[]) => amounts.map((amount_cents) => ({ amount_cents }) as StatementRow);
  const read = async (of: StatementPayout, given: StatementRow[]) => {
    const passed: StatementRow[] = [];
    for await (const row of addedUp({ payout: of, rows: given })) passed.push(row);
    return passed;
  };

  test("pass if they add up to the payout", async () => {
    expect(await read(payout(), rows(320, -50))).toEqual(rows(320, -50));
    expect(await read(payout({ gross_cents: 0, adjustments_cents: 0, carry_in_cents: 0, net_cents: 0, count: 0 }), [])).toEqual(
      [],
    );
  });

  test.each<[string, Partial<StatementPayout>, number[]]>([
    ["another sum", {}, [320, -51]],
    ["a row too few", {}, [270]],
    ["a row too many", {}, [320, -50, 0]],
    ["figures that do not make the net amount", { gross_cents: 301 }, [320, -50]],
    ["an adjustment that is not in it", { adjustments_cents: 0 }, [320, -50]],
    ["a carried amount that is not in it", { carry_in_cents: 0 }, [320, -50]],
  ])("fail by %s", async (_, rest, amounts) => {
    await expect(read(payout(rest), rows(...amounts))).rejects.toThrow("po_1");
  });
});
