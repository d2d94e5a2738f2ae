import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fail } from "../../../../kernel/errors.ts";
import type { Queryable } from "../../../../platform/db/statement.ts";
import { COLUMN_NAME_MAX, COLUMNS_MAX, ROWS_MAX } from "../model.ts";
import { createParser, createTextCheck, findDelimiter, type ParsedRow, refuseParse, unguardCells } from "./model.ts";
import { CHUNK_BYTES, type FileId, insertChunk, readFrom } from "./queries.ts";

const HEAD_BYTES = 64 * 1024;

/** A stored file: its columns, the offset of its first row, its size, and its number of rows. */
export type StoredFile = { delimiter: string; columns: string[]; byte_offset: number; bytes: number; total: number };

/** Stores a file in chunks while it is uploaded, and parses it once, so that malformed files are refused and the number of rows is known. */
export async function storeFile(db: Queryable, file: FileId, source: AsyncIterable<Buffer>): Promise<StoredFile> {
  const pieces = source[Symbol.asyncIterator]();
  const head = await readHead(pieces);
  if (head.length === 0) fail("invalid_csv", { detail: "The file is empty." });
  const delimiter = findDelimiter(head.toString("utf8"));
  const stored: StoredFile = { delimiter, columns: [], byte_offset: 0, bytes: 0, total: 0 };
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
        if (row === 1) Object.assign(stored, { columns: columnsOf(record), byte_offset: info.bytes });
        else if (!isBlank(record)) stored.total += 1;
        if (stored.total > ROWS_MAX)
          fail("invalid_csv", { detail: `A file may have at most ${ROWS_MAX} rows.`, meta: { limit: ROWS_MAX } });
      }
    });
  } catch (error) {
    refuseParse(error);
  }
  return stored;
}

const nextOf = ({ done, value }: IteratorResult<Buffer, void>) => (done === true ? undefined : (value as Buffer));

/** The beginning of the file, with its first line. */
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

/** Collects pieces of any size and writes them in chunks of one size. */
function createChunks(db: Queryable, file: FileId) {
  let pending: Buffer[] = [];
  let length = 0;
  let ordinal = 0;
  const write = async (data: Buffer) => {
    await insertChunk(db, file, ordinal, data);
    ordinal += 1;
  };
  return {
    async push(piece: Buffer): Promise<void> {
      pending.push(piece);
      length += piece.length;
      if (length < CHUNK_BYTES) return;
      const all = Buffer.concat(pending);
      let at = 0;
      for (; all.length - at >= CHUNK_BYTES; at += CHUNK_BYTES) await write(all.subarray(at, at + CHUNK_BYTES));
      pending = [all.subarray(at)];
      length = all.length - at;
    },
    async end(): Promise<void> {
      if (length > 0) await write(Buffer.concat(pending));
    },
  };
}

function columnsOf(record: string[]): string[] {
  const columns = unguardCells(record).map((name) => name.trim());
  if (columns.every((name) => name === "")) fail("invalid_csv", { detail: "The first line must name the columns." });
  if (columns.length > COLUMNS_MAX)
    fail("invalid_csv", { detail: `A file may have at most ${COLUMNS_MAX} columns.`, meta: { limit: COLUMNS_MAX } });
  if (columns.some((name) => name.length > COLUMN_NAME_MAX))
    fail("invalid_csv", {
      detail: `The name of a column may have at most ${COLUMN_NAME_MAX} characters.`,
      meta: { limit: COLUMN_NAME_MAX },
    });
  return columns;
}

/** An empty line, or one of delimiters only, as spreadsheets leave them at the end. */
function isBlank(record: readonly string[]): boolean {
  return record.every((cell) => cell === "");
}

export type FileRow = { row: number; cells: string[] };

/** The position in a file: the offset of the next row, and the number of the last row before it. */
export type FilePosition = { byte_offset: number; row: number };

export type RowBatch = FilePosition & { rows: FileRow[] };

/** Reads the next rows from a position, up to a number of rows and of characters. */
export async function readRows(
  db: Queryable,
  file: FileId,
  delimiter: string,
  from: FilePosition,
  limits: { rows: number; characters: number },
): Promise<RowBatch> {
  const batch: RowBatch = { ...from, rows: [] };
  const source = Readable.from(readFrom(db, file, from.byte_offset), { highWaterMark: 1 });
  const parser = createParser(delimiter, false);
  source.on("error", (error) => parser.destroy(error));
  let characters = 0;
  try {
    for await (const { record, info } of source.pipe(parser) as AsyncIterable<ParsedRow>) {
      batch.row += 1;
      batch.byte_offset = from.byte_offset + info.bytes;
      if (isBlank(record)) continue;
      batch.rows.push({ row: batch.row, cells: unguardCells(record) });
      for (const cell of record) characters += cell.length;
      if (batch.rows.length >= limits.rows || characters >= limits.characters) break;
    }
  } finally {
    source.destroy();
  }
  return batch;
}
