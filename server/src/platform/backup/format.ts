import { crc32 } from "node:zlib";

/** docs/backup.md describes the format. */
export const MAGIC = "TRIBUTARY BACKUP";
export const FORMAT = 1;
export const HEADER = Buffer.from(`${MAGIC} ${FORMAT}\n`);
/** Longer than any header: a file without a line break by then is no backup. */
export const HEADER_MAX = 64;

/** A frame holds at most one piece of a table's rows, which compression may enlarge slightly. */
export const PIECE_MAX = 1 << 20;
export const FRAME_MAX = 2 * PIECE_MAX;
export const FRAME_HEAD = 9;

export type FrameKind = "H" | "T" | "D" | "E" | "M" | "Z";

export type Migrated = { number: number; checksum: string };

/** What a restore needs to know before the first row. */
export type Origin = {
  version: string;
  postgres: string;
  created_at: string;
  /** In order; the rows belong to the last one. */
  migrations: Migrated[];
  key_fingerprint: string | null;
};
export type Head = Origin & { tables: string[] };

export type Partition = { name: string; from: string; to: string };
export type TableStart = { name: string; columns: string[]; partitions: Partition[] };
export type TableEnd = { name: string; rows: number; bytes: number; sha256: string };
export type Sequence = { name: string; value: string; called: boolean };

/** The summary, at the end because only then it is known. */
export type Manifest = Origin & { tables: TableEnd[]; rows: number; bytes: number; sequences: Sequence[] };

/** The reason why a file or a database is refused, and a remedy. */
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

/** A frame: kind, length, checksum and payload. */
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

/** A row of COPY is a line: line breaks inside values are escaped as `\n`. */
export function countRows(piece: Buffer): number {
  let rows = 0;
  for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) rows += 1;
  return rows;
}
