import { type Connection, WORKER_SETTINGS } from "./connection.ts";
import { DROPPED_KEYS, distributeTable, type TableToDistribute, tablesToDistribute } from "./distribution.ts";
import { claimMigrations } from "./migrate.ts";
import { claimAlone } from "./presence.ts";
import { openSession, quoteName, type Session } from "./session.ts";

/** Why a database cannot be distributed now, and what to do about it. */
export class DistributeRefused extends Error {
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}

export type DistributePlan = { workers: string[]; tables: (TableToDistribute & { rows: number })[]; foreign_keys: number };

export type DistributeOptions = {
  owner: Connection;
  service_role: string;
  signal: AbortSignal;
  dry_run: boolean;
  /** Called before each step, with how many are done. */
  onStep(what: string, done: number, total: number): void;
};

/**
 * Distributes the tables of a database over the nodes of its cluster, and returns what there was to do. Every table moves in one
 * transaction of its own. Foreign keys cannot lead between a table that has moved and one that has not: they are dropped first, and
 * kept until all of them are there again. So a run that was interrupted goes on where it ended.
 */
export async function distribute({ owner, service_role, signal, dry_run, onStep }: DistributeOptions): Promise<DistributePlan> {
  const session = await openSession(owner, "distribute", signal);
  try {
    const workers = await requireCluster(session, service_role);
    await requireAlone(session);
    const tables = [];
    for (const table of await tablesToDistribute(session)) tables.push({ ...table, rows: await countRows(session, table.name) });
    const foreign_keys = tables.length === 0 ? await countDropped(session) : await countForeignKeys(session);
    if (!dry_run && tables.length + foreign_keys > 0) await move(session, tables, onStep);
    if (!dry_run) await setWorkerSessions(session);
    return { workers, tables, foreign_keys };
  } finally {
    await session.end();
  }
}

async function move(session: Session, tables: DistributePlan["tables"], onStep: DistributeOptions["onStep"]): Promise<void> {
  if (tables.length > 0) await dropForeignKeys(session);
  const keys = await droppedKeys(session);
  const total = tables.length + keys.length;
  for (const [index, table] of tables.entries()) {
    onStep(`table ${table.name}`, index, total);
    await moveTable(session, table);
  }
  for (const [index, key] of keys.entries()) {
    onStep(`foreign key ${key.name}`, tables.length + index, total);
    await restoreForeignKey(session, key);
  }
  await session.query(`drop table if exists ${DROPPED_KEYS}`);
}

/** The address of every node with rows. */
async function requireCluster(session: Session, service_role: string): Promise<string[]> {
  const { rows: installed } = await session.query("select 1 from pg_extension where extname = 'citus'");
  if (installed.length === 0)
    throw new DistributeRefused("The database has no Citus.", "Set up a cluster first: docs/cluster.md.");
  const { rows: nodes } = await session.query<{ address: string; coordinator: boolean }>(`
    select nodename || ':' || nodeport as address, groupid = 0 as coordinator
    from pg_dist_node where isactive and noderole = 'primary' order by groupid`);
  if (!nodes.some(({ coordinator }) => coordinator))
    throw new DistributeRefused("The cluster does not know its coordinator.", "select citus_set_coordinator_host('HOST', PORT);");
  const workers = nodes.filter(({ coordinator }) => !coordinator).map(({ address }) => address);
  if (workers.length === 0)
    throw new DistributeRefused("The cluster has no worker nodes.", "select citus_add_node('HOST', PORT);");
  const { rows: without } = await session.query<{ address: string }>(
    `select nodename || ':' || nodeport as address
     from run_command_on_workers(format('select count(*) from pg_roles where rolname = %L', $1::text)) where result <> '1'`,
    [service_role],
  );
  if (without.length > 0)
    throw new DistributeRefused(
      `The login ${service_role} does not exist on ${without.map(({ address }) => address).join(", ")}.`,
      `create role ${quoteName(service_role)} login; -- on each node`,
    );
  return workers;
}

/** Each worker sets it for itself. A library knows its setting once it is loaded, which its first function does. */
const SET_SESSIONS = `do $do$ begin
    set local citus.enable_ddl_propagation to off;
    perform similarity('', '');
    ${Object.entries(WORKER_SETTINGS)
      .map(([name, value]) => `execute format('alter database %I set ${name} to %L', current_database(), '${value}');`)
      .join("\n    ")}
  end $do$`;

