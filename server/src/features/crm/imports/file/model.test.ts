import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../../test/harness/refusal.ts";
import { createParser, createTextCheck, findDelimiter, type ParsedRow, refuseParse, unguardCells } from "./model.ts";

const MEBIBYTE = 1024 * 1024;

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

async function rowsOf(text: string, from_start = true): Promise<ParsedRow[]> {
  const parser = createParser(",", from_start);
  parser.end(Buffer.from(text));
  return parser.toArray() as Promise<ParsedRow[]>;
}

describe("a file", () => {
  test.each(["\r\n", "\n", "\r"])("has rows that end with %j, of any number of cells", async (end) => {
    const rows = await rowsOf(`a,b${end}"1${end}2",3,4${end}5`);
    expect(rows.map(({ record }) => record)).toEqual([["a", "b"], [`1${end}2`, "3", "4"], ["5"]]);
  });

  test("tells where each row ends, so that the rest can be read from there", async () => {
    const text = "aß,b\nc,d\ne,f\n";
    const offset = (await rowsOf(text))[0]?.info.bytes ?? 0;
    const rest = Buffer.from(text).subarray(offset).toString();
    expect((await rowsOf(rest, false)).map(({ record }) => record)).toEqual([
      ["c", "d"],
      ["e", "f"],
    ]);
  });

  test("may begin with a byte order mark, which is not part of it", async () => {
    expect((await rowsOf("\ufeffa,b"))[0]?.record).toEqual(["a", "b"]);
    expect((await rowsOf("\ufeffa,b", false))[0]?.record).toEqual(["\ufeffa", "b"]);
  });

  test.each([
    ['a\n"b', 2],
    ['a\n"b"c', 2],
    ['a\nb"c"', 2],
    [`a\nb\n${"x".repeat(4 * MEBIBYTE + 2)}`, 3],
  ])("with a broken quote or an endless row is refused with its row", async (text, row) => {
    const error = await rowsOf(text).catch((reason: unknown) => reason);
    const refused = refusalOf(() => refuseParse(error));
    expect(refused).toMatchObject({ code: "invalid_csv", meta: { row } });
    expect(refused?.message).toMatch(new RegExp(`^Row ${row}: .`));
  });

  test("that fails otherwise fails as it did", () => {
    for (const error of [new Error("disk"), Object.assign(new Error("other"), { code: "EIO" }), "text", null])
      expect(() => refuseParse(error)).toThrow(error instanceof Error ? error.message : undefined);
  });
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

  test.each<[string, (string | number[])[], number, string]>([
    ["in the first line", [[0xff]], 1, "UTF-8"],
    ["in a later line of one piece", ["a\nb\n", [0x61, 0xff, 0x0a]], 3, "UTF-8"],
    ["after lines of the same piece", [[0x61, 0x0a, 0x62, 0x0a, 0xff, 0x0a]], 3, "UTF-8"],
    ["in the last line, which has no end", ["a\n", [0xff]], 2, "UTF-8"],
    ["as a zero", ["a\nb\0c\nd"], 2, "U+0000"],
    ["as a zero in the last line", ["a\nb\nc\0"], 3, "U+0000"],
  ])("finds bytes that are not text %s", (_, pieces, line, problem) => {
    const found = refused(...pieces);
    expect(found).toMatchObject({ code: "invalid_csv", meta: { line } });
    expect(found?.message).toContain(`Line ${line} `);
    expect(found?.message).toContain(problem);
  });

  test("takes a line of four mebibytes and refuses a longer one", () => {
    const longest = "x".repeat(4 * MEBIBYTE);
    expect(refused("a\n", longest)).toBeNull();
    expect(refused("a\n", longest, "x")).toMatchObject({
      code: "invalid_csv",
      meta: { line: 2, limit: 4 * MEBIBYTE },
    });
  });
});
