// Where webhooks arrive: the barest server there is, in a process of its own. What it does depends on the path: /fails
// answers 500, /hangs never answers, /slow takes two seconds, all else is fine at once.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** When each request that was fine came, and the time of its event, both in milliseconds since the epoch. */
export type Arrivals = { at_ms: number[]; event_ms: number[] };

const SLOW_MS = 2_000;
let arrivals: Arrivals = { at_ms: [], event_ms: [] };

function answer({ url = "", headers }: IncomingMessage, response: ServerResponse): void {
  if (url.startsWith("/hangs")) return;
  if (url.startsWith("/slow")) return void setTimeout(() => response.writeHead(200).end(), SLOW_MS);
  response.writeHead(url.startsWith("/fails") ? 500 : 200, { "content-length": "0" }).end();
  if (!url.startsWith("/ok")) return;
  arrivals.at_ms.push(Date.now());
  arrivals.event_ms.push(Number(headers["x-bench-at"] ?? timeOf(String(headers["webhook-id"]))));
}

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

function timeOf(event_id: string): number {
  let time_ms = 0;
  for (const letter of event_id.slice(4, 14)) time_ms = time_ms * 32 + ALPHABET.indexOf(letter);
  return time_ms;
}

const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => answer(request, response));
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("message", (message) => {
  if (message === "count") process.send?.({ count: arrivals.at_ms.length });
  if (message !== "take") return;
  process.send?.(arrivals);
  arrivals = { at_ms: [], event_ms: [] };
});
process.on("disconnect", () => process.exit(0));
