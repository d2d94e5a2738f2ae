import { crc32 } from "node:zlib";

/** docs/backup.md describes the format for readers. */
export const MAGIC = "TRIBUTARY BACKUP";
export const FORMAT = 1;
export const HEADER = Buffer.from(`${MAGIC} ${FORMAT}\n`);
/** Far more than any header line of ours: what has no line break by then is something else. */
export const HEADER_MAX = 64;

/** No frame holds more than a piece of a table's rows, which compression may make a little longer. */
export const PIECE_MAX = 1 << 20;
export const FRAME_MAX = 2 * PIECE_MAX;
export const FRAME_HEAD = 9;

export type FrameKind = "H" | "T" | "D" | "E" | "M" | "Z";

export type Migrated = { number: number; checksum: string };

/** What a restore must know before the first row. */
export type Origin = {
  version: string;
  postgres: string;
  created_at: string;
  /** In order; the last is the one that the rows belong to. */
  migrations: Migrated[];
  key_fingerprint: string | null;
};
export type Head = Origin & { tables: string[] };

export type Partition = { name: string; from: string; to: string };
export type TableStart = { name: string; columns: string[]; partitions: Partition[] };
export type TableEnd = { name: string; rows: number; bytes: number; sha256: string };
export type Sequence = { name: string; value: string; called: boolean };

/** The whole account, at the end because only then it is known. */
export type Manifest = Origin & { tables: TableEnd[]; rows: number; bytes: number; sequences: Sequence[] };

/** Why a file or a database is refused, and the way out. */
export class BackupRefused extends Error {
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}

export function damaged(what: string): BackupRefused {
  return new BackupRefused(`The backup is damaged: ${what}.`, "Nothing was changed. Use another copy.");
}

/** A frame's kind, its length, a check of all of it, and the payload. */
export function encodeFrame(kind: FrameKind, payload: Buffer): Buffer {
  const head = Buffer.alloc(FRAME_HEAD);
  head.write(kind, 0, "latin1");
  head.writeUInt32BE(payload.length, 1);
  head.writeUInt32BE(frameCheck(head, payload), 5);
  return Buffer.concat([head, payload]);
}

export function frameCheck(head: Buffer, payload: Buffer): number {
  return crc32(payload, crc32(head.subarray(0, 5)));
}

/** A row of COPY is a line: line breaks inside values are written as `\n`. */
export function countRows(piece: Buffer): number {
  let rows = 0;
  for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) rows += 1;
  return rows;
}
