import { expect, test } from "vitest";
import { customFieldRules } from "./model.ts";

const faultsOf = (spec: object, previous: object | null = null) =>
  customFieldRules
    .validate({ ...customFieldRules.complete({ label: "Size", type: "text" }), ...spec }, previous as never)
    .map(({ pointer, code }) => `${pointer} ${code}`);

test("a field of a snapshot has no options and is not required, unless it says so", () => {
  expect(customFieldRules.complete({ label: "Size", type: "text" })).toEqual({
    label: "Size",
    type: "text",
    options: [],
    required: false,
  });
});

test.each([
  [{}, null, []],
  [{ type: "select" }, null, ["/options required_by_type"]],
  [{ type: "select", options: ["small"] }, null, []],
  [{ options: ["small"] }, null, ["/options not_of_type"]],
  [{}, { type: "text" }, []],
  [{}, { type: "number" }, ["/type type_stays"]],
] as const)("a field %j that was %j has the faults %j", (spec, previous, faults) => {
  expect(faultsOf(spec, previous)).toEqual(faults);
});

test("the key of a field is that of its record and its own, and its record is what limits the number of fields", () => {
  const keys = ["deal.budget", "contact.a1_", "budget", "deal.", "deal.Budget", "deal.a.b", "payout.a", "deal.constructor"];
  expect(keys.filter((key) => customFieldRules.keys.test(key))).toEqual(["deal.budget", "contact.a1_"]);
  expect(customFieldRules.natural({}, "deal.budget")).toBe("deal.budget");
  expect(customFieldRules.limit.group({}, "deal.budget")).toBe("deal");
});
