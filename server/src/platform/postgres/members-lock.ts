import type { Client } from "pg";

/** An arbitrary advisory lock in the database `postgres`, which only this module connects to. */
const MEMBERS_LOCK = "1953655138, 1";

/** Every member holds this lock in shared mode as long as it needs the server. */
export async function takeMembersLock(client: Client): Promise<void> {
  await client.query(`select pg_advisory_lock_shared(${MEMBERS_LOCK})`);
}

/** Releases the lock; true if no other member holds it. Then we hold it exclusively, and joining processes wait. */
export async function releaseMembersLock(client: Client): Promise<boolean> {
  await client.query(`select pg_advisory_unlock_shared(${MEMBERS_LOCK})`);
  const { rows } = await client.query<{ alone: boolean }>(`select pg_try_advisory_lock(${MEMBERS_LOCK}) as alone`);
  return rows[0]?.alone === true;
}
