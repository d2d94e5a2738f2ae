import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CENTS_MAX, shareOf } from "../../../kernel/money.ts";
import {
  accountOf,
  addDays,
  addMonths,
  amountAt,
  type Commission,
  coverageOf,
  isClaimed,
  isReversed,
  isVoided,
  keptAfter,
  type Level,
  ruleLabel,
  type Settled,
  STATUSES,
  sharesOf,
  sourceOf,
  statusBeside,
  totalOf,
  VOID_REASONS,
} from "./model.ts";

const rule = { id: "rul_1", version: 3, name: "Silver" };
const bps = fc.integer({ min: 0, max: 10_000 });
const cents = fc.oneof(fc.nat(200), fc.nat(10_000_000), fc.nat(CENTS_MAX));

const upline = fc
  .array(bps, { maxLength: 3 })
  .map((rates) =>
    rates.map((rate, index): Level => ({ level: index + 1, partner_id: `p${index}`, via: "p", bps: rate, open: true })),
  );

const times = (text: string) => new Date(`${text}Z`);

describe("shares", () => {
  const drawn = fc.record({ base: cents, rate: bps, cap_bps: bps, upline });

  test("the seller is never cut, and together they stay within the cap unless the seller alone is above it", () => {
    fc.assert(
      fc.property(drawn, ({ base, rate, cap_bps, upline: levels }) => {
        const [direct, ...above] = sharesOf(base, "usd", { bps: rate }, rule, { cap_bps, upline: levels });
        expect(direct?.amount_cents).toBe(shareOf(base, rate));
        const total = above.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
        expect(total).toBeLessThanOrEqual(Math.max(shareOf(base, cap_bps) - shareOf(base, rate), 0));
      }),
    );
  });

  test("the farthest is cut first: who is below one that earns anything has all of its share", () => {
    fc.assert(
      fc.property(drawn, ({ base, rate, cap_bps, upline: levels }) => {
        const [, ...above] = sharesOf(base, "usd", { bps: rate }, rule, { cap_bps, upline: levels });
        const room = Math.max(shareOf(base, cap_bps) - shareOf(base, rate), 0);
        const full = levels.map((level) => shareOf(base, level.bps));
        const last = above.findLastIndex(({ amount_cents }) => amount_cents > 0);
        for (const [index, { amount_cents }] of above.entries()) {
          if (index < last) expect(amount_cents).toBe(full[index]);
          const before = above.slice(0, index).reduce((sum, one) => sum + one.amount_cents, 0);
          expect(amount_cents).toBe(Math.min(full[index] ?? 0, room - before));
          expect(above[index]?.steps.some(({ step }) => step === "cap")).toBe(amount_cents < (full[index] ?? 0));
        }
      }),
    );
  });

  test("the last step of a calculation is the amount", () => {
    fc.assert(
      fc.property(drawn, ({ base, rate, cap_bps, upline: levels }) => {
        for (const { amount_cents, steps } of sharesOf(base, "usd", { bps: rate }, rule, { cap_bps, upline: levels }))
          expect(steps.at(-1)?.result).toBe(amount_cents);
      }),
    );
  });

  test("without a rule nobody earns", () => {
    expect(sharesOf(50_000, "usd", { bps: 1000 }, null, { cap_bps: 5000, upline: [] })).toEqual([]);
  });

  test("a flat amount applies in its own currency, and to something that was paid", () => {
    const flat = { flat_cents: 2500, currency: "eur" };
    expect(amountAt(flat, 100_000, "eur")).toBe(2500);
    expect(amountAt(flat, 1, "eur")).toBe(2500);
    expect(amountAt(flat, 100_000, "usd")).toBe(0);
    expect(amountAt(flat, 0, "eur")).toBe(0);
  });
});

describe("how a share is calculated", () => {
  const above: Level = { level: 2, partner_id: "p2", via: "p1", bps: 2_000, open: true };

  test("by its rate of the base, under the name of the rule; what the cap cuts is a step of its own", () => {
    const [direct, override] = sharesOf(10_000, "usd", { bps: 1_000 }, rule, { cap_bps: 1_500, upline: [above] });
    expect(direct).toEqual({
      level: null,
      amount_cents: 1_000,
      rate_bps: 1_000,
      steps: [{ step: "rate", input: { base_cents: 10_000, bps: 1_000 }, rule: "Silver, version 3", result: 1_000 }],
    });
    expect(override).toEqual({
      level: above,
      amount_cents: 500,
      rate_bps: 2_000,
      steps: [
        { step: "rate", input: { base_cents: 10_000, bps: 2_000 }, rule: "override of level 2", result: 2_000 },
        { step: "cap", input: { cap_bps: 1_500, cap_cents: 1_500, full_cents: 2_000 }, rule: "total_cap_bps", result: 500 },
      ],
    });
  });

  test("a flat amount has no rate", () => {
    const [direct] = sharesOf(10_000, "usd", { flat_cents: 700, currency: "usd" }, rule, { cap_bps: 1_500, upline: [] });
    const input = { base_cents: 10_000, flat_cents: 700, currency: "usd" };
    expect(direct).toMatchObject({ amount_cents: 700, rate_bps: 0, steps: [{ input, result: 700 }] });
  });

  test("a rule is named with its version", () => {
    expect(ruleLabel(rule)).toBe("Silver, version 3");
  });
});

