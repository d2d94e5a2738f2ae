import { fail } from "../../../../kernel/errors.ts";
import { COLUMNS_MAX } from "../model.ts";

/** The longest row that is parsed, in bytes. A longer one is most likely a quote that was not closed. */
const ROW_BYTES_MAX = 4 * 1024 * 1024;

const QUOTE = 0x22;
const NEW_LINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The position in a file: the offset of the next row, and the number of the last row before it. */
export type FilePosition = { byte_offset: number; row: number };

/** A parsed row, and the position after it. */
export type ParsedRow = FilePosition & { cells: string[] };

/** Where the parser is: before a cell, in one, in a quoted one, after a quote within that, or after a carriage return that ended a row. */
type Place = "before" | "plain" | "quoted" | "closed" | "ended";

/**
 * Parses CSV block by block: rows that end with CR, LF or both, and cells in quotes where they need them. Each byte is examined once,
 * whatever the rows look like, so the cost of a file depends on its size only. Rows are numbered as in a spreadsheet.
 */
export class Parser {
  readonly #delimiter: number;
  #place: Place = "before";
  #cells: string[] = [];
  /** The beginning of a cell that started in an earlier block. */
  #parts: Buffer[] = [];
  /** Whether the cell has quotes within its quotes. */
  #escaped = false;
  #row: number;
  #row_offset: number;
  #block_offset: number;

  constructor(delimiter: string, { row, byte_offset }: FilePosition) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#row = row;
    this.#row_offset = byte_offset;
    this.#block_offset = byte_offset;
  }

  /** The rows that end in the next block. */
  *push(block: Buffer): Generator<ParsedRow, void> {
    let start = 0;
    for (let at = 0; at < block.length; at += 1) {
      if (this.#place === "quoted") {
        at = block.indexOf(QUOTE, at);
        if (at < 0) break;
        this.#place = "closed";
        continue;
      }
      const byte = block[at] ?? 0;
      if (this.#place === "ended") {
        start = byte === NEW_LINE ? at + 1 : at;
        yield this.#endRow(this.#block_offset + start);
        if (byte === NEW_LINE) continue;
      }
      if (byte === QUOTE) {
        if (this.#place === "before") start = at + 1;
        this.#openQuote();
      } else if (byte === this.#delimiter || byte === NEW_LINE || byte === CARRIAGE_RETURN) {
        this.#endCell(block, start, at);
        start = at + 1;
        if (byte === NEW_LINE) yield this.#endRow(this.#block_offset + start);
        else if (byte === CARRIAGE_RETURN) this.#place = "ended";
      } else if (this.#place === "closed") {
        this.#refuse("a closing quote is followed by more text. Write a quote within quotes twice.");
      } else this.#place = "plain";
    }
    if (start < block.length) this.#parts.push(block.subarray(start));
    this.#block_offset += block.length;
    this.#refuseLongRow(this.#block_offset);
  }

  /** The last row, where it has no end of its own. */
  *end(): Generator<ParsedRow, void> {
    if (this.#place === "quoted") this.#refuse("a quote is never closed.");
    if (this.#place === "before" && this.#cells.length === 0) return;
    if (this.#place !== "ended") this.#endCell(EMPTY, 0, 0);
    yield this.#endRow(this.#block_offset);
  }

  #openQuote(): void {
    if (this.#place === "plain")
      this.#refuse("a quote is in the middle of a cell. Put the whole cell in quotes, and write the quote twice.");
    if (this.#place === "closed") this.#escaped = true;
    this.#place = "quoted";
  }

  #endCell(block: Buffer, start: number, end: number): void {
    if (this.#cells.length === COLUMNS_MAX) this.#refuse(`a file may have at most ${COLUMNS_MAX} columns.`);
    let text = this.#textOf(block, start, end);
    if (this.#place === "closed") text = this.#escaped ? text.slice(0, -1).replaceAll('""', '"') : text.slice(0, -1);
    this.#cells.push(text);
    this.#escaped = false;
    this.#place = "before";
  }

  #textOf(block: Buffer, start: number, end: number): string {
    if (this.#parts.length > 0) return Buffer.concat([...this.#parts.splice(0), block.subarray(start, end)]).toString();
    // Decoding costs far more than comparing, and most cells of a hostile file are empty.
    return start === end ? "" : block.toString("utf8", start, end);
  }

  #endRow(byte_offset: number): ParsedRow {
    this.#refuseLongRow(byte_offset);
    this.#row += 1;
    this.#row_offset = byte_offset;
    this.#place = "before";
    const cells = this.#cells;
    this.#cells = [];
    return { cells, row: this.#row, byte_offset };
  }

  #refuseLongRow(byte_offset: number): void {
    if (byte_offset - this.#row_offset > ROW_BYTES_MAX)
      this.#refuse(`the row is longer than ${ROW_BYTES_MAX} bytes. A quote may not be closed.`);
  }

  #refuse(problem: string): never {
    fail("invalid_csv", { detail: `Row ${this.#row + 1}: ${problem}`, meta: { row: this.#row + 1 } });
  }
}

const EMPTY = Buffer.alloc(0);
