import { expect, test } from "vitest";
import { placeholdersIn, readPlaceholder } from "./placeholders.ts";

test.each([
  ["contact.name", "contact.name", null],
  [" contact.name ", "contact.name", null],
  [" contact.name | my friend ", "contact.name", "my friend"],
  ["a|", "a", ""],
  ["a|b|c", "a", "b|c"],
  ["|x", "", "x"],
  ["", "", null],
])("{{%s}} is %s with the default %s", (inner, name, otherwise) => {
  expect(readPlaceholder(inner)).toEqual({ name, otherwise });
});

test("a text has the names of its placeholders in their order, null for one that does not end", () => {
  expect(placeholdersIn("{{a}} and {{ b | c }}{{a}}")).toEqual(["a", "b", "a"]);
  expect(placeholdersIn("{{a} {{b}} {{")).toEqual([null, "b", null]);
  expect(placeholdersIn("{ {a} } }}")).toEqual([]);
});
