import { createHash } from "node:crypto";
import {
  BackupRefused,
  damaged,
  FORMAT,
  FRAME_HEAD,
  FRAME_MAX,
  type FrameKind,
  frameCheck,
  HEADER_MAX,
  MAGIC,
} from "./format.ts";

export type Frame = { kind: FrameKind; payload: Buffer };

export type Frames = {
  /** The kind of the next frame. */
  peek(): Promise<FrameKind>;
  next(): Promise<Frame>;
  /** The next frame, which must be of this kind. */
  json<Content>(kind: FrameKind): Promise<Content>;
  /** Verifies the file's checksum, and that nothing follows it. */
  finish(): Promise<void>;
  /** Closes the source. */
  close(): Promise<void>;
};

/** Reads the header, then frame by frame, each verified before it is returned. */
export function openFrames(source: AsyncIterable<Buffer>): Frames {
  const bytes = createByteReader(source);
  const everything = createHash("sha256");
  let begun = false;
  let ahead: Frame | null = null;

  async function read(): Promise<Frame> {
    if (!begun) everything.update(await readHeader(bytes));
    begun = true;
    const head = await bytes.take(FRAME_HEAD);
    const length = head.readUInt32BE(1);
    if (length > FRAME_MAX) throw damaged("a frame has an impossible length");
    const payload = await bytes.take(length);
    if (head.readUInt32BE(5) !== frameCheck(head, payload)) throw damaged("the checksum of a frame does not match");
    const kind = head.toString("latin1", 0, 1) as FrameKind;
    if (kind !== "Z") everything.update(head).update(payload);
    return { kind, payload };
  }

  const frames: Frames = {
    async peek() {
      ahead ??= await read();
      return ahead.kind;
    },
    async next() {
      const frame = ahead ?? (await read());
      ahead = null;
      return frame;
    },
    async json<Content>(kind: FrameKind) {
      const frame = await frames.next();
      if (frame.kind !== kind) throw damaged("its frames are not in order");
      return JSON.parse(frame.payload.toString()) as Content;
    },
    async finish() {
      const { kind, payload } = await frames.next();
      if (kind !== "Z") throw damaged("its frames are not in order");
      if (!payload.equals(everything.digest())) throw damaged("its checksum does not match");
      if (!(await bytes.atEnd())) throw damaged("there is data after its end");
    },
    close: bytes.close,
  };
  return frames;
}

async function readHeader(bytes: ByteReader): Promise<Buffer> {
  const line = await bytes.line(HEADER_MAX);
  const format = new RegExp(`^${MAGIC} (\\d{1,6})\n$`).exec(line.toString("latin1"))?.[1];
  if (format === undefined)
    throw new BackupRefused("This is not a backup of Tributary.", "Its first line is not that of a backup: check the file name.");
  if (Number(format) > FORMAT) {
    throw new BackupRefused(
      `The backup has format ${format}; this version reads formats up to ${FORMAT}.`,
      "Use the version that wrote it, or a newer one.",
    );
  }
  if (Number(format) !== FORMAT) throw damaged(`there is no format ${format}`);
  return line;
}

type ByteReader = {
  take(length: number): Promise<Buffer>;
  line(length_max: number): Promise<Buffer>;
  atEnd(): Promise<boolean>;
  close(): Promise<void>;
};

function createByteReader(source: AsyncIterable<Buffer>): ByteReader {
  const input = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  /** Buffers at least `length` bytes; false if the source ends before. */
  async function gather(length: number): Promise<boolean> {
    const parts = [rest];
    let gathered = rest.length;
    while (gathered < length) {
      const { done, value } = await input.next();
      if (done === true) break;
      parts.push(value);
      gathered += value.length;
    }
    if (parts.length > 1) rest = Buffer.concat(parts);
    return gathered >= length;
  }

  function cut(length: number): Buffer {
    const bytes = rest.subarray(0, length);
    rest = rest.subarray(length);
    return bytes;
  }

  return {
    async take(length) {
      if (!(await gather(length))) throw damaged("it ends too early");
      return cut(length);
    },
    async line(length_max) {
      await gather(length_max);
      return cut(rest.subarray(0, length_max).indexOf("\n") + 1);
    },
    async atEnd() {
      return !(await gather(1));
    },
    async close() {
      await input.return?.();
    },
  };
}
