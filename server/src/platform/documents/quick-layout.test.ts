import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { type Fonts, loadFonts } from "./fonts.ts";

let fonts: Fonts;

beforeAll(async () => {
  fonts = await loadFonts();
});

/** The layout engine itself, without what it adds between letters. */
const engine = (text: string) => Object.getPrototypeOf(fonts.regular).layout(text, { kern: false, liga: false, dlig: false });

test("plain text has the letters and the width that the layout engine gives it", () => {
  const letters = fc.string({ unit: fc.constantFrom(..."abcXYZ 0123456789.,-−·…€äöüßŁżЩїґΩάñфий"), maxLength: 60 });
  fc.assert(
    fc.property(letters, (text) => {
      expect(fonts.regular.isPlain(text)).toBe(true);
      const { glyphs, advanceWidth } = engine(text);
      const run = fonts.regular.layout(text);
      expect(run.glyphs.map(({ id }) => id)).toEqual(glyphs.map(({ id }: { id: number }) => id));
      expect(run.advanceWidth).toBe(advanceWidth);
      expect(fonts.regular.widthOf(text)).toBeCloseTo(advanceWidth / fonts.regular.unitsPerEm);
    }),
    { numRuns: 50 },
  );
});

test.each(["שלום", "شركة", "e\u0301\u0302", "日本", "😀"])("%s is left to the layout engine", (text) => {
  expect(fonts.regular.isPlain(text)).toBe(false);
  expect(fonts.regular.layout(text).advanceWidth).toBe(engine(text).advanceWidth);
});

test("a layout that its caller scales does not change the next one", () => {
  for (const text of ["plain", "שלום"]) {
    const first = fonts.regular.layout(text);
    const width = first.advanceWidth;
    for (const position of first.positions) position.xAdvance *= 2;
    expect(first.advanceWidth).toBe(2 * width);
    expect(fonts.regular.layout(text).advanceWidth).toBe(width);
  }
});
