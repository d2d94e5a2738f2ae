import { expect, test } from "vitest";
import { linesOf } from "./steps.ts";

const said = (calculation: Parameters<typeof linesOf>[0]["calculation"]) =>
  linesOf({ calculation, currency: "usd" }).map(({ name, why, result }) => [name, why, result]);

test("a charge, its rate and what the first charge settles are said in figures", () => {
  expect(
    said([
      { step: "base", input: { charge_cents: 44_955, months: 1, counting_months: 1 }, rule: null, result: 44_955 },
      { step: "rate", input: { base_cents: 44_955, bps: 1500 }, rule: "Silver, version 1", result: 6743 },
      { step: "settlement", input: { due_cents: 6743, accrued_cents: 7493 }, rule: null, result: -750 },
    ]),
  ).toEqual([
    ["Base", "Charge of $449.55 for 1 month; 1 of 1 counts.", "$449.55"],
    ["Rate", "15% of $449.55, by the rule Silver, version 1.", "$67.43"],
    ["Settle", "The first charge earns $67.43; $74.93 was recorded at the win.", "−$7.50"],
  ]);
});

test("a refund says what is kept, an override its level, an adjustment its reference", () => {
  expect(
    said([
      { step: "refund", input: { base_cents: 49_950, refunded_cents: 16_650, charge_cents: 49_950 }, rule: null, result: 4995 },
      { step: "difference", input: { kept_cents: 4995, earned_cents: 7493 }, rule: null, result: -2498 },
      { step: "rate", input: { base_cents: 49_950, bps: 300 }, rule: "override of level 1", result: 1499 },
      { step: "adjustment", input: { reference: "Q4", description: "Bonus for the quarter." }, rule: null, result: 5000 },
    ]),
  ).toEqual([
    ["Refund", "$166.50 of the charge of $499.50 was refunded so far. What is left earns this much.", "$49.95"],
    ["Difference", "You keep $49.95 of $74.93.", "−$24.98"],
    ["Rate", "3% of $499.50, as override of level 1.", "$14.99"],
    ["Adjustment", "Bonus for the quarter. Made by the operator, reference Q4.", "$50.00"],
  ]);
});

test("a step of a later version of the service is shown as it is", () => {
  expect(linesOf({ calculation: [{ step: "tax", input: { bps: 100 }, rule: "law", result: 5 }], currency: "usd" })).toEqual([
    { name: "tax", why: "law", formula: '{"bps":100}', result: "$0.05" },
  ]);
});
