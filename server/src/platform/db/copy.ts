import { once } from "node:events";
import { Readable } from "node:stream";
import pg from "pg";
import type { Session } from "./session.ts";

/** Rows are buffered up to this size: the server sends a message for every row. */
const CHUNK = 1 << 20;

/** Methods of the driver's connection that its types leave out. */
type CopyConnection = pg.Connection & {
  sendCopyFromChunk(chunk: Buffer): void;
  sendCopyFail(message: string): void;
  endCopyFrom(): void;
};

/** The rows of `copy … to stdout` in chunks of up to a megabyte, and their count once all chunks are read. */
export function copyOut(session: Session, text: string): { chunks: Readable; rows: Promise<number> } {
  const query = new CopyOut(session, text);
  session.query(query);
  return { chunks: query.chunks, rows: query.counted };
}

/** Feeds chunks to `copy … from stdin`, with backpressure. Returns the number of rows. */
export async function copyIn(session: Session, text: string, pieces: AsyncIterable<Buffer>): Promise<number> {
  const query = new CopyIn(text);
  session.query(query);
  await Promise.race([query.ready, query.counted]);
  const connection = session.connection as CopyConnection;
  const { stream } = connection;
  const over = query.counted.then(
    () => undefined,
    () => undefined,
  );
  try {
    for await (const piece of pieces) {
      if (query.failed) break;
      connection.sendCopyFromChunk(piece);
      if (stream.writableNeedDrain) await Promise.race([once(stream, "drain"), over]);
    }
  } catch (error) {
    connection.sendCopyFail("the source failed");
    await over;
    throw error;
  }
  if (!query.failed) connection.endCopyFrom();
  return query.counted;
}

/** The number at the end of a command tag such as `COPY 12`. */
function rowsOf(tag: string): number {
  return Number(tag.split(" ").at(-1));
}

/** The shared part: the driver's interface for query classes, and the row count from the command tag. */
class CopyQuery extends pg.Query {
  readonly counted: Promise<number>;
  protected readonly ending = Promise.withResolvers<number>();
  #tag = "";

  constructor(text: string) {
    super(text);
    this.counted = this.ending.promise;
    this.counted.catch(() => undefined);
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#tag = text;
  }

  handleReadyForQuery(): void {
    this.ending.resolve(rowsOf(this.#tag));
  }

  handleError(error: Error): void {
    this.ending.reject(error);
  }
}

class CopyOut extends CopyQuery {
  readonly chunks: Readable;
  #gathered = Buffer.allocUnsafe(CHUNK);
  #length = 0;
  #over = false;

  constructor(session: Session, text: string) {
    super(text);
    const { stream } = session.connection;
    this.chunks = new Readable({
      objectMode: true,
      highWaterMark: 2,
      read: () => void stream.resume(),
      destroy: (error, done) => {
        // A reader that stops early gives the connection up: the rest would have to be read first.
        if (!this.#over) stream.destroy();
        done(error);
      },
    });
    this.chunks.on("error", () => undefined);
  }

  /** The driver reuses its buffer, so the row is copied at once. */
  handleCopyData({ chunk }: { chunk: Buffer }, { stream }: pg.Connection): void {
    for (let taken = 0; taken < chunk.length; ) {
      const count = chunk.copy(this.#gathered, this.#length, taken);
      taken += count;
      this.#length += count;
      if (this.#length === CHUNK && !this.#handOn()) stream.pause();
    }
  }

  #handOn(): boolean {
    const full = this.#gathered.subarray(0, this.#length);
    this.#gathered = Buffer.allocUnsafe(CHUNK);
    this.#length = 0;
    return this.chunks.push(full);
  }

  override handleReadyForQuery(): void {
    this.#over = true;
    if (this.#length > 0) this.#handOn();
    this.chunks.push(null);
    super.handleReadyForQuery();
  }

  override handleError(error: Error): void {
    this.#over = true;
    this.chunks.destroy(error);
    super.handleError(error);
  }
}

class CopyIn extends CopyQuery {
  failed = false;
  readonly ready: Promise<void>;
  readonly #readying = Promise.withResolvers<void>();

  constructor(text: string) {
    super(text);
    this.ready = this.#readying.promise;
  }

  handleCopyInResponse(): void {
    this.#readying.resolve();
  }

  override handleError(error: Error): void {
    this.failed = true;
    super.handleError(error);
  }
}