describe("where a commission stands", () => {
  const row = (rest: Partial<Commission>) => rest as Commission;

  test("the accounts are those of the statuses; what is paid is cash", () => {
    const statuses = STATUSES.filter((status) => status !== "void");
    expect(statuses.map(accountOf)).toEqual(["pending", "held", "approved", "scheduled", "cash"]);
  });

  test("a root comes from the expense, unless its reason says otherwise", () => {
    const reasons = ["write_off", "payout_returned", "goodwill", null];
    expect(reasons.map((reason_code) => sourceOf({ reason_code }))).toEqual(["written_off", "cash", "expense", "expense"]);
  });

  test("a row stands beside its root, or where the next payout takes it", () => {
    expect(STATUSES.map((status) => statusBeside(row({ status })))).toEqual([
      "pending",
      "held",
      "approved",
      "approved",
      "approved",
      "approved",
    ]);
  });

  test("a payout has claimed what is scheduled or paid", () => {
    expect(STATUSES.filter((status) => isClaimed({ status }))).toEqual(["scheduled", "paid"]);
  });

  test("a group is the sum of its rows; it is reversed by a row of its root, voided if the operator did that", () => {
    const root = row({ id: "com_1", cause: "win:deal_1:1:0", amount_cents: 100, reason_code: "fraud" });
    const group = (...rows: Partial<Commission>[]) => ({ root, rows: [root, ...rows.map(row)] });
    const reversal = { cause: "reverse:com_1", amount_cents: -100 };
    expect([totalOf(group()), totalOf(group({ amount_cents: 20 }, { amount_cents: -30 }))]).toEqual([100, 90]);
    expect(isReversed(group({ cause: "refund:com_1" }, { cause: "reverse:com_2" }))).toBe(false);
    expect(isReversed(group({ cause: "refund:com_1" }, reversal))).toBe(true);
    for (const reason_code of VOID_REASONS) expect(isVoided(group({ ...reversal, reason_code }))).toBe(true);
    expect(isVoided(group({ ...reversal, reason_code: "deal_reopened" }))).toBe(false);
    expect(isVoided(group({ cause: "reverse:com_2", reason_code: "fraud" }))).toBe(false);
  });
});

describe("refunds", () => {
  /** A root as its charge left it: a share, a share cut by the cap, or a flat amount. */
  const settled = fc
    .record({ base_cents: cents, rate_bps: bps, cut: fc.nat(2), flat_cents: fc.nat(1_000_000) })
    .map(({ base_cents, rate_bps, cut, flat_cents }): Settled => {
      const full = shareOf(base_cents, rate_bps);
      if (cut === 0) return { base_cents, rate_bps, amount_cents: full };
      if (cut === 1) return { base_cents, rate_bps, amount_cents: Math.trunc(full / 2) };
      return { base_cents, rate_bps: 0, amount_cents: flat_cents };
    });
  const pieces = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 12 });

  test("in any pieces, what is kept falls step by step to nothing, and the rows sum to it", () => {
    fc.assert(
      fc.property(settled, pieces, fc.nat(10), (root, parts, months) => {
        const charge = parts.reduce((sum, part) => sum + part, 0);
        // The base is the share of the charge that counts, as coverageOf says.
        const of_charge = { ...root, base_cents: Math.min(root.base_cents, Math.round(charge / (months + 1))) };
        const whole = root.rate_bps > 0 && root.amount_cents === shareOf(root.base_cents, root.rate_bps);
        if (whole) of_charge.amount_cents = shareOf(of_charge.base_cents, root.rate_bps);
        let earned = of_charge.amount_cents;
        let refunded = 0;
        for (const part of parts) {
          refunded += part;
          const kept = keptAfter(of_charge, refunded, charge);
          expect(kept).toBeGreaterThanOrEqual(0);
          expect(kept - earned).toBeLessThanOrEqual(0);
          earned += kept - earned;
        }
        expect(Math.abs(earned)).toBe(0);
      }),
    );
  });

  test("nothing refunded is everything kept, and the pieces do not matter", () => {
    fc.assert(
      fc.property(settled, fc.integer({ min: 1, max: CENTS_MAX }), (root, charge) => {
        expect(keptAfter(root, 0, charge)).toBe(root.amount_cents);
        expect(Math.abs(keptAfter(root, charge, charge))).toBe(0);
      }),
    );
  });

  test("a share of what is left is what a charge of only that would have earned", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), fc.nat(10_000_000), bps, (charge, refund, rate) => {
        const refunded = Math.min(refund, charge);
        const root = { base_cents: charge, rate_bps: rate, amount_cents: shareOf(charge, rate) };
        expect(keptAfter(root, refunded, charge)).toBe(shareOf(charge - refunded, rate));
      }),
    );
  });
});

