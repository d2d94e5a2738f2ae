import type { Client } from "pg";

/** Any fixed pair of numbers, in the database `postgres`, which only this module connects to. */
const MEMBERS_LOCK = "1953655138, 1";

/** Every member holds this lock shared for as long as it needs the server. */
export async function takeMembersLock(client: Client): Promise<void> {
  await client.query(`select pg_advisory_lock_shared(${MEMBERS_LOCK})`);
}

/** Gives the lock back; true if nobody else holds it. Then it is ours alone, and newcomers wait for what we do. */
export async function releaseAsLast(client: Client): Promise<boolean> {
  await client.query(`select pg_advisory_unlock_shared(${MEMBERS_LOCK})`);
  const { rows } = await client.query<{ alone: boolean }>(`select pg_try_advisory_lock(${MEMBERS_LOCK}) as alone`);
  return rows[0]?.alone === true;
}
