import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { fail } from "../../kernel/errors.ts";

/** The upload that a route accepts instead of JSON: a streamed file of one type. */
export type UploadRule = { type: "text/csv" | "application/octet-stream"; bytes_max: number };

/** A file that is being uploaded: streamed once, never held in memory as a whole. */
export class Upload {
  /** The hash of the file, known once it has been read completely. */
  sha256: string | null = null;
  readonly #stream: Readable;
  readonly #bytes_max: number;

  constructor(stream: Readable, bytes_max: number) {
    this.#stream = stream;
    this.#bytes_max = bytes_max;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void> {
    const hash = createHash("sha256");
    let bytes = 0;
    try {
      // Not destroyed on an early refusal: the reply is sent over the same connection.
      for await (const piece of this.#stream.iterator({ destroyOnReturn: false })) {
        bytes += (piece as Buffer).length;
        if (bytes > this.#bytes_max) refuseSize(this.#bytes_max);
        hash.update(piece as Buffer);
        yield piece as Buffer;
      }
      this.sha256 = hash.digest("hex");
    } finally {
      // The rest of a refused file is discarded: a caller that still sends would otherwise block its connection, and a drain.
      this.#stream.resume();
    }
  }
}

function refuseSize(limit_bytes: number): never {
  fail("payload_too_large", {
    detail: `The file may have at most ${limit_bytes} bytes.`,
    meta: { limit_bytes },
    headers: { connection: "close" },
  });
}

/** Lets the routes of an encapsulated instance accept uploads of a type. */
export function acceptUploads(app: FastifyInstance, { type, bytes_max }: UploadRule): void {
  app.addContentTypeParser(type, async (request: FastifyRequest, stream: Readable) => {
    const {
      "content-type": media_type = "",
      "content-encoding": encoding = "identity",
      "content-length": length,
    } = request.headers;
    if (!/^[\w/-]+ *(;(?! *charset=(?!"?(?:utf-8|us-ascii)"?\b)).*)?$/i.test(media_type))
      fail("unsupported_media_type", { detail: "Send the file in UTF-8." });
    if (encoding !== "identity") fail("unsupported_media_type", { detail: "Send the body without a Content-Encoding." });
    if (Number(length) > bytes_max) refuseSize(bytes_max);
    return new Upload(stream, bytes_max);
  });
}
