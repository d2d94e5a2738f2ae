import fc from "fast-check";
import { expect, test } from "vitest";
import { cell, renderTable, widthOf, wrap } from "./table.ts";

type Row = { id: string; name: string; count: number };
const COLUMNS = [
  { title: "id", of: ({ id }: Row) => id, whole: true as const },
  { title: "name", of: ({ name }: Row) => name },
  { title: "count", of: ({ count }: Row) => count, right: true as const },
  { title: "again", of: ({ name }: Row) => name, spare: true as const },
];
const ID = "cli_01m7c7pzpmed89nj7yfskw6d6k";

test("columns are aligned, numbers to the right", () => {
  const rows = [
    { id: "a", name: "Ada", count: 5 },
    { id: "bb", name: "日本", count: 1200 },
  ];
  expect(renderTable(rows, COLUMNS, 80)).toEqual(["ID  NAME  COUNT  AGAIN", "a   Ada       5  Ada", "bb  日本   1200  日本"]);
});

test("for any names and width, lines fit or become records, and ids are never truncated", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme" }), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 10, max: 120 }),
      (names, width) => {
        const lines = renderTable(
          names.map((name) => ({ id: ID, name, count: 1 })),
          COLUMNS,
          width,
        );
        expect(lines.filter((line) => line.includes(ID))).toHaveLength(names.length);
        if (lines[0]?.startsWith("ID")) for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
        for (const line of lines) expect(line).not.toMatch(/\p{Cc}/u);
      },
    ),
  );
});

test("stored text cannot control the terminal", () => {
  expect(cell("a\u001b[2Jb\nc\u202ed")).toBe("a\ufffd[2Jb\ufffdc\ufffdd");
  expect(cell("")).toBe("-");
});

test("text is wrapped between words, without losing any", () => {
  const text = "one two three four five six seven";
  const lines = wrap(text, 14, "  ");
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(14);
  expect(lines.map((line) => line.trim()).join(" ")).toBe(text);
});
