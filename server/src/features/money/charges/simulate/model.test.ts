import { describe, expect, test } from "vitest";
import { type Alternative, earnedOn, type PastCharge } from "./model.ts";

const at = (text: string) => new Date(`${text}T00:00:00Z`);
const year = (rest: object = {}) =>
  ({
    id: "chg_1",
    amount_cents: 120_000,
    currency: "eur",
    months: 12,
    charged_at: at("2026-01-01"),
    refunded_cents: 0,
    terms: { continues: false },
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

const flat = (flat_cents: number, currency = "eur") => ({ flat_cents, currency });

describe("what a charge earns at rates", () => {
  const rates: Alternative = { first: { bps: 5_000 }, recurring: { bps: 1_000 }, months: null };
  test.each<[string, object, Partial<Alternative>, number]>([
    ["the first month at the first rate, the others at the recurring one", {}, {}, 5_000 + 11_000],
    ["all at the recurring rate where another was the first", { first_charge_id: "chg_0" }, {}, 12_000],
    ["a later sale earns at the recurring rate alone", { terms: { continues: true } }, {}, 12_000],
    ["what begins within the window", {}, { months: 2 }, 5_000 + 1_000],
    ["nothing after the window", { first_charged_at: at("2025-12-01") }, { months: 1 }, 0],
    ["less what was refunded", { refunded_cents: 60_000 }, {}, 2_500 + 5_500],
    ["nothing of what was refunded", { refunded_cents: 120_000 }, {}, 0],
    ["a flat amount for the first month", {}, { first: flat(700) }, 700 + 11_000],
    ["no flat amount of another currency", {}, { first: flat(700, "usd") }, 11_000],
    ["a flat amount once each", {}, { first: flat(700), recurring: flat(90) }, 790],
    ["no flat amount for months outside the window", {}, { recurring: flat(90), months: 1 }, 5_000],
    ["a flat amount shrinks with a refund", { first_charge_id: null, refunded_cents: 60_000 }, { recurring: flat(90) }, 45],
  ])("%s", (_, rest, alternative, cents) => {
    expect(earnedOn(year(rest), { ...rates, ...alternative })).toBe(cents);
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
      { terms: { continues: true }, window_until: at("2026-02-01") },
      { months: 6 },
      500,
    ],
  ])("%s", (_, rest, alternative, cents) => {
    expect(earnedOn(year(rest), other(alternative))).toBe(cents);
  });
});
