import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "pg";
import type { Server } from "./launch.ts";
import type { Location } from "./location.ts";
import { postmasterOrNull, worksInFolder } from "./lock-file.ts";
import { releaseMembersLock } from "./members-lock.ts";

const POLL_MS = 10;
const STOP_TIMEOUT_MS = 60_000;

/** Ends the membership on this connection; the last member stops the server. */
export async function leaveServer({ location, log }: Server, client: Client): Promise<void> {
  try {
    if (await releaseMembersLock(client)) await stopServer(location, log);
  } catch {
    // A lost connection has released the lock, and the remaining members take care of the server.
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** A fast shutdown: sessions are terminated and data is flushed, so the next start needs no recovery. */
async function stopServer(location: Location, log: (message: string) => void): Promise<void> {
  const postmaster = await postmasterOrNull(location.data);
  // If the server runs in another container, the pid belongs to another process here.
  if (postmaster === null || !(await worksInFolder(postmaster.pid, location.data))) return;
  process.kill(postmaster.pid, "SIGINT");
  const deadline_ms = Date.now() + STOP_TIMEOUT_MS;
  // PostgreSQL removes this file last. The process itself may stay as a zombie if nothing reaps it.
  while ((await postmasterOrNull(location.data))?.pid === postmaster.pid) {
    if (Date.now() > deadline_ms) {
      log(`the database server (pid ${postmaster.pid}) is still shutting down; not waiting any longer`);
      return;
    }
    await delay(POLL_MS);
  }
}
