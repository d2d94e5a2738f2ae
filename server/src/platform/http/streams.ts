import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { fail } from "../../kernel/errors.ts";

/** How often the key of a reader is looked at again. */
const READMIT_EVERY_MS = 5_000;
/** A reader that takes nothing for so long has gone. */
const STALLED_AFTER_MS = 60_000;
/** How many a partner may have open in one process. */
const OPEN_MAX = 20;

export const STREAM_TYPES = { events: "text/event-stream", csv: "text/csv" } as const;
export type StreamType = keyof typeof STREAM_TYPES;

export type StreamSender = ReturnType<typeof createStreamSender>;

type Streamed = {
  type: StreamType;
  /** Whose it is. */
  partner_id: string;
  pieces: AsyncIterable<string>;
  /** Looks at the key again: what ends the key ends the reply, in the middle if need be. */
  readmit(): Promise<void>;
};

/** Sends replies that go on: a file as it is read, or what happens as it happens. */
export function createStreamSender() {
  const open = new Map<string, number>();

  return (request: FastifyRequest, reply: FastifyReply, streamed: Streamed): FastifyReply => {
    const { type, partner_id } = streamed;
    const count = open.get(partner_id) ?? 0;
    if (count >= OPEN_MAX) {
      fail("rate_limit_exceeded", {
        detail: `${OPEN_MAX} streams are open already. Close one of them first.`,
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
    // A reply that was cut off must not look like one that has ended.
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

/** One message of a stream of events, as the standard of HTML has it. */
export function eventMessage(event: string, json: string): string {
  return `event: ${event}\ndata: ${json}\n\n`;
}

/** Tells a reader that nothing has happened, and proxies that the connection is in use. */
export const HEARTBEAT = ": still here\n\n";
