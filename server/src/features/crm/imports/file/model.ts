import { isUtf8 } from "node:buffer";
import { type Options, parse } from "csv-parse";
import { fail } from "../../../../kernel/errors.ts";
import { unguard } from "../../../../platform/http/csv.ts";

/** The longest row that is parsed, in bytes. A longer one is most likely a quote that was not closed. */
const ROW_BYTES_MAX = 4 * 1024 * 1024;

/** A parsed row, and the offset of the next one. */
export type ParsedRow = { record: string[]; info: { bytes: number } };

const OPTIONS: Options = {
  record_delimiter: ["\r\n", "\n", "\r"],
  relax_column_count: true,
  info: true,
  max_record_size: ROW_BYTES_MAX,
};

export function createParser(delimiter: string, from_start: boolean) {
  return parse({ ...OPTIONS, delimiter, bom: from_start });
}

/** The most frequent delimiter of the first line, outside of quotes. */
export function findDelimiter(head: string): string {
  const line = head.replaceAll(/"(?:[^"]|"")*"/g, "").split(/[\r\n]/, 1)[0] ?? "";
  const counts = [",", ";", "\t"].map((delimiter) => [delimiter, line.split(delimiter).length] as const);
  return counts.reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

const NEW_LINE = 0x0a;

/** Refuses bytes that are not text, with the number of their line. Checks complete lines. */
export function createTextCheck() {
  let rest: Buffer = Buffer.alloc(0);
  let line = 1;

  function check(bytes: Buffer): void {
    if (isUtf8(bytes) && !bytes.includes(0)) {
      for (let at = bytes.indexOf(NEW_LINE); at >= 0; at = bytes.indexOf(NEW_LINE, at + 1)) line += 1;
      return;
    }
    for (let start = 0; start < bytes.length; line += 1) {
      const end = bytes.indexOf(NEW_LINE, start) + 1 || bytes.length;
      const part = bytes.subarray(start, end);
      const problem = isUtf8(part) ? (part.includes(0) ? "contains the character U+0000" : null) : "is not valid UTF-8";
      if (problem !== null)
        fail("invalid_csv", { detail: `Line ${line} ${problem}. Save the file as CSV in UTF-8.`, meta: { line } });
      start = end;
    }
  }

  return {
    push(piece: Buffer): void {
      const whole = Buffer.concat([rest, piece]);
      const end = whole.lastIndexOf(NEW_LINE) + 1;
      check(whole.subarray(0, end));
      rest = whole.subarray(end);
      if (rest.length > ROW_BYTES_MAX) refuseRow(line);
    },
    end: () => check(rest),
  };
}

function refuseRow(line: number): never {
  fail("invalid_csv", { detail: `Line ${line} is longer than ${ROW_BYTES_MAX} bytes.`, meta: { line, limit: ROW_BYTES_MAX } });
}

/** The errors of the parser as refusals. Rows are numbered as in a spreadsheet. */
export function refuseParse(error: unknown): never {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const problem = PROBLEMS[code];
  if (problem === undefined) throw error;
  const row = Number((error as { records?: number }).records) + 1;
  fail("invalid_csv", { detail: `Row ${row}: ${problem}`, meta: { row }, cause: error });
}

const PROBLEMS: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: "a quote is never closed.",
  CSV_INVALID_CLOSING_QUOTE: "a closing quote is followed by more text. Write a quote within quotes twice.",
  INVALID_OPENING_QUOTE: "a quote is in the middle of a cell. Put the whole cell in quotes, and write the quote twice.",
  CSV_MAX_RECORD_SIZE: `the row is longer than ${ROW_BYTES_MAX} bytes. A quote may not be closed.`,
};

/** The cells without the guard that exports put before formulas. */
export function unguardCells(cells: readonly string[]): string[] {
  return cells.map(unguard);
}
