import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../test/harness/refusal.ts";
import { type Custom, type CustomField, customFilter, FIELD_TYPES, type FieldType, patchCustomValues } from "./model.ts";

const field = (key: string, type: FieldType, more: Partial<CustomField> = {}): CustomField => ({
  key,
  type,
  options: type === "select" || type === "multi_select" ? ["red", "green"] : [],
  required: false,
  archived: false,
  ...more,
});
const FIELDS = FIELD_TYPES.map((type) => field(type, type));

const patchOf = (fields: readonly CustomField[], before: Custom | null, patch?: Record<string, unknown>) => () =>
  patchCustomValues(fields, before, patch);

const TEXT = "x".repeat(1_000);

test.each<[FieldType, unknown]>([
  ["text", ""],
  ["text", TEXT],
  ["number", -1.5],
  ["boolean", false],
  ["date", "2028-02-29"],
  ["select", "green"],
  ["multi_select", []],
  ["multi_select", ["green", "red"]],
  ["url", "http://harbour.example"],
  ["url", "https://harbour.example/a?b=c"],
])("a %s takes %j", (type, value) => {
  expect(patchCustomValues(FIELDS, {}, { [type]: value })).toEqual({ [type]: value });
});

test.each<[FieldType, unknown, string]>([
  ["text", 1, "wrong_type"],
  ["text", `${TEXT}x`, "wrong_type"],
  ["number", "1", "wrong_type"],
  ["boolean", "true", "wrong_type"],
  ["date", 20260230, "wrong_type"],
  ["date", "2026-02-30", "wrong_type"],
  ["date", "2026-13-01", "wrong_type"],
  ["date", "2026-1-1", "wrong_type"],
  ["date", "2026-11-02T00:00:00Z", "wrong_type"],
  ["date", "x2026-11-02", "wrong_type"],
  ["url", "harbour.example", "wrong_type"],
  ["url", "ftp://harbour.example", "wrong_type"],
  ["url", "xhttp://harbour.example", "wrong_type"],
  ["url", 7, "wrong_type"],
  ["url", `https://harbour.example/${TEXT}`, "wrong_type"],
  ["select", "blue", "unknown_option"],
  ["select", ["red"], "unknown_option"],
  ["multi_select", "red", "wrong_type"],
  ["multi_select", ["red", "red"], "wrong_type"],
  ["multi_select", ["red", "blue"], "unknown_option"],
])("a %s refuses %j: %s", (type, value, code) => {
  expect(refusalOf(patchOf(FIELDS, {}, { [type]: value }))).toMatchObject({
    code: "validation_failed",
    faults: [`#/custom/${type} ${code}`],
  });
});

describe("a patch", () => {
  test("keeps what it leaves out, replaces what it names and removes what is null", () => {
    const before = { text: "a", number: 1, boolean: true };
    expect(patchCustomValues(FIELDS, before, { text: "b", number: null })).toEqual({ text: "b", boolean: true });
    expect(before).toEqual({ text: "a", number: 1, boolean: true });
  });

  test("that is absent changes nothing and requires nothing", () => {
    expect(patchCustomValues([field("text", "text", { required: true })], {}, undefined)).toEqual({});
  });

  test("names what it cannot set: unknown and archived fields; an archived value can be removed", () => {
    const fields = [field("old", "text", { archived: true })];
    expect(refusalOf(patchOf(fields, {}, { old: "a", other: 1 }))?.faults).toEqual([
      "#/custom/old archived_custom_field",
      "#/custom/other unknown_custom_field",
    ]);
    expect(patchCustomValues(fields, { old: "a" }, { old: null })).toEqual({});
    expect(patchCustomValues(fields, { old: "a" }, {})).toEqual({ old: "a" });
  });

  test("leaves no required field empty, unless it is archived", () => {
    const fields = [field("a", "text", { required: true }), field("b", "text", { required: true, archived: true })];
    expect(refusalOf(patchOf(fields, null))?.faults).toEqual(["#/custom/a required"]);
    expect(refusalOf(patchOf(fields, null, {}))?.faults).toEqual(["#/custom/a required"]);
    expect(refusalOf(patchOf(fields, { a: "x" }, { a: null }))?.faults).toEqual(["#/custom/a required"]);
    expect(patchCustomValues(fields, null, { a: "x" })).toEqual({ a: "x" });
  });

  test("is refused with its first faults in words, the number of the others, and at most fifty of them", () => {
    const wrong = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 1]));
    expect(refusalOf(patchOf([], {}, wrong(1)))?.message).toContain("custom.f0");
    const many = refusalOf(patchOf([], {}, wrong(60)));
    expect(many?.message).toMatch(/custom\.f0 .*custom\.f2 .* 47 more: see errors\.$/);
    expect(many?.faults).toHaveLength(50);
  });

  test("names at most twenty options", () => {
    const options = Array.from({ length: 30 }, (_, index) => `option${index}.`);
    const refused = refusalOf(patchOf([field("a", "select", { options })], {}, { a: "none" }));
    expect(refused?.message).toContain("option19.");
    expect(refused?.message).not.toContain("option20.");
  });
});

describe("a filter by custom fields", () => {
  test("ignores other parameters and keeps the key after the prefix", () => {
    expect(customFilter({ q: "a", customer: "b", "custom.a.b": "c" })).toEqual([[{ "a.b": "c" }, { "a.b": ["c"] }]]);
  });

  test.each<[string, unknown[]]>([
    ["red", ["red", ["red"]]],
    ["12", ["12", ["12"], 12]],
    ["-1.5", ["-1.5", ["-1.5"], -1.5]],
    ["1.", ["1.", ["1."]]],
    ["x1", ["x1", ["x1"]]],
    ["1x", ["1x", ["1x"]]],
    ["true", ["true", ["true"], true]],
    ["false", ["false", ["false"], false]],
    ["", ["", [""]]],
  ])("by %j finds every value that is written so", (text, values) => {
    expect(customFilter({ "custom.k": text })).toEqual([values.map((k) => ({ k }))]);
  });

  test("finds a number by its text, whatever the number", () => {
    fc.assert(
      fc.property(fc.integer(), (number) => {
        expect(customFilter({ "custom.k": String(number) })[0]).toContainEqual({ k: number });
      }),
    );
  });
});
