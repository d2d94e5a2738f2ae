import { expect, test } from "vitest";
import { passwordFault } from "./password.model.ts";

const EMAIL = "Nora.Lindqvist@northwind.example";

test.each([
  ["too short", "short-pas"],
  ["too short, though long in UTF-16", "😀".repeat(9)],
  ["too long", "a long one ".repeat(20)],
  ["the address", "nora.lindqvist@NORTHWIND.example"],
  ["the account in the address", " nora.lindqvist "],
  ["common", "Password123"],
  ["common, in full width", "ｐａｓｓｗｏｒｄ１２３"],
  ["one key held down", "aaaaaaaaaaaaaa"],
  ["three keys in turn", "abcabcabcabc"],
])("a password that is %s is refused", (_why, password) => {
  expect(passwordFault(password, EMAIL)).toMatch(/\.$/);
});

test.each(["correct horse battery", "Grüße aus Köln", "0123456789x!", `${"x".repeat(197)}abc`])("%s is accepted", (password) => {
  expect(passwordFault(password, EMAIL)).toBeNull();
});
