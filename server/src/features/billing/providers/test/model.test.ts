import { expect, test } from "vitest";
import { TEST_CARDS, testCard } from "./model.ts";

test("each test card does what is written of it, with or without spaces", () => {
  expect(Object.keys(TEST_CARDS).map((number) => testCard(number))).toEqual([
    { becomes: "succeeded", last4: "4242" },
    { becomes: "failed", last4: "0002" },
    { becomes: "confirming", last4: "3220" },
    { becomes: "processing", later: "succeeded", last4: "0077" },
    { becomes: "processing", later: "failed", last4: "0341" },
    { becomes: "succeeded", disputed: true, last4: "0259" },
  ]);
  expect(testCard("4242 4242-4242 4242")).toEqual({ becomes: "succeeded", last4: "4242" });
});

test("no other card is one, nor a name that every object has", () => {
  for (const number of ["4111111111111111", "", "constructor", "4242424242424242x"]) expect(testCard(number)).toBeNull();
});
