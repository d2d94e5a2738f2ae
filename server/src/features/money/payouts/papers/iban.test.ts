import { expect, test } from "vitest";
import { checkBic, checkIban, normaliseIban } from "./iban.ts";

test.each([
  ["DE89370400440532013000", { ok: true, iban: "DE89370400440532013000", country: "DE", sepa: true }],
  [" de89 3704 0044\u00a00532 0130 00 ", { ok: true, iban: "DE89370400440532013000", country: "DE", sepa: true }],
  ["BG80BNBG96611020345678", { ok: true, iban: "BG80BNBG96611020345678", country: "BG", sepa: true }],
  ["RS35260005601001611379", { ok: true, iban: "RS35260005601001611379", country: "RS", sepa: true }],
  ["TR330006100519786457841326", { ok: true, iban: "TR330006100519786457841326", country: "TR", sepa: false }],
  ["DE88370400440532013000", { ok: false, fault: "wrong_checksum" }],
  ["DE8937040044053201300", { ok: false, fault: "wrong_length" }],
  ["DE8937040044053201300X", { ok: false, fault: "wrong_format" }],
  ["ZZ89370400440532013000", { ok: false, fault: "unknown_country" }],
  ["", { ok: false, fault: "unknown_country" }],
])("the IBAN %j: %j", (text, expected) => {
  expect(checkIban(text)).toEqual(expected);
});

test("an IBAN is stored without spaces and dashes, in capitals", () => {
  expect(normaliseIban("gb29-nwbk 6016 1331 9268 19")).toBe("GB29NWBK60161331926819");
});

test.each([
  ["COBADEFFXXX", true],
  ["cobadeff", true],
  ["COBADEF", false],
  ["COBADEFFXX", false],
  ["", false],
])("the BIC %j is valid: %j", (text, expected) => {
  expect(checkBic(text)).toBe(expected);
});