describe("months", () => {
  test.each([
    ["2026-01-31T10:00:00.000", 1, "2026-02-28T10:00:00.000"],
    ["2024-01-31T10:00:00.000", 1, "2024-02-29T10:00:00.000"],
    ["2026-01-31T10:00:00.000", 2, "2026-03-31T10:00:00.000"],
    ["2026-03-31T23:59:59.999", 1, "2026-04-30T23:59:59.999"],
    ["2024-02-29T00:00:00.000", 12, "2025-02-28T00:00:00.000"],
    ["2024-02-29T00:00:00.000", 48, "2028-02-29T00:00:00.000"],
    ["2026-12-31T00:00:00.000", 2, "2027-02-28T00:00:00.000"],
    ["2026-11-30T00:00:00.000", 0, "2026-11-30T00:00:00.000"],
  ])("%s and %i months are %s", (from, months, to) => {
    expect(addMonths(times(from), months)).toEqual(times(to));
  });

  test("more months are later, by no more than 31 days each, and the time of day stays", () => {
    const time = fc.date({ min: times("2000-01-01T00:00:00"), max: times("2100-01-01T00:00:00"), noInvalidDate: true });
    fc.assert(
      fc.property(time, fc.nat(240), (from, months) => {
        const [one, next] = [addMonths(from, months), addMonths(from, months + 1)];
        const days = (next.getTime() - one.getTime()) / 86_400_000;
        expect(Number.isInteger(days) && days >= 28 && days <= 31).toBe(true);
        expect((next.getUTCFullYear() - from.getUTCFullYear()) * 12 + next.getUTCMonth() - from.getUTCMonth()).toBe(months + 1);
      }),
    );
  });
});

test("days are of 24 hours", () => {
  expect(addDays(times("2026-03-28T12:00:00"), 30)).toEqual(times("2026-04-27T12:00:00"));
});

describe("the months of a charge", () => {
  const year = { amount_cents: 120_000, months: 12, charged_at: times("2026-01-31T00:00:00") };

  test.each([
    [null, true, { counting: 12, first_cents: 10_000, recurring_cents: 110_000 }],
    [null, false, { counting: 12, first_cents: 0, recurring_cents: 120_000 }],
    // The second month begins on 28 February: at that moment the window is over.
    [times("2026-02-28T00:00:00"), true, { counting: 1, first_cents: 10_000, recurring_cents: 0 }],
    [times("2026-02-28T00:00:00.001"), true, { counting: 2, first_cents: 10_000, recurring_cents: 10_000 }],
    [times("2026-01-31T00:00:00"), false, { counting: 0, first_cents: 0, recurring_cents: 0 }],
    [times("2026-01-31T00:00:00"), true, { counting: 0, first_cents: 0, recurring_cents: 0 }],
    [times("2027-01-31T00:00:00"), false, { counting: 12, first_cents: 0, recurring_cents: 120_000 }],
  ])("within %s, first %s", (window_until, first, expected) => {
    expect(coverageOf(year, window_until, first)).toEqual(expected);
  });

  test("all months of a charge together are the charge, and no part is negative", () => {
    fc.assert(
      fc.property(cents, fc.integer({ min: 1, max: 120 }), fc.nat(130), fc.boolean(), (amount_cents, months, open, first) => {
        const charge = { amount_cents, months, charged_at: year.charged_at };
        const { counting, first_cents, recurring_cents } = coverageOf(charge, addMonths(year.charged_at, open), first);
        expect(counting).toBe(Math.min(open, months));
        expect(first_cents).toBeGreaterThanOrEqual(0);
        expect(recurring_cents).toBeGreaterThanOrEqual(0);
        if (counting === months) expect(first_cents + recurring_cents).toBe(amount_cents);
      }),
    );
  });
});
