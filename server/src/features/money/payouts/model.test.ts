import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../test/harness/refusal.ts";
import type { Due, Waiting } from "../commissions/index.ts";
import { blockersOf, checkTransition, dueSlot, laterOf, netOf, type PartnerState, STATUSES, statementNumber } from "./model.ts";

describe("the states of a payout", () => {
  const ALLOWED = {
    scheduled: ["paid", "failed", "cancelled"],
    processing: ["paid", "failed"],
    paid: [],
    failed: ["scheduled", "cancelled"],
    cancelled: [],
  };

  test.each(STATUSES)("one that is %s becomes what its state allows, and nothing else", (from) => {
    for (const to of ["scheduled", "paid", "failed", "cancelled"] as const) {
      const refusal = refusalOf(() => checkTransition(from, to));
      if (ALLOWED[from].some((state) => state === to)) expect(refusal).toBeNull();
      else {
        expect(refusal).toMatchObject({ code: "invalid_state_transition", meta: { from, to } });
        expect(new Set(refusal?.meta.allowed as string[])).toEqual(new Set(ALLOWED[from]));
      }
    }
  });

  test("a refusal says the way out of the state", () => {
    expect(refusalOf(() => checkTransition("paid", "failed"))?.message).toContain("payout_returned");
    expect(refusalOf(() => checkTransition("processing", "cancelled"))?.message).toContain("bank");
    expect(refusalOf(() => checkTransition("failed", "paid"))?.message).toContain("Try it again");
  });
});

test("the number of a statement has six digits at least", () => {
  expect([1, 42, 999_999, 1_000_000].map(statementNumber)).toEqual(["S-000001", "S-000042", "S-999999", "S-1000000"]);
});

describe("the slot that is due", () => {
  const at = (text: string) => new Date(`2026-${text}Z`);
  const due = (since: string, now: string) => dueSlot("0 6 15 * *", "UTC", at(since), at(now));

  test.each([
    ["01-01T00:00:00", "01-15T05:59:59", null],
    ["01-01T00:00:00", "01-15T06:00:00", "01-15T06:00:00"],
    ["01-15T06:00:00", "01-20T00:00:00", null],
    // Of several that were missed, the last one.
    ["01-01T00:00:00", "04-01T00:00:00", "03-15T06:00:00"],
  ])("since %s at %s: %s", (since, now, slot) => {
    expect(due(since, now)).toEqual(slot === null ? null : at(slot));
  });

  test("is none without a schedule", () => {
    expect(dueSlot(null, "UTC", at("01-01T00:00:00"), at("12-31T00:00:00"))).toBeNull();
  });
});

const PARTNER: PartnerState = {
  partner_id: "par_1",
  company: "Agency",
  status: "active",
  grade: "silver",
  payouts_held: false,
  hold_reason: null,
  currencies: ["eur"],
  method_kind: "sepa",
  minimums: {},
  statement_seq: 3,
};
const due = (gross_cents: number, rest: Partial<Due> = {}) =>
  ({ currency: "eur", count: 1, carry_in_cents: 0, gross_cents, adjustments_cents: 0, ...rest }) as Due;

test("the net amount is what was carried in, earned and adjusted", () => {
  expect(netOf(due(10_000, { carry_in_cents: -300, adjustments_cents: -20 }))).toBe(9_680);
});

describe("what blocks a payout", () => {
  const codes = (state: Partial<PartnerState>, of: Due | undefined, currency = "eur") =>
    blockersOf({ ...PARTNER, ...state }, currency, of).map(({ code }) => code);

  test.each<[string, Partial<PartnerState>, Due | undefined, string[]]>([
    ["nothing", {}, due(5_000), []],
    ["less than the minimum", {}, due(4_999), ["below_minimum"]],
    ["less than the partner's own minimum", { minimums: { eur: 10_000 } }, due(9_999), ["below_minimum"]],
    ["the minimum of another currency does not count", { minimums: { usd: 10_000 } }, due(5_000), []],
    ["nothing due", {}, undefined, ["nothing_approved"]],
    ["due amounts that cancel out", {}, due(100, { adjustments_cents: -100 }), ["nothing_approved"]],
    ["more taken back than earned", {}, due(100, { adjustments_cents: -101 }), ["negative_balance"]],
    ["a suspended partner", { status: "suspended" }, due(5_000), ["partner_suspended"]],
    ["held payouts", { payouts_held: true }, due(5_000), ["payouts_held"]],
    ["no method", { currencies: null }, due(5_000), ["no_payout_method"]],
    ["a method for other currencies", { currencies: ["usd", "gbp"] }, due(5_000), ["currency_not_supported"]],
    [
      "everything at once",
      { status: "suspended", payouts_held: true, currencies: null },
      due(1),
      ["partner_suspended", "payouts_held", "below_minimum", "no_payout_method"],
    ],
  ])("%s", (_, state, of, expected) => {
    expect(codes(state, of)).toEqual(expected);
  });

  test("each blocks, and says by how much", () => {
    expect(blockersOf(PARTNER, "eur", due(4_000))).toMatchObject([{ code: "below_minimum", blocks: true, amount_cents: 1_000 }]);
    expect(blockersOf(PARTNER, "eur", due(-250))).toMatchObject([{ code: "negative_balance", blocks: true, amount_cents: -250 }]);
    for (const { blocks } of blockersOf({ ...PARTNER, status: "suspended", currencies: null }, "eur", undefined))
      expect(blocks).toBe(true);
  });

  test("the reason of a hold is shown, if there is one", () => {
    const detail = (hold_reason: string | null) =>
      blockersOf({ ...PARTNER, payouts_held: true, hold_reason }, "eur", due(5_000))[0]?.detail;
    expect(detail("Audit of March")).toBe("The operator holds all payouts: Audit of March.");
    expect(detail(null)).toBe("The operator holds all payouts.");
  });
});

describe("what comes later", () => {
  const until = new Date("2026-05-01T00:00:00Z");
  const waiting = (rest: Partial<Waiting>) => ({ awaiting_cents: 0, in_hold_cents: 0, in_hold_until: null, ...rest }) as Waiting;

  test("nothing where nothing waits", () => {
    expect(laterOf(undefined, 0)).toEqual([]);
    expect(laterOf(waiting({ in_hold_until: until }), 0)).toEqual([]);
  });

  test("each amount informs and blocks nothing; a hold says when it ends", () => {
    const later = laterOf(waiting({ awaiting_cents: 100, in_hold_cents: 200, in_hold_until: until }), 300);
    expect(later.map(({ detail: _, ...rest }) => rest)).toEqual([
      { code: "awaiting_first_charge", blocks: false, amount_cents: 100 },
      { code: "in_hold", blocks: false, amount_cents: 200, until },
      { code: "held_commissions", blocks: false, amount_cents: 300 },
    ]);
    expect(laterOf(undefined, -5)).toMatchObject([{ code: "held_commissions", amount_cents: -5 }]);
  });
});
