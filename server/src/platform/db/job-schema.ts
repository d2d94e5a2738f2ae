import pg from "pg";
import { type Connection, connectionSettings } from "./connection.ts";

const LOCK_KEY = 7_214_004;
export const JOB_SCHEMA = "graphile_worker";

/** A small pool for the job library: it listens on one connection and works on another. */
export function openJobPool(connection: Connection, connections_max: number): pg.Pool {
  const { types: _types, ...settings } = connectionSettings(connection, "jobs");
  const pool = new pg.Pool({ ...settings, pipeline: false, max: connections_max, idleTimeoutMillis: 10_000 });
  // A connection lost while idle is replaced at the next use; without listeners it would end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/**
 * Brings the job library's own schema up to date as the owner, one process at a time, and lets the service's login work
 * with its rows. The library guards its tables by row security without a policy, so each needs one.
 */
export async function prepareJobSchema(owner: Connection, serviceRole: string, migrate: (pool: pg.Pool) => Promise<void>) {
  const pool = openJobPool(owner, 2);
  try {
    const client = await pool.connect();
    try {
      await client.query("select pg_advisory_lock($1)", [LOCK_KEY]);
      await migrate(pool);
      if (serviceRole !== client.user) await grantJobs(client, serviceRole);
    } finally {
      // Ends the session, and its lock with it.
      client.release(true);
    }
  } finally {
    await pool.end();
  }
}

/** Grants only what is missing: granting again would wait for running jobs. */
async function grantJobs(client: pg.PoolClient, role: string): Promise<void> {
  const service = pg.escapeIdentifier(role);
  const { rows } = await client.query<{ name: string; secured: boolean; granted: boolean }>(
    `select c.relname as name, c.relkind = 'r' and c.relrowsecurity as secured,
       has_schema_privilege($2, c.relnamespace, 'usage') and has_table_privilege($2, c.oid, 'select')
       and (not c.relrowsecurity or exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'service')) as granted
     from pg_class c where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'v')`,
    [JOB_SCHEMA, role],
  );
  const missing = rows.filter(({ granted }) => !granted);
  if (missing.length === 0) return;
  await client.query("begin");
  await client.query(`grant usage on schema ${JOB_SCHEMA} to ${service}`);
  for (const { name, secured } of missing) {
    const table = `${JOB_SCHEMA}.${pg.escapeIdentifier(name)}`;
    await client.query(`grant ${secured ? "select, insert, update, delete" : "select"} on ${table} to ${service}`);
    if (!secured) continue;
    await client.query(`drop policy if exists service on ${table}`);
    await client.query(`create policy service on ${table} to ${service} using (true) with check (true)`);
  }
  await client.query(`grant usage on all sequences in schema ${JOB_SCHEMA} to ${service}`);
  await client.query("commit");
}
