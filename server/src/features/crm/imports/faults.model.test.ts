import { expect, test } from "vitest";
import { type ErrorCode, type Explanation, Refusal } from "../../../kernel/errors.ts";
import { faultsOf } from "./faults.model.ts";

const plan = {
  delimiter: ",",
  columns: ["First", "Last", "Mail", "Labels", "Size", "Other"],
  mapping: { First: "first_name", Last: "last_name", Mail: "email", Labels: "tags", Size: "custom.size", Other: null },
  default_country: null,
};
const CELLS = ["Ada", "", "ada@", "a;b", "x".repeat(300), "o"];

const faults = (code: ErrorCode, explanation: Explanation) => faultsOf(new Refusal(code, explanation), plan, CELLS);
const fault = (pointer: string, code = "wrong") => ({ in: "body" as const, pointer, code, detail: "Wrong." });

test.each<[string, string | null, string | null]>([
  ["#/email", "Mail", "ada@"],
  ["#/tags/0", "Labels", "a;b"],
  ["#/tagsy", null, null],
  ["#/name", "First", "Ada"],
  ["#/last_name", "Last", null],
  ["#/custom/size", "Size", "x".repeat(200)],
  ["#/phone", null, null],
])("a fault at %s is about the column %j", (pointer, column, value) => {
  expect(faults("validation_failed", { faults: [fault(pointer)] })).toEqual([{ column, value, code: "wrong", detail: "Wrong." }]);
});

test("a fault of a cell that is missing quotes nothing", () => {
  expect(faultsOf(new Refusal("validation_failed", { faults: [fault("#/email")] }), plan, ["Ada"])[0]).toMatchObject({
    column: "Mail",
    value: null,
  });
});

test("of the faults of one field the first is told, with its code or that of the refusal", () => {
  const both = { faults: [fault("#/email", "first"), fault("#/email", "second"), fault("#/tags", "third")] };
  expect(faults("validation_failed", both).map(({ code }) => code)).toEqual(["first", "third"]);
  expect(faults("invalid_phone", both).map(({ code }) => code)).toEqual(["invalid_phone", "invalid_phone"]);
});

test("a refusal without faults is about the field that it names, or about the row", () => {
  expect(faults("duplicate_contact", { detail: "There already.", meta: { fields: ["email", "tags"] } })).toEqual([
    { column: "Mail", value: "ada@", code: "duplicate_contact", detail: "There already." },
  ]);
  for (const meta of [{}, { fields: "email" }, { fields: [] }])
    expect(faults("duplicate_contact", { detail: "There already.", meta })).toMatchObject([{ column: null, value: null }]);
  expect(faults("ambiguous_match", {})).toMatchObject([{ column: null, code: "ambiguous_match" }]);
});

test("a quote is cut within valid Unicode", () => {
  const [one] = faultsOf(new Refusal("validation_failed", { faults: [fault("#/first_name")] }), plan, [`${"x".repeat(199)}😀`]);
  expect(one?.value?.isWellFormed()).toBe(true);
});
