import { describe, expect, test } from "vitest";
import { disputeStatus, fromStripe, toStripe } from "./model.ts";

describe("an amount at Stripe", () => {
  test.each([
    ["usd", 1_050, 1_050],
    ["jpy", 1_050, 1_050],
    ["huf", 1_050, 1_050],
    ["isk", 1_050, 105_000],
    ["ugx", 1_050, 105_000],
    ["mga", 1_000, 10],
    ["kwd", 1_050, 1_050],
  ])("%s %d is %d, and back", (currency, cents, amount) => {
    expect(toStripe(cents, currency)).toBe(amount);
    expect(fromStripe(amount, currency)).toBe(cents);
  });

  test.each([
    ["kwd", 1_055],
    ["bhd", 1],
    ["mga", 1_050],
  ])("%s %d cannot be exact", (currency, cents) => {
    expect(toStripe(cents, currency)).toBeNull();
  });
});

test("a dispute is open until it is won or lost", () => {
  expect(["needs_response", "under_review", "warning_under_review", "new_one"].map(disputeStatus)).toEqual(Array(4).fill("open"));
  expect(["won", "warning_closed", "lost"].map(disputeStatus)).toEqual(["won", "won", "lost"]);
});
