import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Alternative, earnedBy, type PastCharge } from "./model.ts";

const at = (text: string) => new Date(`${text}T00:00:00Z`);
const terms = { first: { bps: 5_000 }, recurring: { bps: 1_000 }, continues: false };
const year = (rest: object = {}) =>
  ({
    id: "chg_1",
    amount_cents: 120_000,
    currency: "eur",
    months: 12,
    charged_at: at("2026-01-01"),
    refunded_cents: 0,
    terms,
    window_until: null,
    first_charge_id: "chg_1",
    first_charged_at: at("2026-01-01"),
    ...rest,
  }) as PastCharge;
const other = (rest: Partial<Alternative> = {}): Alternative => ({
  first: { bps: 2_000 },
  recurring: { bps: 500 },
  months: null,
  ...rest,
});

describe("what a charge earned", () => {
  test.each<[string, object, number]>([
    ["the first month at the first rate, the others at the recurring one", {}, 5_000 + 11_000],
    ["all at the recurring rate where another was the first", { first_charge_id: "chg_0" }, 12_000],
    ["a later sale earns at the recurring rate alone", { terms: { ...terms, continues: true } }, 12_000],
    ["what begins within the window", { window_until: at("2026-03-01") }, 5_000 + 1_000],
    ["nothing after the window", { window_until: at("2026-01-01") }, 0],
    ["less what was refunded", { refunded_cents: 60_000 }, 2_500 + 5_500],
    ["nothing of what was refunded", { refunded_cents: 120_000 }, 0],
    ["a flat amount for the first month", { terms: { ...terms, first: { flat_cents: 700, currency: "eur" } } }, 700 + 11_000],
    ["no flat amount of another currency", { terms: { ...terms, first: { flat_cents: 700, currency: "usd" } } }, 11_000],
    [
      "a flat amount once each",
      { terms: { ...terms, first: { flat_cents: 700, currency: "eur" }, recurring: { flat_cents: 90, currency: "eur" } } },
      790,
    ],
    [
      "no flat amount for months outside the window",
      { terms: { ...terms, recurring: { flat_cents: 90, currency: "eur" } }, window_until: at("2026-02-01") },
      5_000,
    ],
    [
      "a flat amount shrinks with a refund",
      { terms: { ...terms, recurring: { flat_cents: 90, currency: "eur" } }, first_charge_id: null, refunded_cents: 60_000 },
      45,
    ],
  ])("%s", (_, rest, cents) => {
    expect(earnedBy(year(rest), null)).toBe(cents);
  });
});

describe("what it would have earned on other terms", () => {
  test.each<[string, object, Partial<Alternative>, number]>([
    ["at the other rates", {}, {}, 2_000 + 5_500],
    ["for so many months from the first charge", {}, { months: 3 }, 2_000 + 1_000],
    ["without the old window", { window_until: at("2026-02-01") }, {}, 2_000 + 5_500],
    ["a window that was over by then", { first_charged_at: at("2025-01-01"), first_charge_id: "chg_0" }, { months: 12 }, 0],
    ["one that ends during it", { first_charged_at: at("2025-03-01"), first_charge_id: "chg_0" }, { months: 12 }, 1_000],
    ["without a first charge there is no window", { first_charged_at: null }, { months: 1 }, 2_000 + 5_500],
    [
      "a later sale keeps the window of the former",
      { terms: { ...terms, continues: true }, window_until: at("2026-02-01") },
      { months: 6 },
      500,
    ],
  ])("%s", (_, rest, alternative, cents) => {
    expect(earnedBy(year(rest), other(alternative))).toBe(cents);
  });

  test("on its own terms it earns what it earned", () => {
    const drawn = fc.record({
      bps: fc.nat(10_000),
      first: fc.nat(10_000),
      refunded_cents: fc.nat(120_000),
      months: fc.constantFrom(null, 1, 6, 24),
    });
    fc.assert(
      fc.property(drawn, ({ bps, first, refunded_cents, months }) => {
        const rates = { first: { bps: first }, recurring: { bps } };
        const windows = { 1: at("2026-02-01"), 6: at("2026-07-01"), 24: at("2028-01-01") } as const;
        const charge = year({
          terms: { ...terms, ...rates },
          refunded_cents,
          window_until: months === null ? null : windows[months],
        });
        expect(earnedBy(charge, { ...rates, months })).toBe(earnedBy(charge, null));
      }),
    );
  });
});
