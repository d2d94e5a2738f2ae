import fc from "fast-check";
import { expect, test } from "vitest";
import { directionOf, isolate, visualRuns } from "./bidi.ts";

/** The texts of the runs from left to right; those to be read from the right are marked. */
const seen = (line: string) =>
  visualRuns(line, directionOf(line)).map(({ text, rightToLeft }) => (rightToLeft ? `<${text}` : text));

test.each([
  ["Harbour Dental", ["Harbour Dental"]],
  ["Гавань", ["Гавань"]],
  ["שלום", ["<שלום"]],
  ["שלום עולם", ["<שלום עולם"]],
  // A bracket opens on the right, and looks the other way; a number is read from the left.
  ["חברה (ישראל) 2000", ["2000", "<חברה )ישראל( "]],
  ["חברת ABC בעמ", ["< בעמ", "ABC", "<חברת "]],
  ["Deal מספר 12", ["Deal ", "12", "<מספר "]],
  ["شركة 24", ["24", "<شركة "]],
])("%j is seen as %j", (line, expected) => {
  expect(seen(line)).toEqual(expected);
});

test("a name that is isolated leaves the order of the others", () => {
  const line = [isolate("שלום"), isolate("עולם"), "end"].join(" · ");
  expect(seen(line)).toEqual(["<שלום", " · ", "<עולם", " · end"]);
});

test("no letter is lost or doubled, whatever the text", () => {
  const letters = fc.string({ unit: fc.constantFrom(..."אבدمab12 .-\u200f\u2068\u2069😀") });
  fc.assert(
    fc.property(letters, (line) => {
      const drawn = visualRuns(line, directionOf(line)).flatMap(({ text }) => [...text]);
      const given = [...line.replaceAll(/[\u200f\u2068\u2069]/g, "")];
      expect(drawn.toSorted()).toEqual(given.toSorted());
    }),
  );
});
