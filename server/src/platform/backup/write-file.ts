import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { constants, zstdCompress } from "node:zlib";
import { encodeFrame, type FrameKind, HEADER, type Head, type Manifest, type TableEnd, type TableStart } from "./format.ts";

const compress = promisify(zstdCompress);
/** The fastest level keeps up with the database; the next ones gain a few percent for twice the time. */
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Writes bytes and resolves when it can accept more. */
export type Sink = { write(bytes: Buffer): Promise<void> };

export type BackupWriter = {
  head(head: Head): Promise<void>;
  /** Writes a table's rows; `rows` is called at the end. */
  table(start: TableStart, chunks: AsyncIterable<Buffer>, rows: () => Promise<number>): Promise<TableEnd>;
  manifest(manifest: Manifest): Promise<void>;
};

export function createBackupWriter(sink: Sink): BackupWriter {
  const everything = createHash("sha256");
  const send = async (bytes: Buffer) => {
    everything.update(bytes);
    await sink.write(bytes);
  };
  const frame = (kind: FrameKind, content: object) => send(encodeFrame(kind, Buffer.from(JSON.stringify(content))));
  return {
    async head(head) {
      await send(HEADER);
      await frame("H", head);
    },
    async table(start, chunks, rows) {
      await frame("T", start);
      const hash = createHash("sha256");
      let bytes = 0;
      // A piece is compressed on another thread while the previous one is written and the next one read.
      let writing = Promise.resolve();
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        const compressed = compress(chunk, FAST);
        await writing;
        writing = compressed.then((payload) => send(encodeFrame("D", payload)));
        writing.catch(() => undefined);
      }
      await writing;
      const end = { name: start.name, rows: await rows(), bytes, sha256: hash.digest("hex") };
      await frame("E", end);
      return end;
    },
    async manifest(manifest) {
      await frame("M", manifest);
      await sink.write(encodeFrame("Z", everything.digest()));
    },
  };
}