/** Gives the sessions that the coordinator opens on the workers what those of the service have. */
async function setWorkerSessions(session: Session): Promise<void> {
  const { rows } = await session.query<{ address: string; result: string }>(
    "select nodename || ':' || nodeport as address, result from run_command_on_workers($1) where not success",
    [SET_SESSIONS],
  );
  const [failed] = rows;
  if (failed === undefined) return;
  throw new DistributeRefused(
    `The database has other settings on ${failed.address}: ${failed.result}.`,
    `${Object.entries(WORKER_SETTINGS)
      .map(([name, value]) => `alter database NAME set ${name} to '${value}';`)
      .join(" ")} -- on each worker, as a superuser; then distribute again`,
  );
}

async function requireAlone(session: Session): Promise<void> {
  if (!(await claimAlone(session)))
    throw new DistributeRefused("A service runs on this database.", "Stop all processes of the service first.");
  if (!(await claimMigrations(session)))
    throw new DistributeRefused("A backup or a migration is running on this database.", "Try again when it has finished.");
}

async function countRows(session: Session, table: string): Promise<number> {
  const { rows } = await session.query<{ count: string }>(`select count(*) from ${quoteName(table)}`);
  return Number(rows[0]?.count);
}

const FOREIGN_KEYS = `
  from pg_constraint k join pg_class c on c.oid = k.conrelid
  where k.contype = 'f' and k.conparentid = 0 and c.relnamespace = 'public'::regnamespace`;

async function countForeignKeys(session: Session): Promise<number> {
  const { rows } = await session.query<{ count: string }>(`select count(*) ${FOREIGN_KEYS}`);
  return Number(rows[0]?.count) + (await countDropped(session));
}

const countDropped = async (session: Session) => (await droppedKeys(session)).length;

async function dropForeignKeys(session: Session): Promise<void> {
  await inTransaction(session, async () => {
    await session.query(`create table if not exists ${DROPPED_KEYS} (table_name text, name text, definition text)`);
    const { rows } = await session.query<{ table_name: string; name: string }>(`
      insert into ${DROPPED_KEYS} select c.relname, k.conname, pg_get_constraintdef(k.oid) ${FOREIGN_KEYS}
      returning table_name, name`);
    for (const { table_name, name } of rows)
      await session.query(`alter table ${quoteName(table_name)} drop constraint ${quoteName(name)}`);
  });
}

type DroppedKey = { table_name: string; name: string; definition: string };

async function droppedKeys(session: Session): Promise<DroppedKey[]> {
  const { rows: there } = await session.query("select 1 where to_regclass($1) is not null", [`public.${DROPPED_KEYS}`]);
  if (there.length === 0) return [];
  return (await session.query<DroppedKey>(`select table_name, name, definition from ${DROPPED_KEYS} order by 1, 2`)).rows;
}

async function restoreForeignKey(session: Session, { table_name, name, definition }: DroppedKey): Promise<void> {
  await inTransaction(session, async () => {
    await session.query(`alter table ${quoteName(table_name)} add constraint ${quoteName(name)} ${definition}`);
    await session.query(`delete from ${DROPPED_KEYS} where table_name = $1 and name = $2`, [table_name, name]);
  });
}

/** What is left of the rows on the coordinator is removed afterwards: nobody sees it any more. */
async function moveTable(session: Session, table: DistributePlan["tables"][number]): Promise<void> {
  await inTransaction(session, async () => {
    await distributeTable(session, table);
    const rows = await countRows(session, table.name);
    if (rows !== table.rows) throw new Error(`${table.name} has ${table.rows} rows on one node and ${rows} on the cluster`);
  });
  await session.query("select truncate_local_data_after_distributing_table($1)", [`public.${table.name}`]);
}

async function inTransaction(session: Session, work: () => Promise<void>): Promise<void> {
  await session.query("begin");
  try {
    await work();
    await session.query("commit");
  } catch (error) {
    await session.query("rollback").catch(() => undefined);
    throw error;
  }
}
