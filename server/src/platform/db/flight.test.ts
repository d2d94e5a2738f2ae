import { expect, test } from "vitest";
import { valueText } from "./flight.ts";

test("arrays of ids and numbers are written as they are, and others as the driver does", () => {
  expect(valueText(["cli_1", "", "null", "a b,{c}"])).toBe('{"cli_1","","null","a b,{c}"}');
  expect(valueText([1, -2.5, 1e21, true, null, undefined])).toBe("{1,-2.5,1e+21,true,NULL,NULL}");
  expect(valueText([])).toBe("{}");
  expect(valueText(['say "no"', "a\\b"])).toBe('{"say \\"no\\"","a\\\\b"}');
  expect(valueText([Buffer.of(1, 255), null])).toBe("{\\\\x01ff,NULL}");
  expect(valueText([["a"], ["b"]])).toBe('{{"a"},{"b"}}');
  expect(valueText("text")).toBe("text");
  expect(valueText(null)).toBe(null);
});
