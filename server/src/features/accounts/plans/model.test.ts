import { expect, test } from "vitest";
import { refusalOf } from "../../../../test/harness/refusal.ts";
import { checkPrices } from "./model.ts";

test("prices are in currencies, each of the others is refused", () => {
  expect(refusalOf(() => checkPrices({}))).toBeNull();
  expect(refusalOf(() => checkPrices({ usd: 100, jpy: 0 }))).toBeNull();
  expect(refusalOf(() => checkPrices({ usd: 100, USD: 100, xyz: 1 }))).toMatchObject({
    code: "validation_failed",
    faults: ["#/prices/USD unknown_currency", "#/prices/xyz unknown_currency"],
  });
});
