import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "pg";
import { connectOrRefusal } from "./connect.ts";
import { departServer } from "./depart.ts";
import { type Entry, enterServer } from "./enter.ts";
import { errorText } from "./errors.ts";
import type { Server } from "./launch.ts";
import { boundLog } from "./log-file.ts";

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
const LOG_CHECK_MS = 60_000;

/** Stays a member until told to leave: when the server dies, brings it back and enters again. */
export function keepMembership(server: Server, first: Entry): { leave(): Promise<void> } {
  const leaving = new AbortController();
  let client: Client | null = null;
  let healing = Promise.resolve();
  let left: Promise<void> | null = null;

  function hold(entry: Entry): void {
    client = entry.client;
    entry.lost.then(() => {
      client = null;
      if (!leaving.signal.aborted) healing = heal();
    });
  }

  async function heal(): Promise<void> {
    server.log("the connection to the database server was lost; bringing it back");
    for (let pause_ms = FIRST_PAUSE_MS; !leaving.signal.aborted; pause_ms = Math.min(pause_ms * 2, LONGEST_PAUSE_MS)) {
      try {
        hold(await enterServer(server, leaving.signal));
        server.log("the database server is back");
        return;
      } catch (error) {
        if (leaving.signal.aborted) return;
        server.log(`the database server is not back yet: ${errorText(error)}`);
      }
      await delay(pause_ms, undefined, { signal: leaving.signal }).catch(() => undefined);
    }
  }

  async function leave(): Promise<void> {
    leaving.abort();
    clearInterval(logCheck);
    await healing;
    const last = client ?? (await reconnectOrNull(server));
    if (last !== null) await departServer(server, last);
  }

  const logCheck = setInterval(() => boundLog(server.place).catch(() => undefined), LOG_CHECK_MS).unref();
  hold(first);
  return { leave: () => (left ??= leave()) };
}

/** A member whose connection broke may still be the last one, with the server up: then it must not stay behind. */
async function reconnectOrNull(server: Server): Promise<Client | null> {
  const connection = await connectOrRefusal(server.place).catch(() => null);
  return connection?.kind === "connected" ? connection.client : null;
}
