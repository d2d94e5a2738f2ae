import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ATTEMPT_STATES,
  chargedCents,
  lostCents,
  mayStillSucceed,
  receiptNumber,
  refundableCents,
  statusOfPayment,
} from "./model.ts";

const PAYMENT = { amount_cents: 1_000, tip_cents: 50, refunded_cents: 0, refunding_cents: 0 };
const dispute = (status: "open" | "won" | "lost", amount_cents = 1_000) => ({ status, amount_cents });

test("an attempt may succeed until it is decided", () => {
  expect(ATTEMPT_STATES.filter(mayStillSucceed)).toEqual(["created", "pending", "processing", "expiring"]);
});

test("what can be refunded is what was paid with the tip, without what is refunded or being refunded", () => {
  expect(refundableCents(PAYMENT)).toBe(1_050);
  expect(refundableCents({ ...PAYMENT, refunded_cents: 300, refunding_cents: 50 })).toBe(700);
});

describe("the status of a payment", () => {
  test.each([
    ["succeeded", { disputes: [] }],
    ["succeeded", { disputes: [dispute("won")] }],
    ["partially_refunded", { refunded_cents: 1_000, disputes: [] }],
    ["refunded", { refunded_cents: 1_050, disputes: [dispute("won")] }],
    ["lost", { refunded_cents: 1_050, disputes: [dispute("won"), dispute("lost")] }],
    ["disputed", { refunded_cents: 1, disputes: [dispute("lost"), dispute("open")] }],
  ])("is %s with %j", (status, fields) => {
    expect(statusOfPayment({ ...PAYMENT, ...fields })).toBe(status);
  });
});

describe("what a payment charges", () => {
  test("is its amount without the tax of the items", () => {
    expect(chargedCents({ total_cents: 1_190, paid_cents: 1_190, line_items: [{ tax_cents: 190 }, {}] }, 1_190)).toBe(1_000);
    expect(chargedCents({ total_cents: 1_190, paid_cents: 1_190, line_items: null }, 1_190)).toBe(1_190);
  });

  test("is a share, and the shares of all payments are exact together", () => {
    const part = fc.integer({ min: 1, max: 700 });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), fc.nat(1_000), (parts, permille) => {
        const total_cents = parts.reduce((sum, cents) => sum + cents, 0);
        const tax_cents = Math.floor((total_cents * permille) / 1_000);
        let paid_cents = 0;
        let charged = 0;
        for (const cents of parts) {
          paid_cents += cents;
          charged += chargedCents({ total_cents, paid_cents, line_items: [{ tax_cents }] }, cents);
        }
        expect(charged).toBe(total_cents - tax_cents);
      }),
    );
  });
});

describe("what is taken off a charge", () => {
  const paid = { amount_cents: 1_000, refunded_cents: 0, disputes: [], charge: { amount_cents: 500 } };

  test.each([
    ["is the share of what was refunded", { refunded_cents: 200 }, 100],
    ["is the share of what was lost", { disputes: [dispute("lost", 400)] }, 200],
    ["is the share of both", { refunded_cents: 200, disputes: [dispute("lost", 400)] }, 300],
    ["is not what is disputed or was won", { disputes: [dispute("open"), dispute("won")] }, 0],
    ["is never more than the charge, whatever of the tip was refunded", { refunded_cents: 1_050 }, 500],
    ["is nothing where nothing was charged", { refunded_cents: 200, charge: null }, 0],
  ])("%s", (_, fields, cents) => {
    expect(lostCents({ ...paid, ...fields })).toBe(cents);
  });
});

test("the number of a receipt has six digits or more, and says whether it is of a test", () => {
  expect([receiptNumber(true, 118), receiptNumber(false, 1), receiptNumber(true, 1_234_567)]).toEqual([
    "R-000118",
    "TEST-000001",
    "R-1234567",
  ]);
});
