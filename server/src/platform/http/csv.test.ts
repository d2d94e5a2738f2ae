import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { columnsOf, csvHeader, csvRows, unguard } from "./csv.ts";

const COLUMNS = [["text"]];
const SPECIAL = fc.constantFrom("\r", "\n", "\r\n", '"', ",", ";", "'", "=", "+", "-", "@", "\t", " ", "1", "\ufeff", "😀");
const HOSTILE = fc.oneof(fc.string({ unit: SPECIAL }), fc.string({ unit: "binary" }));

function cellsOf(text: string): string[] {
  return (parse(text, { bom: false, skip_empty_lines: false }) as string[][]).map(([cell = ""]) => cell);
}

test("a nested object has a column for each member, also a nullable one", () => {
  const inner = { type: "object", properties: { name: { type: "string" } } };
  const schema = {
    properties: { id: { type: "string" }, contact: { anyOf: [inner, { type: "null" }] }, tags: { type: "array" } },
  };
  expect(csvHeader(columnsOf(schema))).toBe("id,contact.name,tags\r\n");
  const rows = [
    { id: "a", contact: { name: "Ada" }, tags: ["x", "y"] },
    { id: "b", contact: null, tags: [] },
    { id: "c", tags: ["x;y"] },
  ];
  expect(csvRows(columnsOf(schema), rows, true)).toBe('a,Ada,"x;y"\r\nb,,\r\nc,,"[""x;y""]"\r\n');
});

test("an object that may have any member, and one of several shapes, is one cell of JSON", () => {
  const text = { type: "string" };
  const open = { properties: { a: text }, additionalProperties: true };
  expect(columnsOf({ properties: { id: text, open, none: { properties: {}, additionalProperties: true } } })).toEqual([
    ["id"],
    ["open"],
    ["none"],
  ]);
  const shapes = [
    { properties: { id: text, data: { properties: { a: text } } } },
    { properties: { id: text, data: { properties: { b: text } } } },
  ];
  expect(columnsOf({ anyOf: shapes })).toEqual([["id"], ["data"]]);
  expect(columnsOf({ properties: { either: { anyOf: shapes } } })).toEqual([["either"]]);
});

test.each([
  ["=1+1", "'=1+1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'\t=1"],
  ["\r=1", "'\r=1"],
  ["+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"],
  ["-2+3", "'-2+3"],
  ["'=1", "''=1"],
  ["\n=1", "'\n=1"],
  [" =1", "' =1"],
  ["\ufeff=1", "'\ufeff=1"],
  ["＝1+1", "'＝1+1"],
  ["+14155552671", "+14155552671"],
  ["-12.50", "-12.50"],
  ["- a list item", "'- a list item"],
  ["'quoted'", "'quoted'"],
  ["a=b", "a=b"],
])("%j is escaped as %j", (text, guarded) => {
  expect(cellsOf(csvRows(COLUMNS, [{ text }], true))).toEqual([guarded]);
});

test("any text survives an independent parser, and escaped text once one apostrophe is removed", () => {
  fc.assert(
    fc.property(fc.array(HOSTILE, { minLength: 1, maxLength: 20 }), (texts) => {
      const rows = texts.map((text) => ({ text }));
      expect(cellsOf(csvRows(COLUMNS, rows, false))).toEqual(texts);
      const read = cellsOf(csvRows(COLUMNS, rows, true));
      expect(read.map(unguard)).toEqual(texts);
      expect(read.filter((cell) => /^[=@\t\r]/.test(cell))).toEqual([]);
    }),
  );
});
