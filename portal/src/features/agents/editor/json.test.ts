import { expect, test } from "vitest";
import { formatJson, lineAt, type Parsed, parseJson, placeOf } from "./json.ts";

const VALUE = {
  start: "hello",
  states: {
    hello: { say: ["Hi, I am {{agent.name}}.", 'Hello "you"\\'], collect: [], go: "save" },
    "a/b": { go: "@end", max: -1.5e3 },
  },
  deep: { on: true, off: false, none: null, list: [[1], {}] },
};

test("what is formatted reads the same, with short values on one line", () => {
  const text = formatJson(VALUE);
  expect(JSON.parse(text)).toEqual(VALUE);
  expect((parseJson(text) as Parsed).value).toEqual(VALUE);
  expect(text).toContain(`    "a/b": { "go": "@end", "max": -1500 }`);
});

test("a pointer has its place and its line, and what is missing has the nearest around it", () => {
  const text = formatJson(VALUE);
  const { places } = parseJson(text) as Parsed;
  const { from, to } = placeOf(places, "/states/a~1b/go");
  expect(text.slice(from, to)).toBe(`"@end"`);
  expect(lineAt(text, placeOf(places, "/states").name)).toBe(3);
  expect(placeOf(places, "/states/hello/ask/0")).toEqual(placeOf(places, "/states/hello"));
});

test.each([
  [`{"a": 1 "b": 2}`, 8],
  [`{"a" 1}`, 5],
  [`{a: 1}`, 1],
  [`[1, ]`, 4],
  [`{"a": "x\ny"}`, 6],
  [`{} {}`, 3],
  ["", 0],
])("%j is refused where it is wrong", (text, at) => {
  expect(parseJson(text)).toMatchObject({ at });
});
