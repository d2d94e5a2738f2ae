import { type Queryable, statement } from "../../platform/db/statement.ts";

/** Serialises the first run of processes that start at the same time. */
const lockStatement = statement("select pg_advisory_xact_lock(7214002)");

/** On a busy machine the demo programme takes longer than a request may wait for a lock, and the others must not give up. */
const noTimeoutsStatement = statement(`
  select set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true),
    set_config('idle_in_transaction_session_timeout', '0', true)`);

export async function lockFirstRun(tx: Queryable): Promise<void> {
  // In one flight: whoever calls sends its next statement with the first that is awaited.
  await Promise.all([tx.query(noTimeoutsStatement), tx.query(lockStatement)]);
}
