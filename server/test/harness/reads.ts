import pg from "pg";
import { inject } from "vitest";
import { type Connection, connectionSettings } from "../../src/platform/db/connection.ts";
import type { Queryable } from "../../src/platform/db/statement.ts";

/** For tests of plans and of what they read: the nodes of a cluster plan and read for themselves. */
export const onCluster = () => inject("workers").length > 0;

/** The login that the sandbox reads with: on a cluster it has none of its own. */
export const sandboxLogin = () => (onCluster() ? "shared" : "own");

/** What the current transaction read of a table with its partitions: rows by reading it through, and entries of its indexes. */
const READ = `
  with recursive parts as (
    select $1::regclass::oid as oid union all select i.inhrelid from pg_inherits i join parts p on i.inhparent = p.oid
  ), tables as (
    select p.oid from parts p join pg_class c on c.oid = p.oid where c.relkind = 'r'
  )
  select coalesce(sum(pg_stat_get_xact_tuples_returned(r.oid)), 0)::int as count
  from (select t.oid from tables t union all select x.indexrelid from tables t join pg_index x on x.indrelid = t.oid) r`;

export type Plans = "force_generic_plan" | "force_custom_plan";

/** How many rows and index entries of a table some statements read, as a connection of the service's plans them. */
export async function entriesRead(
  connection: Connection,
  table: string,
  plans: Plans,
  ask: (db: Queryable) => Promise<unknown>,
): Promise<number> {
  const client = new pg.Client(connectionSettings(connection, "test"));
  await client.connect();
  const db: Queryable = {
    query: async ({ name, text }, values = []) => (await client.query({ name, text, values: [...values] })).rows,
  };
  try {
    await client.query("begin");
    await client.query(`set local plan_cache_mode = ${plans}`);
    await ask(db);
    const { rows } = await client.query<{ count: number }>(READ, [table]);
    return rows[0]?.count ?? 0;
  } finally {
    await client.end();
  }
}
