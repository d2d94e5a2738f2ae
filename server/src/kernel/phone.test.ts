import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isPhoneCountry, readPhone, readWrittenPhone } from "./phone.ts";

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
    "#14155552671",
    "+14155552671x",
    "+14155552671 x12",
    "14155552671 or so",
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

describe("a number in a table", () => {
  test.each([
    ["+1 (415) 555-2671", null, "+14155552671"],
    ["0041 44 668 18 00", null, "+41446681800"],
    [" +41446681800 ", "US", "+41446681800"],
    ["(415) 555-2671", "US", "+14155552671"],
    ["044 668 18 00", "CH", "+41446681800"],
    ["０４４ 668 18 00", "CH", "+41446681800"],
  ])("%j with the default country %j is %s", (text, country, phone) => {
    expect(readWrittenPhone(text, country)).toEqual({ phone });
  });

  test.each([
    ["4155552671", null],
    ["044 668 18 00", null],
    ["044 668 18 00", "XX"],
    ["044 668 18 0x", "CH"],
    ["12", "CH"],
    ["+99999999999", "CH"],
    ["", "CH"],
    ["call 044 668 18 00", "CH"],
    ["044 668 18 00 x12", "CH"],
  ])("%j with the default country %j is not guessed", (text, country) => {
    expect(readWrittenPhone(text, country)).toEqual({ phone: null, suggestion: suggestionFor(text) });
  });
});

test("a country is known by its code in upper case", () => {
  expect(["US", "CH", "us", "XX", ""].filter(isPhoneCountry)).toEqual(["US", "CH"]);
});

function suggestionFor(text: string): string | null {
  const reading = readPhone(text);
  return reading.phone === null ? reading.suggestion : null;
}
