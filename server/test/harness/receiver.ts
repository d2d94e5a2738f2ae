import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A request as a receiver got it. */
export type Received = { path: string; headers: IncomingHttpHeaders; body: Buffer; event_id: string; at_ms: number };

export type Answer = (response: ServerResponse, received: Received, request: IncomingMessage) => void;

const NOTHING = Buffer.alloc(0);

/** A receiver of webhooks on this machine, which answers as each path was told to, and 204 otherwise. */
export type Receiver = {
  origin: string;
  received: Received[];
  at(path: string): Received[];
  answer(path: string, answer: Answer): void;
  connections(): number;
  close(): Promise<void>;
};

/** Of very many requests only their events are kept. */
export async function startReceiver({ keep = "all" }: { keep?: "all" | "events" } = {}): Promise<Receiver> {
  const received: Received[] = [];
  const byPath = new Map<string, Received[]>();
  const answers = new Map<string, Answer>();
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => undefined);
    request.on("end", () => {
      const { url: path = "", headers } = request;
      const one = { path, headers, body: Buffer.concat(chunks), event_id: String(headers["webhook-id"]), at_ms: Date.now() };
      const kept = keep === "all" ? one : { ...one, headers: {}, body: NOTHING };
      const others = byPath.get(path);
      if (others === undefined) byPath.set(path, [kept]);
      else others.push(kept);
      received.push(kept);
      const answer = answers.get(path);
      if (answer === undefined) response.writeHead(204).end();
      else answer(response, one, request);
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    at: (path) => byPath.get(path) ?? [],
    answer: (path, answer) => void answers.set(path, answer),
    connections: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const status =
  (code: number, headers: Record<string, string> = {}, body = ""): Answer =>
  (response) =>
    void response.writeHead(code, headers).end(body);
