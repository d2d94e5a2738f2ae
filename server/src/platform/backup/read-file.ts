import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { zstdDecompress } from "node:zlib";
import { countRows, damaged, type Head, type Manifest, PIECE_MAX, type TableEnd, type TableStart } from "./format.ts";
import { type Frames, openFrames } from "./frames.ts";

const decompress = promisify(zstdDecompress);

export type Receiver = {
  /** Consumes all pieces of a table and returns the number of rows. */
  table(start: TableStart, pieces: AsyncIterable<Buffer>): Promise<number>;
  /** Called once everything has been read and verified. */
  finish(manifest: Manifest): Promise<void>;
};

/** Reads a whole backup, and refuses it if any part is inconsistent with another. */
export async function readBackup(source: AsyncIterable<Buffer>, open: (head: Head) => Promise<Receiver>): Promise<Manifest> {
  const frames = openFrames(source);
  try {
    const head = await frames.json<Head>("H");
    const receiver = await open(head);
    const tables: TableEnd[] = [];
    while ((await frames.peek()) === "T") tables.push(await readTable(frames, receiver));
    const manifest = await frames.json<Manifest>("M");
    requireConsistent(head, tables, manifest);
    await frames.finish();
    await receiver.finish(manifest);
    return manifest;
  } finally {
    await frames.close();
  }
}

function requireConsistent({ tables: names, ...stated }: Head, tables: TableEnd[], manifest: Manifest): void {
  const { tables: ends, rows: _rows, bytes: _bytes, sequences: _sequences, ...confirmed } = manifest;
  const found = tables.map(({ name }) => name);
  requireSame(stated, confirmed, "its header and its manifest differ");
  requireSame([names, tables], [found, ends], "it does not contain the tables that it lists");
}

async function readTable(frames: Frames, receiver: Receiver): Promise<TableEnd> {
  const start = await frames.json<TableStart>("T");
  const hash = createHash("sha256");
  let bytes = 0;
  async function* pieces(): AsyncGenerator<Buffer> {
    while ((await frames.peek()) === "D") {
      const { payload } = await frames.next();
      const piece = await decompress(payload, { maxOutputLength: PIECE_MAX }).catch(() => {
        throw damaged(`rows of ${start.name} cannot be decompressed`);
      });
      hash.update(piece);
      bytes += piece.length;
      yield piece;
    }
  }
  const rows = await receiver.table(start, pieces());
  const end = await frames.json<TableEnd>("E");
  requireSame(
    { name: start.name, rows, bytes, sha256: hash.digest("hex") },
    end,
    `the checksum of the rows of ${start.name} does not match`,
  );
  return end;
}

/** Compares JSON that we wrote ourselves, so the order of members is the same. */
function requireSame(one: unknown, other: unknown, fault: string): void {
  if (JSON.stringify(one) !== JSON.stringify(other)) throw damaged(fault);
}

/** Verifies a backup without a database. */
export function checkBackup(source: AsyncIterable<Buffer>): Promise<Manifest> {
  return readBackup(source, async () => ({
    async table(_start, pieces) {
      let rows = 0;
      for await (const piece of pieces) rows += countRows(piece);
      return rows;
    },
    finish: async () => undefined,
  }));
}
