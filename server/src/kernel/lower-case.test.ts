import { expect, test } from "vitest";
import { lowerCase } from "./lower-case.ts";

test("letters are lowered one by one, whatever stands beside them", () => {
  expect(["İstanbul", "ΟΔΟΣ", "Straße", "STRASSE", "ÀÉ𐐀"].map(lowerCase)).toEqual([
    "istanbul",
    "οδοσ",
    "straße",
    "strasse",
    "àé𐐨",
  ]);
});
