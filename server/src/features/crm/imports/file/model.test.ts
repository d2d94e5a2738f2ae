import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../../test/harness/refusal.ts";
import { createTextCheck, findDelimiter, isBlank, textOffset, unguardCells } from "./model.ts";

test.each([
  ["a,b,c", ","],
  ["a;b;c", ";"],
  ["a\tb", "\t"],
  ["a", ","],
  ["", ","],
  ["a,b;c", ","],
  ["a,b;c;d", ";"],
  ['"x,y,z,""q"",w";b', ";"],
  ["a;b\n1,2,3,4", ";"],
  ["a;b\r1,2,3,4", ";"],
])("the delimiter of %j is %j", (head, delimiter) => {
  expect(findDelimiter(head)).toBe(delimiter);
});

test.each([
  ["\ufeffa,b", 3],
  ["a,b", 0],
  ["", 0],
  ["\u00ef\u00bb", 0],
])("the text of %j begins at byte %i", (text, offset) => {
  expect(textOffset(Buffer.from(text))).toBe(offset);
});

test("a row is blank if every cell is empty", () => {
  expect([[], [""], ["", ""], [" "], ["", "a"]].map(isBlank)).toEqual([true, true, true, false, false]);
});

test("the guard before a formula is taken away, and nothing else", () => {
  expect(unguardCells(["'=1+1", "'a", "=1", "a"])).toEqual(["=1+1", "'a", "=1", "a"]);
});

describe("the check of text", () => {
  /** The refusal of some pieces, one after the other. */
  const refused = (...pieces: (string | number[])[]) =>
    refusalOf(() => {
      const check = createTextCheck();
      for (const piece of pieces) check.push(Buffer.from(piece as string));
      check.end();
    });

  test("takes UTF-8, however it is cut", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat(), (text, at) => {
        const bytes = Buffer.from(`${text.replaceAll("\0", "")}\nß€😀`);
        const cut = at % bytes.length;
        expect(refused([...bytes.subarray(0, cut)], [...bytes.subarray(cut)])).toBeNull();
      }),
    );
  });

  test("takes characters of two, three and four bytes that are cut anywhere, and a zero after each cut is found", () => {
    const bytes = [...Buffer.from("a\u0080ß\u0800€\u{10000}😀z")];
    for (const cut of bytes.keys()) {
      expect(refused(bytes.slice(0, cut), bytes.slice(cut))).toBeNull();
      expect(refused(bytes.slice(0, cut), [...bytes.slice(cut), 0])).toMatchObject({ meta: { line: 1 } });
    }
  });

  test.each<[string, (string | number[])[], number, string]>([
    ["in the first line", [[0xff]], 1, "UTF-8"],
    ["in a later line of one piece", ["a\nb\n", [0x61, 0xff, 0x0a]], 3, "UTF-8"],
    ["after lines of the same piece", [[0x61, 0x0a, 0x62, 0x0a, 0xff, 0x0a]], 3, "UTF-8"],
    ["in the last line, which has no end", ["a\n", [0xff]], 2, "UTF-8"],
    ["after an empty first line", ["\na", [0xff]], 2, "UTF-8"],
    [
      "after a character that was cut",
      [
        [0x61, 0xc3],
        [0xa9, 0x0a, 0xff],
      ],
      2,
      "UTF-8",
    ],
    ["as a character that never ends", ["a\n", [0xe2, 0x82]], 2, "UTF-8"],
    ["as a zero", ["a\nb\0c\nd"], 2, "U+0000"],
    ["as a zero in the last line", ["a\nb\nc\0"], 3, "U+0000"],
  ])("finds bytes that are not text %s", (_, pieces, line, problem) => {
    const found = refused(...pieces);
    expect(found).toMatchObject({ code: "invalid_csv", meta: { line } });
    expect(found?.message).toContain(`Line ${line} `);
    expect(found?.message).toContain(problem);
  });
});
