import { type Queryable, statement } from "./statement.ts";

const lockName = statement("select pg_advisory_xact_lock(hashtextextended($1, 4))");
const shareName = statement("select pg_advisory_xact_lock_shared(hashtextextended($1, 4))");

/**
 * Of the transactions that take a turn of one name, each goes on when the one before it has ended. Whoever counts against a limit
 * takes one first and counts in a later statement, so that no two count the same rows.
 */
export async function takeTurn(tx: Queryable, name: string): Promise<void> {
  await tx.query(lockName, [name]);
}

/** Many transactions share a turn of one name; whoever takes it alone waits until they have ended. */
export async function shareTurn(tx: Queryable, name: string): Promise<void> {
  await tx.query(shareName, [name]);
}
