import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readPhone } from "./phone.ts";

describe("a phone number", () => {
  test.each([
    ["+14155552671", "+14155552671"],
    ["+4915112345678", "+4915112345678"],
    ["+442079460018", "+442079460018"],
    ["+8860223456789", "+886223456789"],
    ["+33612345678", "+33612345678"],
  ])("%s is parsed as %s", (text, phone) => {
    expect(readPhone(text)).toEqual({ phone });
  });

  test.each([
    ["+1 415 555 2671", "+14155552671"],
    ["+1 (415) 555-2671", "+14155552671"],
    ["14155552671", "+14155552671"],
    [" +14155552671\n", "+14155552671"],
    ["0014155552671", "+14155552671"],
    ["+44 (0)20 7946 0018", "+442079460018"],
    ["＋１４１５５５５２６７１", "+14155552671"],
  ])("%j is refused with the suggestion %s", (text, suggestion) => {
    expect(readPhone(text)).toEqual({ phone: null, suggestion });
  });

  test.each([
    "",
    "+",
    "+12",
    "+336123456789",
    "call me",
    "+1415555267x",
    "+99999999999",
    "+0123456789",
    "+4300000",
    "+141555526711234567",
    "tel",
  ])("%j is refused without a suggestion", (text) => {
    expect(readPhone(text)).toEqual({ phone: null, suggestion: null });
  });

  test("is canonical: parsing it again does not change it", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^\+[0-9 ()-]{6,18}$/), fc.stringMatching(/^\+[1-9][0-9]{6,14}$/)),
        (text) => {
          const reading = readPhone(text);
          const found = reading.phone ?? reading.suggestion;
          if (found !== null) expect(readPhone(found)).toEqual({ phone: found });
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
