import { type Queryable, statement } from "../../platform/db/statement.ts";

/** Serialises the first run of processes that start at the same time. */
const lockStatement = statement("select pg_advisory_xact_lock(7214002)");

export async function lockFirstRun(tx: Queryable): Promise<void> {
  await tx.query(lockStatement);
}
