import { describe, expect, test } from "vitest";
import type { CustomField } from "../../accounts/custom-fields/index.ts";
import type { Importable, Reading } from "../records/index.ts";
import { createRowReader } from "./cells.model.ts";
import { CELL_CHARACTERS_MAX, type Mapping } from "./model.ts";

const READINGS: Reading[] = ["text", "trimmed", "phone", "list", "integer", "object"];
const kind = { fields: READINGS.map((reading) => ({ name: `a_${reading}`, reading })) } as unknown as Importable;
const TYPES: CustomField["type"][] = ["text", "number", "boolean", "date", "select", "multi_select", "url"];
const custom = TYPES.map((type): CustomField => ({ key: type, type, options: [], required: false, archived: false }));

function readRow(mapping: Mapping, cells: string[], columns = Object.keys(mapping), default_country: string | null = null) {
  return createRowReader(kind, custom, { delimiter: ",", columns, mapping, default_country })(cells);
}
const inputOf = (target: string, cell: string) => readRow({ column: target }, [cell]).input[target];
const customOf = (key: string, cell: string) => readRow({ column: `custom.${key}` }, [cell]).input;

describe("a cell", () => {
  test.each<[Reading, string, unknown]>([
    ["text", " a ", " a "],
    ["trimmed", " a ", "a"],
    ["phone", "+1 (415) 555-2671", "+14155552671"],
    ["phone", "nobody", "nobody"],
    ["list", "a; b ;;a", ["a", "b"]],
    ["list", '["a;b","c"]', ["a;b", "c"]],
    ["list", "[1]", ["[1]"]],
    ["list", "[a", ["[a"]],
    ["list", '{"a":1}', ['{"a":1}']],
    ["integer", " -12 ", -12],
    ["integer", "1.5", "1.5"],
    ["integer", "x1", "x1"],
    ["integer", "1x", "1x"],
    ["integer", "12345678901234567", "12345678901234567"],
    ["object", '{"a":1}', { a: 1 }],
    ["object", "[1]", "[1]"],
  ])("that is %s and says %j is read as %j", (reading, cell, value) => {
    expect(inputOf(`a_${reading}`, cell)).toEqual(value);
  });

  test.each<[string, string, unknown]>([
    ["text", " a ", " a "],
    ["number", " 1.5e3 ", 1500],
    ["number", "-1", -1],
    ["number", "1e+2", 100],
    ["number", "12e10", 12e10],
    ["number", "12.34", 12.34],
    ["number", "x1", "x1"],
    ["number", "1,5", "1,5"],
    ["number", "1.", "1."],
    ["boolean", " YES ", true],
    ["boolean", "1", true],
    ["boolean", "No", false],
    ["boolean", "0", false],
    ["boolean", "maybe", "maybe"],
    ["date", " 2026-11-02 ", "2026-11-02"],
    ["select", " red ", "red"],
    ["url", " https://a.example ", "https://a.example"],
    ["multi_select", "red; green", ["red", "green"]],
    ["unheard_of", " a ", " a "],
  ])("of a custom %s that says %j is read as %j", (key, cell, value) => {
    expect(customOf(key, cell)).toEqual({ custom: { [key]: value } });
  });

  test("that is empty or not mapped says nothing", () => {
    expect(readRow({ a: "a_text", b: null, c: "custom.text" }, ["", "x", ""])).toEqual({ input: {}, faults: [] });
  });

  test("of a phone is read in the format of the default country", () => {
    expect(readRow({ a: "a_phone" }, ["044 668 18 00"], ["a"], "CH").input).toEqual({ a_phone: "+41446681800" });
  });

  test("of a field without a reading is text", () => {
    expect(inputOf("other", " x ")).toBe(" x ");
  });

  test("may have so many characters and no more; the fault quotes its start", () => {
    const longest = "x".repeat(CELL_CHARACTERS_MAX);
    expect(readRow({ a: "a_text" }, [longest])).toEqual({ input: { a_text: longest }, faults: [] });
    expect(readRow({ a: "a_text" }, [`${longest}x`])).toMatchObject({
      input: {},
      faults: [{ column: "a", code: "cell_too_long", value: "x".repeat(200) }],
    });
  });
});

describe("custom values", () => {
  test("of one column and of several are put together", () => {
    const mapping = { all: "custom", one: "custom.number" };
    expect(readRow(mapping, ['{"text":"a","number":1}', "2"]).input).toEqual({ custom: { text: "a", number: 2 } });
  });

  test("in one column must be an object", () => {
    expect(readRow({ all: "custom" }, ["[1]"])).toMatchObject({
      input: {},
      faults: [{ column: "all", code: "not_an_object", value: "[1]" }],
    });
  });
});

describe("a row", () => {
  test.each([[["a"]], [["a", "b", "c"]]])("with the cells %j in a file of two columns is refused whole", (cells) => {
    expect(readRow({ a: "a_text", b: "a_trimmed" }, cells)).toMatchObject({
      input: {},
      faults: [{ column: null, code: "wrong_cell_count", value: null }],
    });
  });

  test("is read by the first of columns with one name", () => {
    expect(readRow({ a: "a_text" }, ["first", "second"], ["a", "a"]).input).toEqual({ a_text: "first" });
  });
});
