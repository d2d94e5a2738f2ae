import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ParsedRow, Parser } from "./parser.model.ts";

const START = { byte_offset: 0, row: 0 };

function rowsOf(blocks: readonly Buffer[], from = START): ParsedRow[] {
  const parser = new Parser(",", from);
  return [...blocks.flatMap((block) => [...parser.push(block)]), ...parser.end()];
}

/** The bytes in blocks that end at some of the offsets. */
function split(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const ends = [...new Set([...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

const text = fc.array(fc.constantFrom(",", '"', '""', "\n", "\r", "\r\n", "a", "Ä", "😀", " ", ";", '","', "\n\n"), {
  maxLength: 40,
});
const cuts = fc.array(fc.nat(100), { maxLength: 8 });

/** What an independent parser makes of a text; null where it refuses it. */
function expected(csv: string): string[][] | null {
  try {
    return parse(csv, { record_delimiter: ["\r\n", "\n", "\r"], relax_column_count: true }) as string[][];
  } catch {
    return null;
  }
}

function cellsOrNull(blocks: readonly Buffer[]): string[][] | null {
  try {
    return rowsOf(blocks).map(({ cells }) => cells);
  } catch {
    return null;
  }
}

describe("the parser", () => {
  test("reads every text as an independent parser does, in whatever blocks it arrives", () => {
    fc.assert(
      fc.property(text, cuts, (parts, at) => {
        const csv = parts.join("");
        expect(cellsOrNull(split(Buffer.from(csv), at))).toEqual(expected(csv));
      }),
      { numRuns: 2_000 },
    );
  });

  test("continues after any row as if it had not stopped", () => {
    fc.assert(
      fc.property(text, cuts, (parts, at) => {
        const bytes = Buffer.from(parts.join(""));
        if (cellsOrNull([bytes]) === null) return;
        const all = rowsOf([bytes]);
        for (const [index, { row, byte_offset }] of all.entries()) {
          const rest = rowsOf(split(bytes.subarray(byte_offset), at), { row, byte_offset });
          expect(rest).toEqual(all.slice(index + 1));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test("refuses a row of too many cells, or of too many bytes, with its number", () => {
    const wide = Buffer.from(`a,b\n${",".repeat(200)}\n`);
    expect(() => rowsOf([wide])).toThrow("Row 2: a file may have at most 200 columns.");
    const long = Array.from({ length: 65 }, () => Buffer.alloc(64 * 1024, "x"));
    expect(() => rowsOf([Buffer.from('a,b\n"'), ...long])).toThrow("Row 2: the row is longer than 4194304 bytes.");
  });

  test("costs about as much for a byte of blank lines, narrow rows or quotes as for a byte of people", () => {
    const SIZE = 200_000;
    const cpuOf = (line: string) => {
      const bytes = Buffer.from(`name,phone\n${line.repeat(SIZE / line.length)}`);
      const parser = new Parser(",", START);
      const before = process.cpuUsage();
      for (const _ of parser.push(bytes));
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const person = '"Ada ""A"" Okafor",+14155552671,ada@harbour.example,Harbour Dental,vip;emea\r\n';
    for (let warm = 0; warm < 5; warm += 1) cpuOf(person);
    const usual = cpuOf(person);
    for (const line of ["\n", "\r", "x\n", '""\n', `${",".repeat(150)}\n`]) expect(cpuOf(line) / usual, line).toBeLessThan(100);
  });
});
