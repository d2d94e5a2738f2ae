import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { openPaper, STYLES } from "./paper.ts";
import type { Pen } from "./pen.ts";
import { cleanText, fitLine, widthOf, wrapLines } from "./text.ts";

let pen: Pen;

beforeAll(async () => {
  ({ pen } = await openPaper({ title: "Test", author: "Test", created_at: new Date(0), footer: "" }));
  pen.use(STYLES.body);
});

test("a text is broken at spaces, and its last line is cut", () => {
  const width = widthOf(pen, "the quick brown");
  expect(wrapLines(pen, "the quick brown fox jumps over", width, 3)).toEqual(["the quick brown", "fox jumps over"]);
  expect(wrapLines(pen, "the quick brown fox jumps over", width, 1)).toEqual(["the quick bro…"]);
});

test("a word that is longer than a line is broken anywhere, but not within a letter", () => {
  const family = "👩‍👩‍👧‍👦";
  const width = widthOf(pen, "abc");
  expect(wrapLines(pen, "abcdef", width, 2)).toEqual(["abc", "def"]);
  expect(fitLine(pen, `${family}${family}`, 1)).toBe(`${family}…`);
});

test("control characters and overrides of direction are not drawn", () => {
  expect(cleanText(" a\u0000\n\tb\u202ec\u00ad\ud800 ")).toBe("a bc");
  expect(cleanText("e\u0301")).toBe("é");
});

test("no line is wider than its column, and without a cut no letter is lost", () => {
  const words = fc.string({ unit: fc.constantFrom(..."abWאבد  ") }).map(cleanText);
  fc.assert(
    fc.property(words, fc.integer({ min: 20, max: 200 }), (text, width) => {
      const lines = wrapLines(pen, text, width, 100);
      for (const line of lines) expect(widthOf(pen, line)).toBeLessThanOrEqual(width);
      expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
    }),
  );
});
