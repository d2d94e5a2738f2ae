import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What becomes of one request on its way to the service. */
export type Fate = "pass" | "lose the reply" | { status: number; headers?: Record<string, string>; body?: string };

export type Wire = {
  origin: string;
  /** The methods, paths and idempotency keys of what was sent, in order. */
  sent: { line: string; key: string | undefined }[];
  /** The fates of the next requests; those after them pass. */
  next(...fates: Fate[]): void;
  close(): Promise<void>;
};

/** A proxy in front of the service that loses and invents replies, as networks and other proxies do. */
export async function startWire(target: string): Promise<Wire> {
  const fates: Fate[] = [];
  const sent: Wire["sent"] = [];
  const server = createServer((incoming, outgoing) => {
    sent.push({ line: `${incoming.method} ${incoming.url}`, key: incoming.headers["idempotency-key"] as string | undefined });
    const fate = fates.shift() ?? "pass";
    if (typeof fate === "object") {
      incoming.resume();
      outgoing.writeHead(fate.status, fate.headers).end(fate.body);
    } else forward(target, incoming, outgoing, fate === "lose the reply");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    next: (...more) => void fates.push(...more),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function forward(target: string, incoming: IncomingMessage, outgoing: ServerResponse, lose: boolean): void {
  const { method, headers, url = "" } = incoming;
  const passed = request(new URL(url, target), { method, headers }, (reply) => {
    if (lose) {
      reply.resume().on("end", () => incoming.socket.destroy());
      return;
    }
    outgoing.writeHead(reply.statusCode ?? 500, reply.headers);
    reply.pipe(outgoing);
  });
  incoming.pipe(passed);
}
