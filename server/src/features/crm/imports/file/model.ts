import { isUtf8 } from "node:buffer";
import { fail } from "../../../../kernel/errors.ts";
import { unguard } from "../../../../platform/http/csv.ts";

/** The most frequent delimiter of the first line, outside of quotes. */
export function findDelimiter(head: string): string {
  const line = head.replaceAll(/"(?:[^"]|"")*"/g, "").split(/[\r\n]/, 1)[0] ?? "";
  const counts = [",", ";", "\t"].map((delimiter) => [delimiter, line.split(delimiter).length] as const);
  return counts.reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

const BYTE_ORDER_MARK = Buffer.from("\ufeff");

/** The offset of the text: after the byte order mark, where there is one. */
export function textOffset(head: Buffer): number {
  return head.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
}

const NEW_LINE = 0x0a;

/** Refuses bytes that are not text, with the number of their line. Checks complete characters. */
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
    push(block: Buffer): void {
      const whole = rest.length === 0 ? block : Buffer.concat([rest, block]);
      const end = whole.length - incompleteBytes(whole);
      check(whole.subarray(0, end));
      rest = whole.subarray(end);
    },
    end: () => check(rest),
  };
}

/** How many bytes at the end belong to a character whose other bytes are still to come: at most three. */
function incompleteBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0;
  }
  return 0;
}

/** The cells without the guard that exports put before formulas. */
export function unguardCells(cells: readonly string[]): string[] {
  return cells.map(unguard);
}

/** An empty line, or one of delimiters only, as spreadsheets leave them at the end. */
export function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell === "");
}
