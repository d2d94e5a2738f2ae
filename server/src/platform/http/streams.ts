import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { fail } from "../../kernel/errors.ts";

/** How often a reader's key is checked again. */
const READMIT_EVERY_MS = 5_000;
/** A reader that consumes nothing for this long is disconnected. */
const STALLED_AFTER_MS = 60_000;
/** The maximum of open streams per partner and process. */
const OPEN_MAX = 20;

export const STREAM_TYPES = { events: "text/event-stream", csv: "text/csv" } as const;
export type StreamType = keyof typeof STREAM_TYPES;

export type StreamSender = ReturnType<typeof createStreamSender>;

type Streamed = {
  type: StreamType;
  partner_id: string;
  pieces: AsyncIterable<string>;
  /** Checks the key again: revoking the key aborts the stream. */
  readmit(): Promise<void>;
};

/** Sends streamed replies: files and server-sent events. */
export function createStreamSender() {
  const open = new Map<string, number>();

  return (request: FastifyRequest, reply: FastifyReply, streamed: Streamed): FastifyReply => {
    const { type, partner_id } = streamed;
    const count = open.get(partner_id) ?? 0;
    if (count >= OPEN_MAX) {
      fail("rate_limit_exceeded", {
        detail: `${OPEN_MAX} streams are already open. Close one of them first.`,
        headers: { "retry-after": "5" },
      });
    }
    reply.headers({ "request-id": request.id, "cache-control": "private, no-store", "x-accel-buffering": "no" });
    reply.type(type === "csv" ? "text/csv; charset=utf-8; header=present" : STREAM_TYPES[type]);
    if (request.method === "HEAD") return reply.send();
    open.set(partner_id, count + 1);
    const body = Readable.from(watched(streamed), { objectMode: false });
    body.once("close", () => {
      const left = (open.get(partner_id) ?? 1) - 1;
      if (left === 0) open.delete(partner_id);
      else open.set(partner_id, left);
    });
    // A truncated reply must not look complete.
    body.once("error", () => request.raw.socket.resetAndDestroy());
    reply.raw.setTimeout(STALLED_AFTER_MS, () => reply.raw.destroy());
    return reply.send(body);
  };
}

async function* watched({ pieces, readmit }: Streamed): AsyncGenerator<string, void> {
  let admitted_ms = performance.now();
  for await (const piece of pieces) {
    if (performance.now() - admitted_ms > READMIT_EVERY_MS) {
      await readmit();
      admitted_ms = performance.now();
    }
    yield piece;
  }
}

/** One message of a server-sent event stream. */
export function eventMessage(event: string, json: string): string {
  return `event: ${event}\ndata: ${json}\n\n`;
}

/** A comment that keeps the connection alive through proxies. */
export const HEARTBEAT = ": heartbeat\n\n";
