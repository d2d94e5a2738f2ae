import { expect, test } from "vitest";
import { didYouMean } from "./suggest.ts";

const KNOWN = ["create", "list", "revoke", "rotate"];

test.each([
  ["crate", "create"],
  ["lsit", "list"],
  ["revok", "revoke"],
  ["ROTATE", "rotate"],
  ["cr", "create"],
])("%s suggests %s", (typed, expected) => {
  expect(didYouMean(typed, KNOWN)).toBe(` Did you mean ${expected}?`);
});

test("without a similar word there is no suggestion", () => {
  expect(didYouMean("zebra", KNOWN)).toBe("");
  expect(didYouMean("create", [])).toBe("");
});
