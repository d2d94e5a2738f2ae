import { type Queryable, statement } from "../../platform/db/statement.ts";

/** Processes that boot together make the first run one after the other. */
const lockStatement = statement("select pg_advisory_xact_lock(7214002)");

export async function lockFirstRun(tx: Queryable): Promise<void> {
  await tx.query(lockStatement);
}
