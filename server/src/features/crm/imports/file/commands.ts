import { setImmediate as nextTurn } from "node:timers/promises";
import { fail } from "../../../../kernel/errors.ts";
import type { Queryable } from "../../../../platform/db/statement.ts";
import { COLUMN_NAME_MAX, ROWS_MAX } from "../model.ts";
import { createTextCheck, findDelimiter, isBlank, textOffset, unguardCells } from "./model.ts";
import { type FilePosition, type ParsedRow, Parser } from "./parser.model.ts";
import { CHUNK_BYTES, type FileId, insertChunk, readFrom } from "./queries.ts";

/** How much is parsed at once: a few milliseconds of work at most, then other requests have their turn. */
const SLICE_BYTES = 64 * 1024;

/** A stored file: its columns, the offset of its first row, its size, and its number of rows. */
export type StoredFile = { delimiter: string; columns: string[]; byte_offset: number; bytes: number; total: number };

/** Stores a file in chunks while it is uploaded, and parses it once, so that malformed files are refused and the number of rows is known. */
export async function storeFile(db: Queryable, file: FileId, source: AsyncIterable<Buffer>): Promise<StoredFile> {
  const stored: StoredFile = { delimiter: ",", columns: [], byte_offset: 0, bytes: 0, total: 0 };
  const checkText = createTextCheck();
  let parser: Parser | null = null;
  let ordinal = 0;
  for await (const block of blocksOf(source)) {
    const inserted = insertChunk(db, file, ordinal, block);
    // It may fail before it is waited for.
    inserted.catch(() => undefined);
    // Parsed while it is being inserted. A refusal waits for the insert, so that nothing is stored after it.
    try {
      checkText.push(block);
      const from: number = parser === null ? textOffset(block) : 0;
      if (parser === null) stored.delimiter = findDelimiter(block.toString("utf8", from, SLICE_BYTES));
      parser ??= new Parser(stored.delimiter, { byte_offset: from, row: 0 });
      for (let at = from; at < block.length; at += SLICE_BYTES) {
        count(stored, parser.push(block.subarray(at, at + SLICE_BYTES)));
        await nextTurn();
      }
    } finally {
      await inserted;
    }
    stored.bytes += block.length;
    ordinal += 1;
  }
  if (parser === null) fail("invalid_csv", { detail: "The file is empty." });
  checkText.end();
  count(stored, parser.end());
  return stored;
}

/** Counts rows; the first one has the columns. Blank rows are not imported, but count for the limit: reading them is work too. */
function count(stored: StoredFile, rows: Iterable<ParsedRow>): void {
  for (const { cells, row, byte_offset } of rows) {
    if (row === 1) Object.assign(stored, { columns: columnsOf(cells), byte_offset });
    else if (!isBlank(cells)) stored.total += 1;
    if (row > ROWS_MAX + 1)
      fail("invalid_csv", {
        detail: `A file may have at most ${ROWS_MAX} rows, including blank ones.`,
        meta: { limit: ROWS_MAX },
      });
  }
}

/** The bytes in blocks of one size, whatever the size of the pieces in which they arrive. */
async function* blocksOf(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let block = Buffer.allocUnsafe(CHUNK_BYTES);
  let filled = 0;
  for await (const piece of source) {
    for (let at = 0; at < piece.length; ) {
      const copied = piece.copy(block, filled, at);
      at += copied;
      filled += copied;
      if (filled < CHUNK_BYTES) continue;
      yield block;
      block = Buffer.allocUnsafe(CHUNK_BYTES);
      filled = 0;
    }
  }
  if (filled > 0) yield block.subarray(0, filled);
}

function columnsOf(cells: string[]): string[] {
  const columns = unguardCells(cells).map((name) => name.trim());
  if (columns.every((name) => name === "")) fail("invalid_csv", { detail: "The first line must name the columns." });
  if (columns.some((name) => name.length > COLUMN_NAME_MAX))
    fail("invalid_csv", {
      detail: `The name of a column may have at most ${COLUMN_NAME_MAX} characters.`,
      meta: { limit: COLUMN_NAME_MAX },
    });
  return columns;
}

export type FileRow = { row: number; cells: string[] };

export type RowBatch = FilePosition & { rows: FileRow[] };

/** Reads the next rows from a position, up to a number of rows and of bytes. */
export async function readRows(
  db: Queryable,
  file: FileId,
  delimiter: string,
  from: FilePosition,
  limits: { rows: number; bytes: number },
): Promise<RowBatch> {
  const batch: RowBatch = { ...from, rows: [] };
  const parser = new Parser(delimiter, from);
  /** Whether the batch is full after some rows. */
  const add = (parsed: Iterable<ParsedRow>): boolean => {
    for (const { cells, row, byte_offset } of parsed) {
      Object.assign(batch, { row, byte_offset });
      if (!isBlank(cells)) batch.rows.push({ row, cells: unguardCells(cells) });
      if (batch.rows.length >= limits.rows || byte_offset - from.byte_offset >= limits.bytes) return true;
    }
    return false;
  };
  for await (const slice of readFrom(db, file, from.byte_offset)) if (add(parser.push(slice))) return batch;
  add(parser.end());
  return batch;
}
