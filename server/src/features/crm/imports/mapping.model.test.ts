import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../test/harness/refusal.ts";
import type { CustomField } from "../../accounts/custom-fields/index.ts";
import type { Importable } from "../records/index.ts";
import { mapColumns, requireColumns } from "./mapping.model.ts";
import type { Mapping } from "./model.ts";

const kind = {
  fields: [
    { name: "name", reading: "text", synonyms: ["fullname"] },
    { name: "phone", reading: "phone", synonyms: ["mobile", "budget"] },
    { name: "external_id", reading: "text" },
  ],
  required: { create: [["name", "first_name", "last_name"], ["phone"]], upsert: [["phone", "id"]], update: [] },
} as unknown as Importable;
const custom = ["budget", "shirt_size"].map((key) => ({ key }) as CustomField);

const mapped = (columns: string[], requested?: Mapping) => mapColumns(kind, custom, columns, requested);
const refused = (columns: string[], requested: Mapping) => refusalOf(() => mapped(columns, requested));

describe("a column", () => {
  test.each<[string, string | null]>([
    ["name", "name"],
    ["Full Name", "name"],
    ["MOBILE", "phone"],
    ["external-id", "external_id"],
    ["Shirt size", "custom.shirt_size"],
    ["custom.shirt_size", "custom.shirt_size"],
    ["custom", "custom"],
    ["budget", "phone"],
    ["custom.budget", "custom.budget"],
    ["Größe", null],
    ["", null],
  ])("%j is mapped to %j", (column, field) => {
    expect(mapped([column])).toEqual({ [column]: field });
  });

  test("gets the field of its name unless another has it", () => {
    expect(mapped(["Mobile", "Phone"])).toEqual({ Mobile: "phone", Phone: null });
    expect(mapped(["name", "name"])).toEqual({ name: "name" });
  });

  test("gets the field that is requested for it, before any other", () => {
    expect(mapped(["Phone", "Number"], { Number: "phone" })).toEqual({ Phone: null, Number: "phone" });
    expect(mapped(["Phone", "Name"], { Phone: null })).toEqual({ Phone: null, Name: "name" });
    expect(mapped(["A", "B"], { A: "custom.budget", B: "custom" })).toEqual({ A: "custom.budget", B: "custom" });
  });
});

describe("a requested mapping", () => {
  test.each<[string, Mapping, string]>([
    ["of a column that is not there", { B: "name" }, "unknown_column"],
    ["to a field that is not there", { A: "surname" }, "unknown_field"],
    ["to a custom field that is not there", { A: "custom.other" }, "unknown_field"],
  ])("%s is refused", (_, requested, code) => {
    expect(refused(["A"], requested)).toMatchObject({ code: "invalid_parameter", faults: [`#/mapping ${code}`] });
  });

  test("of two columns to one field is refused, of two columns to nothing is not", () => {
    expect(refused(["A", "B"], { A: "name", B: "name" })?.faults).toEqual(["#/mapping mapped_twice"]);
    expect(refused(["A", "B"], { A: null, B: null })).toBeNull();
  });

  test("is refused with its one fault, or the number of faults and at most fifty", () => {
    expect(refused(["A"], { B: "name" })?.message).toContain("no column B");
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`c${index}`, null]));
    expect(refused(["A"], many)?.message).toContain("60 errors");
    expect(refused(["A"], many)?.faults).toHaveLength(50);
  });

  test("is quoted shortly", () => {
    expect(refused(["A"], { ["x".repeat(200)]: null })?.message).not.toContain("x".repeat(101));
    const field = refused(["A"], { A: "x".repeat(200) })?.message;
    expect(field).not.toContain("x".repeat(101));
    expect(field).toContain("name, phone, external_id, custom, custom.budget");
  });
});

describe("a file", () => {
  test("needs one column of each group that its mode requires", () => {
    expect(refusalOf(() => requireColumns(kind, "create", { A: "last_name", B: "phone" }))).toBeNull();
    expect(refusalOf(() => requireColumns(kind, "update", { A: null }))).toBeNull();
    expect(refusalOf(() => requireColumns(kind, "create", { A: "name" }))).toMatchObject({
      code: "invalid_csv",
      meta: { missing_fields: ["phone"] },
    });
  });

  test("without one is told which would do", () => {
    const messageOf = (mode: "create" | "upsert", mapping: Mapping) =>
      refusalOf(() => requireColumns(kind, mode, mapping))?.message;
    expect(messageOf("create", {})).toContain("name, first_name or last_name.");
    expect(messageOf("upsert", {})).toContain("phone or id.");
    expect(messageOf("create", { A: "name" })).toContain("to phone.");
  });
});
