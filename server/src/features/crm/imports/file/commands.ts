import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fail } from "../../../../kernel/errors.ts";
import type { Queryable } from "../../../../platform/db/statement.ts";
import { COLUMN_NAME_MAX, COLUMNS_MAX, meantCells, ROWS_MAX } from "../model.ts";
import { createParser, createTextCheck, findDelimiter, type ParsedRow, refuseParse } from "./model.ts";
import { CHUNK_BYTES, type FileOf, fileFrom, insertChunk } from "./queries.ts";

const HEAD_BYTES = 64 * 1024;

/** A file that was stored: what its first line says, where its rows begin, and how many there are. */
export type StoredFile = { delimiter: string; columns: string[]; place: number; bytes: number; total: number };

/**
 * Stores a file piece by piece as it comes, and reads it through once on the way: whatever no row could be made of is refused
 * before the import is accepted, and how many rows there are is known from the start.
 */
export async function storeFile(db: Queryable, file: FileOf, source: AsyncIterable<Buffer>): Promise<StoredFile> {
  const pieces = source[Symbol.asyncIterator]();
  const head = await readHead(pieces);
  if (head.length === 0) fail("invalid_csv", { detail: "The file is empty." });
  const delimiter = findDelimiter(head.toString("utf8"));
  const stored: StoredFile = { delimiter, columns: [], place: 0, bytes: 0, total: 0 };
  const checkText = createTextCheck();
  let row = 0;

  async function* storing(): AsyncGenerator<Buffer, void> {
    const chunks = createChunks(db, file);
    for (let piece: Buffer | undefined = head; piece !== undefined; piece = nextOf(await pieces.next())) {
      checkText.push(piece);
      stored.bytes += piece.length;
      await chunks.push(piece);
      yield piece;
    }
    checkText.end();
    await chunks.end();
  }

  try {
    await pipeline(storing, createParser(delimiter, true), async (rows: AsyncIterable<ParsedRow>) => {
      for await (const { record, info } of rows) {
        row += 1;
        if (row === 1) Object.assign(stored, { columns: columnsOf(record), place: info.bytes });
        else if (!isBlank(record)) stored.total += 1;
        if (stored.total > ROWS_MAX)
          fail("invalid_csv", { detail: `A file has at most ${ROWS_MAX} rows.`, meta: { limit: ROWS_MAX } });
      }
    });
  } catch (error) {
    refuseParse(error);
  }
  return stored;
}

const nextOf = ({ done, value }: IteratorResult<Buffer, void>) => (done === true ? undefined : (value as Buffer));

/** Enough of the beginning to see its first line. */
async function readHead(pieces: AsyncIterator<Buffer, void>): Promise<Buffer> {
  const read: Buffer[] = [];
  let length = 0;
  while (length < HEAD_BYTES) {
    const piece = nextOf(await pieces.next());
    if (piece === undefined) break;
    read.push(piece);
    length += piece.length;
    if (piece.includes(0x0a)) break;
  }
  return Buffer.concat(read);
}

/** Bytes in pieces of any size, written in chunks of one. */
function createChunks(db: Queryable, file: FileOf) {
  let held: Buffer[] = [];
  let length = 0;
  let ordinal = 0;
  const write = async (data: Buffer) => {
    await insertChunk(db, file, ordinal, data);
    ordinal += 1;
  };
  return {
    async push(piece: Buffer): Promise<void> {
      held.push(piece);
      length += piece.length;
      if (length < CHUNK_BYTES) return;
      const all = Buffer.concat(held);
      let at = 0;
      for (; all.length - at >= CHUNK_BYTES; at += CHUNK_BYTES) await write(all.subarray(at, at + CHUNK_BYTES));
      held = [all.subarray(at)];
      length = all.length - at;
    },
    async end(): Promise<void> {
      if (length > 0) await write(Buffer.concat(held));
    },
  };
}

function columnsOf(record: string[]): string[] {
  const columns = meantCells(record).map((name) => name.trim());
  if (columns.every((name) => name === "")) fail("invalid_csv", { detail: "The first line must name the columns." });
  if (columns.length > COLUMNS_MAX)
    fail("invalid_csv", { detail: `A file has at most ${COLUMNS_MAX} columns.`, meta: { limit: COLUMNS_MAX } });
  if (columns.some((name) => name.length > COLUMN_NAME_MAX))
    fail("invalid_csv", {
      detail: `The name of a column has at most ${COLUMN_NAME_MAX} characters.`,
      meta: { limit: COLUMN_NAME_MAX },
    });
  return columns;
}

/** An empty line, or one of nothing but delimiters, as spreadsheets leave them at the end. */
function isBlank(record: readonly string[]): boolean {
  return record.every((cell) => cell === "");
}

export type FileRow = { row: number; cells: string[] };

/** Where reading goes on: the byte that the next row begins at, and the last row before it. */
export type FilePlace = { place: number; row: number };

export type RowBatch = FilePlace & { rows: FileRow[] };

/** Reads up to so many rows on from a place, fewer where they are long. */
export async function readRows(
  db: Queryable,
  file: FileOf,
  delimiter: string,
  from: FilePlace,
  limits: { rows: number; characters: number },
): Promise<RowBatch> {
  const stretch: RowBatch = { ...from, rows: [] };
  const source = Readable.from(fileFrom(db, file, from.place), { highWaterMark: 1 });
  const parser = createParser(delimiter, false);
  source.on("error", (error) => parser.destroy(error));
  let characters = 0;
  try {
    for await (const { record, info } of source.pipe(parser) as AsyncIterable<ParsedRow>) {
      stretch.row += 1;
      stretch.place = from.place + info.bytes;
      if (isBlank(record)) continue;
      stretch.rows.push({ row: stretch.row, cells: meantCells(record) });
      for (const cell of record) characters += cell.length;
      if (stretch.rows.length >= limits.rows || characters >= limits.characters) break;
    }
  } finally {
    source.destroy();
  }
  return stretch;
}
