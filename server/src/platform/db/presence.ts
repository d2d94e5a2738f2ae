import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "./connection.ts";
import { openSession, type Session } from "./session.ts";

const LOCK_KEY = 7_214_005;
const RETRY_AFTER_MS = 1_000;

export type Presence = { leave(): Promise<void> };

/**
 * Announces that a process uses this database, by a shared lock that `claimAlone` takes exclusively. Null: it is claimed by a
 * process that replaces everything. After a lost connection the lock is taken again.
 */
export async function announcePresence(connection: Connection): Promise<Presence | null> {
  let session = await present(connection);
  if (session === null) return null;
  const leaving = new AbortController();
  const keep = async () => {
    while (!leaving.signal.aborted) {
      if (session !== null) await untilEnded(session, leaving.signal);
      await sleep(RETRY_AFTER_MS, undefined, { signal: leaving.signal }).catch(() => undefined);
      if (!leaving.signal.aborted) session = await present(connection).catch(() => null);
    }
  };
  const keeping = keep();
  return {
    async leave() {
      leaving.abort();
      await keeping;
      await session?.end().catch(() => undefined);
    },
  };
}

async function present(connection: Connection): Promise<Session | null> {
  const session = await openSession(connection, "presence");
  const { rows } = await session.query<{ shared: boolean }>("select pg_try_advisory_lock_shared($1) as shared", [LOCK_KEY]);
  if (rows[0]?.shared === true) return session;
  await session.end();
  return null;
}

function untilEnded(session: Session, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  session.once("end", resolve);
  signal.addEventListener("abort", () => resolve(), { once: true });
  return promise;
}

/** Claims the database for one session, until it ends. False: other processes use it. */
export async function claimAlone(session: Session): Promise<boolean> {
  const { rows } = await session.query<{ alone: boolean }>("select pg_try_advisory_lock($1) as alone", [LOCK_KEY]);
  return rows[0]?.alone === true;
}
