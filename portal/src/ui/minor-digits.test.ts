import { expect, test } from "vitest";
import { minorDigits as ofTheServer } from "../../../server/src/kernel/money.ts";
import { minorDigits } from "./minor-digits.ts";

test("the portal shows amounts in the units that the service counts in", () => {
  for (const code of Intl.supportedValuesOf("currency").map((upper) => upper.toLowerCase()))
    expect(minorDigits(code), code).toBe(ofTheServer(code));
});
