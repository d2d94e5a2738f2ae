import { expect, test } from "vitest";
import { refusalOf } from "../../../../test/harness/refusal.ts";
import { Refusal } from "../../../kernel/errors.ts";
import { asOfTime } from "./as-of.model.ts";

const NOW = new Date("2026-11-02T09:30:00.000Z");

test("an instant is at least 60 seconds ago, or it is refused", () => {
  expect(asOfTime(undefined, NOW)).toBeNull();
  expect(asOfTime("2026-11-02T09:29:00.000Z", NOW)).toEqual(new Date("2026-11-02T09:29:00.000Z"));
  for (const recent of ["2026-11-02T09:29:00.001Z", "2026-11-02T09:30:00Z", "2027-01-01T00:00:00Z"])
    expect(() => asOfTime(recent, NOW)).toThrow(Refusal);
});

test("a refusal names the parameter and its rule", () => {
  expect(refusalOf(() => asOfTime("2026-11-02T09:30:00Z", NOW))).toMatchObject({
    code: "invalid_parameter",
    faults: ["#/as_of too_recent"],
    message: "as_of must be at least 60 seconds ago. Leave it out for the current state.",
  });
});
