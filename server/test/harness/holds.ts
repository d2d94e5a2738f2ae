import type pg from "pg";
import { afterEach, inject } from "vitest";
import { eventually } from "../postgres/processes.ts";
import { administer, type TestDatabase } from "./database.ts";

/** A transaction of the test's own that keeps locks which requests of the service need. */
export type Hold = { release(): Promise<void> };

/** Stops requests at a chosen point inside their transactions. What a test still holds is let go at its end. */
export function useHolds(connect: () => Promise<pg.Client>): (statement: string, values?: unknown[]) => Promise<Hold> {
  const sessions: pg.Client[] = [];
  afterEach(async () => {
    for (const session of sessions.splice(0)) await session.end();
  });
  return async (statement, values = []) => {
    const session = await connect();
    sessions.push(session);
    await session.query("begin");
    await session.query(statement, values);
    return { release: async () => void (await session.query("rollback")) };
  };
}

export const TABLE_LOCKS = ["relation"];
export const ROW_LOCKS = ["transactionid", "tuple"];
export const ADVISORY_LOCKS = ["advisory"];

/** A cluster locks the rows of a global table by advisory locks of classes of its own, after the two of everybody. */
const WAITING = `
  select distinct l.pid
  from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where not l.granted and a.datname = current_database()
    and case when l.locktype = 'advisory' and l.objsubid > 2 then 'tuple' else l.locktype end = any ($1)`;

/** The rows of a cluster are locked on its workers. */
const WAITING_ON_WORKERS = `
  select unnest(w.result::int[]) as pid
  from run_command_on_workers(format('select coalesce(array_agg(pid), ''{}'') from (%s) w', replace($2, '$1', quote_literal($1::text)))) w`;

/** The sessions that wait for locks of these types, once there are so many. */
export function untilWaiting(sql: TestDatabase["sql"], locktypes: string[], sessions: number): Promise<number[]> {
  return eventually(`${sessions} sessions to wait for ${locktypes}`, async () => {
    const rows = await sql<{ pid: number }>(WAITING, [locktypes]);
    if (inject("workers").length > 0) rows.push(...(await sql<{ pid: number }>(WAITING_ON_WORKERS, [locktypes, WAITING])));
    return rows.length === sessions ? rows.map(({ pid }) => pid) : null;
  });
}

const AWAITED = `
  select count(distinct l.transactionid::text)::int as count from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where not l.granted and l.locktype = 'transactionid' and a.datname = current_database()`;
const AWAITED_ON_WORKERS = "select sum(w.result::int)::int as count from run_command_on_workers($1) w";

/** How many transactions others wait for. */
export async function countAwaited(sql: TestDatabase["sql"]): Promise<number> {
  const rows = await sql<{ count: number }>(AWAITED);
  if (inject("workers").length > 0) rows.push(...(await sql<{ count: number }>(AWAITED_ON_WORKERS, [AWAITED])));
  return rows.reduce((sum, { count }) => sum + count, 0);
}

/** How many transactions a deadlock has ended. Ends all sessions: they report what they counted when they end. */
export async function countDeadlocks({ name }: TestDatabase): Promise<number> {
  let deadlocks = 0;
  await administer(async (session) => {
    await session.query(
      "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()",
      [name],
    );
    const { rows } = await session.query("select deadlocks::int from pg_stat_database where datname = $1", [name]);
    deadlocks = rows[0].deadlocks;
  });
  return deadlocks;
}
