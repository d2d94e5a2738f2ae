import { expect, test } from "vitest";
import { CENTS_MAX, isCurrency } from "./money.ts";

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
