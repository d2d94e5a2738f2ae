import fc from "fast-check";
import { expect, test } from "vitest";
import { CENTS_MAX, decimalOf, fractionOf, isCurrency, minorDigits, shareDown, shareOf } from "./money.ts";

test.each([
  ["usd", true],
  ["eur", true],
  ["chf", true],
  ["USD", false],
  ["us", false],
  ["zzz", false],
  ["", false],
])("%j is a currency: %j", (code, expected) => {
  expect(isCurrency(code)).toBe(expected);
});

test("the largest amount is exact as a JSON number, and the next is not", () => {
  expect(JSON.parse(String(CENTS_MAX))).toBe(CENTS_MAX);
  expect(CENTS_MAX + 1).toBe(CENTS_MAX + 2);
});

test.each([
  [123_450, "usd", "1234.50"],
  [-5, "eur", "-0.05"],
  [0, "eur", "0.00"],
  [123_450, "jpy", "123450"],
  [-1, "jpy", "-1"],
  [49_900, "huf", "499.00"],
  [1_234, "kwd", "1.234"],
  [CENTS_MAX, "usd", "90071992547409.91"],
])("%j %s is %s", (amount_cents, currency, decimal) => {
  expect(decimalOf(amount_cents, currency)).toBe(decimal);
});

test("every currency that is listed with another minor unit than a hundredth exists", () => {
  const unusual = Intl.supportedValuesOf("currency").filter((code) => minorDigits(code.toLowerCase()) !== 2);
  expect(unusual).toHaveLength(23);
});

/** Every share of 0.01 % to 100 %. */
const SHARES = Array.from({ length: 10_000 }, (_, index) => index + 1);

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

test("every half of a cent, at every share from 0.01 % to 100 %, is rounded away from zero", () => {
  let halves = 0;
  const wrong: number[][] = [];
  for (const bps of SHARES) {
    // base × bps = 10000 × q + 5000 has a solution where the greatest common divisor of the share and 10000 divides 5000.
    const common = gcd(bps, 10_000);
    if (5_000 % common !== 0) continue;
    const period = 10_000 / common;
    let base = 0;
    while ((base * bps) % 10_000 !== 5_000) base += 1;
    for (const half of [base, base + period, base + 7 * period]) {
      const floor = (half * bps - 5_000) / 10_000;
      if (shareOf(half, bps) !== floor + 1 || shareOf(-half, bps) !== -floor - 1) wrong.push([bps, half]);
      halves += 1;
    }
  }
  expect(wrong).toEqual([]);
  expect(halves).toBeGreaterThan(20_000);
});

test("a share is the nearest integer, and of two the one away from zero, up to the largest amount", () => {
  const amount = fc.oneof(fc.integer({ min: -10_000, max: 10_000 }), fc.maxSafeInteger());
  fc.assert(
    fc.property(amount, fc.integer({ min: 1, max: 10_000 }), (base, bps) => {
      const exact = BigInt(base) * BigInt(bps);
      const twice_off = 2n * (BigInt(shareOf(base, bps)) * 10_000n - exact) * (base < 0 ? -1n : 1n);
      return twice_off > -10_000n && twice_off <= 10_000n;
    }),
  );
});

test("all of an amount is the amount, and none of it is nothing", () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.integer({ min: 1 }), (amount, whole) => {
      expect(fractionOf(amount, whole, whole)).toBe(amount);
      expect(Math.abs(fractionOf(amount, 0, whole))).toBe(0);
      expect(shareOf(amount, 10_000)).toBe(amount);
    }),
  );
});

test("a share of a price and the rest are the price, and the share is never more than it is exactly", () => {
  fc.assert(
    fc.property(fc.nat({ max: Number.MAX_SAFE_INTEGER }), fc.nat({ max: 10_000 }), (price, bps) => {
      const over = BigInt(price) * BigInt(bps) - BigInt(shareDown(price, bps)) * 10_000n;
      return over >= 0n && over < 10_000n;
    }),
  );
  expect([shareDown(19_900, 8000), shareDown(101, 8000), shareDown(1, 9999)]).toEqual([15_920, 80, 0]);
});
