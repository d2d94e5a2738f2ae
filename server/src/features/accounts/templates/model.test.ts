import { expect, test } from "vitest";
import { customKeysOf, faultsOf, renderText } from "./model.ts";

test.each([
  ["Hi {{contact.name}}", { "contact.name": "Ada" }, "Hi Ada", []],
  ["Hi {{ contact.name }}", { "contact.name": "Ada" }, "Hi Ada", []],
  ["Hi {{contact.name|there}}", {}, "Hi there", []],
  ["Hi {{contact.name | my friend }}", { "contact.name": "" }, "Hi my friend", []],
  ["Hi {{contact.name|}}!", { "contact.name": null }, "Hi !", []],
  ["{{a}} {{b}} {{a}}", { b: "B" }, "{{a}} B {{a}}", ["a"]],
  ["{{a}}", { a: "{{b}}", b: "x" }, "{{b}}", []],
  ["{{a}}", { a: "$& $1" }, "$& $1", []],
  ["no {{ end", {}, "no {{ end", []],
])("%s", (text, values, rendered, missing) => {
  expect(renderText(text, values)).toMatchObject({ text: rendered, missing });
});

test("the values stand in the order of their placeholders", () => {
  expect(renderText("{{b}} {{a|1}} {{b}}", { b: "2" }).values).toEqual(["2", "1", "2"]);
});

test("placeholders are known by their names, with a default or without", () => {
  const words = (text: string) => ({ channel: "any", subject: null, text });
  const known = "{{contact.first_name|there}} {{account.name}} {{vars.day|today}} {{contact.custom.size|m}}";
  expect(faultsOf(words(known), ["size"])).toEqual([]);
  expect(customKeysOf(words(known))).toEqual([{ member: "text", key: "size" }]);
  for (const unknown of ["{{vars.Day}}", "{{vars.}}", "{{there|contact.name}}", "{{contact.custom.other}}", "{{account.id}}"])
    expect(faultsOf(words(unknown), ["size"])).toMatchObject([{ code: "unknown_placeholder" }]);
});
