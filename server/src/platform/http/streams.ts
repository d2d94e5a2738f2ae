import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { fail } from "../../kernel/errors.ts";
import { isKnown } from "./known.ts";

/** How often the key of somebody who reads a file is checked again. Before a message of an event stream it is checked each time. */
const READMIT_EVERY_MS = 5_000;
/** A reader that consumes nothing for this long is disconnected. */
const STALLED_AFTER_MS = 60_000;
/** The maximum of open streams per partner and process, all routes without a limit of their own together. */
const OPEN_MAX = 20;
/** Less than the time after which proxies end a silent connection. */
export const HEARTBEAT_EVERY_MS = 15_000;

export const STREAM_TYPES = {
  events: "text/event-stream",
  csv: "text/csv",
  pdf: "application/pdf",
  svg: "image/svg+xml",
  image: "image/*",
  xml: "application/xml",
  file: "application/octet-stream",
} as const;
export type StreamType = keyof typeof STREAM_TYPES;

export type StreamSender = ReturnType<typeof createStreamSender>;

/** A route whose reply is a stream. */
type StreamedRoute = { operation: string; reply: { stream: StreamType; streams_max?: number } };

export function isStreamed<Some extends { reply: { stream?: StreamType } }>(route: Some): route is Some & StreamedRoute {
  return route.reply.stream !== undefined;
}

/** The pieces of a reply, until the reader has gone. */
export type Pieces = (gone: AbortSignal) => AsyncIterable<string | Uint8Array>;

type Streamed = {
  route: StreamedRoute;
  partner_id: string;
  pieces: Pieces;
  /** Further headers, such as the name of a file. */
  headers?: Readonly<Record<string, string>>;
  /** Checks the key again: revoking the key aborts the stream. */
  readmit(): Promise<void>;
};

/** Sends streamed replies: files and server-sent events. */
export function createStreamSender() {
  const open = new Map<string, number>();

  return (request: FastifyRequest, reply: FastifyReply, streamed: Streamed): FastifyReply => {
    const { operation, reply: replied } = streamed.route;
    const { stream: type, streams_max = OPEN_MAX } = replied;
    const readers = replied.streams_max === undefined ? streamed.partner_id : `${streamed.partner_id} ${operation}`;
    const count = open.get(readers) ?? 0;
    if (count >= streams_max) {
      fail("rate_limit_exceeded", {
        detail: `${streams_max} streams are already open. Close one of them first.`,
        headers: { "retry-after": "5" },
      });
    }
    reply.headers({ "request-id": request.id, "cache-control": "private, no-store", "x-accel-buffering": "no" });
    reply.headers(streamed.headers ?? {});
    // A file may say what it is.
    if (!reply.hasHeader("content-type"))
      reply.type(type === "csv" ? "text/csv; charset=utf-8; header=present" : STREAM_TYPES[type]);
    if (isKnown(request, streamed.headers?.etag)) return reply.removeHeader("content-length").code(304).send();
    if (request.method === "HEAD") return reply.send();
    open.set(readers, count + 1);
    const gone = new AbortController();
    reply.raw.once("close", () => gone.abort());
    const body = Readable.from(watched(streamed, gone.signal), { objectMode: false });
    body.once("close", () => {
      const left = (open.get(readers) ?? 1) - 1;
      if (left === 0) open.delete(readers);
      else open.set(readers, left);
    });
    // A truncated reply must not look complete.
    body.once("error", () => request.raw.socket.resetAndDestroy());
    reply.raw.setTimeout(STALLED_AFTER_MS, () => reply.raw.destroy());
    return reply.send(body);
  };
}

async function* watched({ route, pieces, readmit }: Streamed, gone: AbortSignal): AsyncGenerator<string | Uint8Array, void> {
  const always = route.reply.stream === "events";
  let admitted_ms = performance.now();
  for await (const piece of pieces(gone)) {
    if (gone.aborted) return;
    if (always || performance.now() - admitted_ms > READMIT_EVERY_MS) {
      await readmit();
      admitted_ms = performance.now();
    }
    yield piece;
  }
}

/** One message of a server-sent event stream; a reader that comes back names the id of the last one that it got. */
export function eventMessage(event: string, json: string, id?: string): string {
  return `event: ${event}\ndata: ${json}\n${id === undefined ? "" : `id: ${id}\n`}\n`;
}

/** A message without data, which readers do not see: it keeps the connection alive through proxies, and moves the id on. */
export function heartbeat(id?: string): string {
  return `: heartbeat\n${id === undefined ? "" : `id: ${id}\n`}\n`;
}
