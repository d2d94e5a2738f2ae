import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

const SWEEP_EVERY_MS = 50;
/** How long a connection without a request so far may still send one. */
const FIRST_REQUEST_WITHIN_MS = 1_000;
/** How long running requests may take to finish: as long as the longest statement. */
const REQUESTS_WITHIN_MS = 15_000;

/**
 * Returns a function that drains and closes the server: no new connections, running requests finish. Node alone would
 * also wait for keep-alive connections, for preconnected ones that never send a request, and for requests without an end.
 */
export function createDrain(app: FastifyInstance): () => Promise<void> {
  const unused = new Set<Socket>();
  app.server.on("connection", (socket: Socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  app.server.on("request", ({ socket }: { socket: Socket }) => unused.delete(socket));
  return async () => {
    const timers = [
      setInterval(() => app.server.closeIdleConnections(), SWEEP_EVERY_MS),
      setTimeout(() => {
        for (const socket of unused) socket.destroy();
      }, FIRST_REQUEST_WITHIN_MS),
      setTimeout(() => app.server.closeAllConnections(), REQUESTS_WITHIN_MS),
    ];
    await app.close();
    for (const timer of timers) clearTimeout(timer);
  };
}
