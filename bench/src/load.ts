import { once } from "node:events";
import { connect, type Socket } from "node:net";

/**
 * A load generator of our own, because it shares the machine with what it measures: autocannon spends as much CPU on a
 * request as a bare server does (its HTTP parser is JavaScript), and so pulls every ratio towards 1. This one writes
 * prepared bytes and reads the status and the length of the reply, for half of that.
 */
export type Load = {
  port: number;
  connections: number;
  duration_ms: number;
  /** The bytes of the next request; asked for once for each. */
  nextRequest(): Buffer;
};

/** Keeps every connection busy with one request at a time. Returns replies per second; a refusal ends the run. */
export async function measureRate({ port, connections, duration_ms, nextRequest }: Load): Promise<number> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => openSocket(port)));
  const started_ms = performance.now();
  let replies = 0;
  let elapsed_ms = 0;
  const onReply = (): Buffer | null => {
    if (elapsed_ms > 0) return null;
    replies += 1;
    return nextRequest();
  };
  const timer = setTimeout(() => {
    elapsed_ms = performance.now() - started_ms;
  }, duration_ms);
  try {
    await Promise.all(sockets.map((socket) => converse(socket, nextRequest(), onReply)));
    return (replies * 1000) / elapsed_ms;
  } finally {
    clearTimeout(timer);
    for (const socket of sockets) socket.destroy();
  }
}

/** Sends one request and returns the length of the reply's body. */
export async function replyBytes(port: number, request: Buffer): Promise<number> {
  const socket = await openSocket(port);
  let bytes = 0;
  await converse(socket, request, (body_bytes) => {
    bytes = body_bytes;
    return null;
  });
  socket.destroy();
  return bytes;
}

async function openSocket(port: number): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  return socket;
}

const HEAD_END = Buffer.from("\r\n\r\n");

/** Sends a request, and after each reply the one that `onReply` gives, until it gives none. */
function converse(socket: Socket, first: Buffer, onReply: (body_bytes: number) => Buffer | null): Promise<void> {
  return new Promise((resolve, reject) => {
    let head: Buffer = Buffer.alloc(0);
    let body_bytes = 0;
    let body_left = -1;
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the server closed a connection")));
    socket.on("data", (chunk: Buffer) => {
      if (body_left >= 0) body_left -= chunk.length;
      else {
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
        const end = head.indexOf(HEAD_END);
        if (end < 0) return;
        const length = lengthOrNull(head.toString("latin1", 0, end));
        if (length === null) return reject(new Error(`an unexpected reply: ${head.toString().slice(0, 600)}`));
        body_bytes = length;
        body_left = length - (head.length - end - HEAD_END.length);
        head = Buffer.alloc(0);
      }
      if (body_left > 0) return;
      body_left = -1;
      const next = onReply(body_bytes);
      if (next === null) resolve();
      else socket.write(next);
    });
    socket.write(first);
  });
}

/** The body's length of a successful reply, or of a redirect. */
function lengthOrNull(head: string): number | null {
  if (!/^HTTP\/1\.1 (2|302)/.test(head)) return null;
  if (head.startsWith("HTTP/1.1 204")) return 0;
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  return length === undefined ? null : Number(length);
}
