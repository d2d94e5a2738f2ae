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

test.each([
  ["ab", "ba", true],
  ["listing", "list", false],
  ["lists", "list", true],
  ["xlist", "list", true],
  ["lixt", "list", true],
  ["lxxt", "list", false],
  ["tsil", "list", false],
  ["lits", "list", true],
  ["reovke", "revoke", true],
  ["rveoek", "revoke", true],
  ["evoker", "revoke", true],
  ["rxvxke", "revoke", true],
  ["rxvxkx", "revoke", false],
  ["abcdef", "badcfe", false],
  ["a", "b", true],
  ["ab", "cd", false],
])("%s may stand for %s: %s", (typed, word, near) => {
  expect(didYouMean(typed, [word])).toBe(near ? ` Did you mean ${word}?` : "");
});

test("the nearest word is suggested, wherever it stands", () => {
  expect(didYouMean("rotat", ["rotates", "rotate", "rota"])).toBe(" Did you mean rotate?");
  expect(didYouMean("clients", ["client_id", "clients_x", "clientss"])).toBe(" Did you mean clientss?");
});

test("nothing, and nothing that long, is a typo", () => {
  expect(didYouMean("", ["a", "list"])).toBe("");
  expect(didYouMean("x".repeat(60), ["x".repeat(60)])).not.toBe("");
  expect(didYouMean("x".repeat(61), ["x".repeat(61)])).toBe("");
});
