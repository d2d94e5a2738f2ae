import { expect, test } from "vitest";
import { didYouMean } from "./suggest.ts";

const KNOWN = ["create", "list", "revoke", "rotate"];

test.each([
  ["crate", "create"],
  ["lsit", "list"],
  ["revok", "revoke"],
  ["ROTATE", "rotate"],
  ["cr", "create"],
])("%s was probably %s", (given, meant) => {
  expect(didYouMean(given, KNOWN)).toBe(` Did you mean ${meant}?`);
});

test("nothing near is nothing said", () => {
  expect(didYouMean("zebra", KNOWN)).toBe("");
  expect(didYouMean("create", [])).toBe("");
});
