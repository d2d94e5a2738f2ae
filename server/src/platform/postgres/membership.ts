import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "pg";
import { connectOrRefusal } from "./connect.ts";
import { errorText } from "./errors.ts";
import { joinServer, type Membership } from "./join.ts";
import type { Server } from "./launch.ts";
import { leaveServer } from "./leave.ts";
import { trimLog } from "./log-file.ts";

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
const LOG_CHECK_MS = 60_000;

/** Keeps the membership until `leave`: if the server dies, starts it again and rejoins. */
export function maintainMembership(server: Server, first: Membership): { leave(): Promise<void> } {
  const leaving = new AbortController();
  let client: Client | null = null;
  let rejoining = Promise.resolve();
  let left: Promise<void> | null = null;

  function watch(membership: Membership): void {
    client = membership.client;
    membership.lost.then(() => {
      client = null;
      if (!leaving.signal.aborted) rejoining = rejoin();
    });
  }

  async function rejoin(): Promise<void> {
    server.log("lost the connection to the database server; reconnecting");
    for (let pause_ms = FIRST_PAUSE_MS; !leaving.signal.aborted; pause_ms = Math.min(pause_ms * 2, LONGEST_PAUSE_MS)) {
      try {
        watch(await joinServer(server, leaving.signal));
        server.log("the database server is back");
        return;
      } catch (error) {
        if (leaving.signal.aborted) return;
        server.log(`the database server is not available yet: ${errorText(error)}`);
      }
      await delay(pause_ms, undefined, { signal: leaving.signal }).catch(() => undefined);
    }
  }

  async function leave(): Promise<void> {
    leaving.abort();
    clearInterval(logCheck);
    await rejoining;
    const last = client ?? (await reconnectOrNull(server));
    if (last !== null) await leaveServer(server, last);
  }

  const logCheck = setInterval(() => trimLog(server.location).catch(() => undefined), LOG_CHECK_MS).unref();
  watch(first);
  return { leave: () => (left ??= leave()) };
}

/** A member that lost its connection may still be the last one of a running server, which must be stopped. */
async function reconnectOrNull(server: Server): Promise<Client | null> {
  const connection = await connectOrRefusal(server.location).catch(() => null);
  return connection?.kind === "connected" ? connection.client : null;
}
