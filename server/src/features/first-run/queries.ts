import { type Queryable, statement } from "../../platform/db/statement.ts";

/** Processes that boot together make the first run one after the other. */
const lockStatement = statement("select pg_advisory_xact_lock(7214002)");
const programmeStatement = statement("select 1 from programme");
const insertStatement = statement("insert into programme (first_run_at) values ($1)");

export async function lockFirstRun(tx: Queryable): Promise<void> {
  await tx.query(lockStatement);
}

export async function programmeExists(db: Queryable): Promise<boolean> {
  return (await db.query(programmeStatement)).length > 0;
}

export async function insertProgramme(tx: Queryable, now: Date): Promise<void> {
  await tx.query(insertStatement, [now]);
}
