import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

const SWEEP_EVERY_MS = 50;
/** How long a connection that has not brought a request yet may still do so. */
const FIRST_REQUEST_WITHIN_MS = 1_000;
/** How long requests may go on: as long as the longest statement. */
const REQUESTS_WITHIN_MS = 15_000;

/**
 * Gives the way to close the server: no new connections, and requests under way finish. Node by itself would go on
 * waiting: for connections that a client keeps after its last reply, for those that never brought a request, such as a
 * browser's that connected ahead of need, and for requests that never end.
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
