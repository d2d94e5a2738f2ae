import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "pg";
import type { Server } from "./launch.ts";
import { postmasterOrNull, worksIn } from "./lock-file.ts";
import { releaseAsLast } from "./members-lock.ts";
import type { Place } from "./place.ts";

const POLL_MS = 10;
const STOP_PATIENCE_MS = 60_000;

/** Gives up the membership on this connection; the last one out stops the server. */
export async function departServer({ place, log }: Server, client: Client): Promise<void> {
  try {
    if (await releaseAsLast(client)) await stopServer(place, log);
  } catch {
    // The connection is gone, so the lock is too, and who is still a member looks after the server.
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** A fast shutdown: sessions are cut, everything is written out, so that the next start needs no recovery. */
async function stopServer(place: Place, log: (message: string) => void): Promise<void> {
  const postmaster = await postmasterOrNull(place.data);
  // The pid means someone else where the server runs in another container than we do.
  if (postmaster === null || !(await worksIn(postmaster.pid, place.data))) return;
  process.kill(postmaster.pid, "SIGINT");
  const deadline_ms = Date.now() + STOP_PATIENCE_MS;
  // It removes this file last of all. The process itself may linger as a zombie, where nobody collects those.
  while ((await postmasterOrNull(place.data))?.pid === postmaster.pid) {
    if (Date.now() > deadline_ms) {
      log(`the database server (pid ${postmaster.pid}) is still stopping; it will finish by itself`);
      return;
    }
    await delay(POLL_MS);
  }
}
