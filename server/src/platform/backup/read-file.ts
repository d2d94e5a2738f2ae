import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { zstdDecompress } from "node:zlib";
import { countRows, damaged, type Head, type Manifest, PIECE_MAX, type TableEnd, type TableStart } from "./format.ts";
import { type Frames, openFrames } from "./frames.ts";

const decompress = promisify(zstdDecompress);

export type Receiver = {
  /** Takes all pieces of a table and says how many rows they were. */
  table(start: TableStart, pieces: AsyncIterable<Buffer>): Promise<number>;
  /** Called once everything has been read and agrees. */
  finish(manifest: Manifest): Promise<void>;
};

/** Reads a backup from its first byte to its last, and refuses it where anything disagrees with anything else. */
export async function readBackup(source: AsyncIterable<Buffer>, open: (head: Head) => Promise<Receiver>): Promise<Manifest> {
  const frames = openFrames(source);
  try {
    const head = await frames.json<Head>("H");
    const receiver = await open(head);
    const tables: TableEnd[] = [];
    while ((await frames.peek()) === "T") tables.push(await readTable(frames, receiver));
    const manifest = await frames.json<Manifest>("M");
    requireOneStory(head, tables, manifest);
    await frames.finish();
    await receiver.finish(manifest);
    return manifest;
  } finally {
    await frames.close();
  }
}

function requireOneStory({ tables: names, ...told }: Head, tables: TableEnd[], manifest: Manifest): void {
  const { tables: ends, rows: _rows, bytes: _bytes, sequences: _sequences, ...retold } = manifest;
  const found = tables.map(({ name }) => name);
  requireSame(told, retold, "its beginning and its end do not tell the same");
  requireSame([names, tables], [found, ends], "it does not hold the tables that it lists");
}

async function readTable(frames: Frames, receiver: Receiver): Promise<TableEnd> {
  const start = await frames.json<TableStart>("T");
  const hash = createHash("sha256");
  let bytes = 0;
  async function* pieces(): AsyncGenerator<Buffer> {
    while ((await frames.peek()) === "D") {
      const { payload } = await frames.next();
      const piece = await decompress(payload, { maxOutputLength: PIECE_MAX }).catch(() => {
        throw damaged(`rows of ${start.name} cannot be unpacked`);
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
    `the rows of ${start.name} are not those that were written`,
  );
  return end;
}

/** Both are JSON that we wrote, with their members in the same order. */
function requireSame(one: unknown, other: unknown, fault: string): void {
  if (JSON.stringify(one) !== JSON.stringify(other)) throw damaged(fault);
}

/** Reads a backup to its end without a database. */
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
