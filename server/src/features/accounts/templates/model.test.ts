import { expect, test } from "vitest";
import { customKeysOf, faultsOf, mentions, renderText } from "./model.ts";

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

const template = (text: string, channel = "any", subject: string | null = null) => ({ channel, subject, text });
const told = (words: ReturnType<typeof template>, keys: string[] | null = []) =>
  faultsOf(words, keys).map(({ pointer, code }) => `${pointer} ${code}`);

test("only an e-mail has a subject, whose placeholders are known, too", () => {
  for (const channel of ["any", "email"]) expect(told(template("Hi", channel, "Hello"))).toEqual([]);
  for (const channel of ["sms", "whatsapp", "webchat"]) {
    expect(told(template("Hi", channel, "Hello"))).toEqual(["#/subject not_of_channel"]);
    expect(told(template("Hi", channel))).toEqual([]);
  }
  expect(told(template("{{x}} {{", "email", "{{y}}"))).toEqual([
    "#/subject unknown_placeholder",
    "#/text unknown_placeholder",
    "#/text unknown_placeholder",
  ]);
});

test("without keys, a placeholder may be of any custom field that there could be", () => {
  expect(told(template("{{contact.custom.size_2}}"), null)).toEqual([]);
  expect(told(template("{{contact.custom.size_2}}"), [])).toEqual(["#/text unknown_placeholder"]);
  for (const key of ["Size", "2size", "", `x${"y".repeat(40)}`, "a.b"])
    expect(told(template(`{{contact.custom.${key}}}`), null)).toHaveLength(1);
  expect(told(template(`{{contact.custom.x${"y".repeat(39)}}}{{vars.x${"y".repeat(39)}}}`), null)).toEqual([]);
  expect(told(template(`{{vars.x${"y".repeat(40)}}}{{xvars.day}}{{xcontact.custom.size}}`), null)).toHaveLength(3);
});

test("a fault names the placeholders that there are", () => {
  const detail = (keys: string[] | null) => faultsOf(template("{{x}}"), keys)[0]?.detail;
  expect(detail(["size"])).toContain("{{contact.custom.size}}, {{vars.<name>}}.");
  expect(detail(["size"])).not.toContain("<key>");
  expect(detail(null)).toContain("{{contact.custom.<key>}}, {{vars.<name>}}.");
  expect(told(template("{{x}}".repeat(60)))).toHaveLength(50);
});

test("a template speaks of what its placeholders name", () => {
  expect(mentions(template("{{deal.name}}"), "deal")).toBe(true);
  expect(mentions(template("Hi", "email", "{{ deal.stage | x }}"), "deal")).toBe(true);
  expect(mentions(template("deal.name {{contact.name}} {{dealer.name}} {{"), "deal")).toBe(false);
  expect(customKeysOf(template("{{contact.name}} {{", "email", "{{contact.custom.a}}"))).toEqual([
    { member: "subject", key: "a" },
  ]);
});
