import fc from "fast-check";
import { expect, test } from "vitest";
import { applyRefund, type Charge, type NewCharge, type NewRefund, type Refund, sameCharge, sameRefund } from "./model.ts";

const at = new Date("2026-05-01T10:00:00Z");
const later = new Date("2026-05-01T10:00:00.001Z");
const REPORTED: NewCharge = {
  external_id: "in_1",
  amount_cents: 5_000,
  currency: "eur",
  charged_at: at,
  months: 1,
  plan: "Growth",
};
const CHARGE = { ...REPORTED, id: "chg_1", client_id: "cli_1", refunded_cents: 0 } as unknown as Charge;

test("a report is of the same charge if nothing of it differs", () => {
  expect(sameCharge(CHARGE, "cli_1", { ...REPORTED, charged_at: new Date(at) })).toBe(true);
  expect(sameCharge(CHARGE, "cli_2", REPORTED)).toBe(false);
  const others: Partial<NewCharge>[] = [
    { amount_cents: 5_001 },
    { currency: "usd" },
    { months: 2 },
    { plan: null },
    { charged_at: later },
  ];
  for (const other of others) expect(sameCharge(CHARGE, "cli_1", { ...REPORTED, ...other }), JSON.stringify(other)).toBe(false);
});

const REFUND = {
  id: "ref_1",
  client_id: "cli_1",
  charge_external_id: "in_1",
  amount_cents: 700,
  refunded_at: at,
} as unknown as Refund;

test("a report is of the same refund if nothing of it differs; the time may be left out", () => {
  const reported: NewRefund = { external_id: "re_1", amount_cents: 700, reason: null, refunded_at: new Date(at) };
  expect(sameRefund(REFUND, "cli_1", "in_1", reported)).toBe(true);
  expect(sameRefund(REFUND, "cli_1", "in_1", { ...reported, refunded_at: null })).toBe(true);
  expect(sameRefund(REFUND, "cli_1", "in_1", { ...reported, refunded_at: later })).toBe(false);
  expect(sameRefund(REFUND, "cli_1", "in_1", { ...reported, amount_cents: 701 })).toBe(false);
  expect(sameRefund(REFUND, "cli_2", "in_1", reported)).toBe(false);
  expect(sameRefund(REFUND, "cli_1", "in_2", reported)).toBe(false);
});

test.each([
  [0, 4_999, 4_999, "applied"],
  [0, 5_000, 5_000, "applied"],
  [0, 5_001, 5_000, "excess"],
  [4_000, 1_000, 1_000, "applied"],
  [4_000, 1_001, 1_000, "excess"],
  [5_000, 1, 0, "excess"],
])("of a charge with %i refunded, %i takes %i: %s", (refunded_cents, amount_cents, applied_cents, status) => {
  const applied = applyRefund({ ...CHARGE, refunded_cents }, { ...REFUND, amount_cents });
  expect(applied).toEqual({ ...REFUND, amount_cents, charge_id: "chg_1", applied_cents, status });
});

test("however it is refunded, a charge gives back what was paid and no more", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 3_000 }), { maxLength: 10 }), (amounts) => {
      let charge = CHARGE;
      for (const amount_cents of amounts) {
        const { applied_cents } = applyRefund(charge, { ...REFUND, amount_cents });
        charge = { ...charge, refunded_cents: charge.refunded_cents + applied_cents };
      }
      const asked = amounts.reduce((sum, amount) => sum + amount, 0);
      expect(charge.refunded_cents).toBe(Math.min(asked, CHARGE.amount_cents));
    }),
  );
});
