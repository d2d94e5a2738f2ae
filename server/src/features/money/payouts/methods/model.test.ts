import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../../test/harness/refusal.ts";
import { type MethodInput, readMethod } from "./model.ts";

const IBAN = "DE89370400440532013000";
const faults = (input: MethodInput) => refusalOf(() => readMethod(input))?.faults ?? null;

test("a bank account is stored without spaces, for euros, with a hint that hides most of it", () => {
  expect(readMethod({ kind: "sepa", holder: "Ada", iban: "de89 3704 0044 0532 0130 00", bic: "cobadeffxxx" })).toEqual({
    kind: "sepa",
    holder: "Ada",
    currencies: ["eur"],
    details: { iban: IBAN, bic: "COBADEFFXXX" },
    hint: "DE89 … 3000",
  });
});

test.each([undefined, null])("the BIC may be left out: %s", (bic) => {
  expect(readMethod({ kind: "sepa", holder: "Ada", iban: IBAN, ...(bic === undefined ? {} : { bic }) }).details).toEqual({
    iban: IBAN,
    bic: null,
  });
});

test("a manual method has its instructions and currencies", () => {
  const input = { kind: "manual", holder: "Ada", instructions: "By cheque", currencies: ["usd", "gbp"] } as const;
  expect(readMethod(input)).toEqual({
    kind: "manual",
    holder: "Ada",
    currencies: ["usd", "gbp"],
    details: { instructions: "By cheque" },
    hint: "Manual transfer",
  });
});

describe("what does not fit is refused, each member by its rule", () => {
  test.each<[MethodInput, string[]]>([
    [{ kind: "sepa", holder: "A" }, ["#/iban required_by_kind"]],
    [{ kind: "sepa", holder: "A", iban: IBAN, instructions: "x" }, ["#/instructions not_of_kind"]],
    [{ kind: "sepa", holder: "A", iban: IBAN, currencies: ["usd"] }, ["#/currencies not_of_kind"]],
    [{ kind: "manual", holder: "A" }, ["#/instructions required_by_kind", "#/currencies required_by_kind"]],
    [{ kind: "manual", holder: "A", instructions: "x", currencies: ["usd"], iban: IBAN }, ["#/iban not_of_kind"]],
    [{ kind: "manual", holder: "A", instructions: "x", currencies: ["usd"], bic: "COBADEFFXXX" }, ["#/bic not_of_kind"]],
    [{ kind: "sepa", holder: "A", iban: "DE89370400440532013001" }, ["#/iban wrong_checksum"]],
    [{ kind: "sepa", holder: "A", iban: IBAN, bic: "COBA" }, ["#/bic invalid_bic"]],
    [{ kind: "sepa", holder: "A", iban: "", bic: "COBA" }, ["#/iban unknown_country", "#/bic invalid_bic"]],
  ])("%j", (input, expected) => {
    expect(faults(input)).toEqual(expected);
    expect(refusalOf(() => readMethod(input))?.code).toBe("validation_failed");
  });
});
