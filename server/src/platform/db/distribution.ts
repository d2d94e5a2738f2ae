import pg from "pg";
import { type Connection, connectionSettings } from "./connection.ts";

type Client = Pick<pg.Client, "query">;

/** Where the rows of a table are in a cluster. Its comment ends with it: `[crm/deals, tenant]`. */
export type TableToDistribute = { name: string; distribution: "tenant" | "by value" | "global"; column: string | null };

/** All tenant tables lie beside this one, so that the rows of a partner are on one node. */
const FIRST = "clients";

/** The foreign keys that were dropped and are not there again: they are kept while a database is being distributed. */
export const DROPPED_KEYS = "distribution_dropped_keys";

/** Whether the tables of a database are distributed over a cluster, or were being distributed when that was interrupted. */
export async function distributionOf(client: Client): Promise<"none" | "interrupted" | "complete"> {
  const { rows } = await client.query<{ cluster: boolean; interrupted: boolean }>(`
    select to_regclass('pg_catalog.pg_dist_partition') is not null as cluster,
      to_regclass('public.${DROPPED_KEYS}') is not null as interrupted`);
  if (rows[0]?.interrupted === true) return "interrupted";
  if (rows[0]?.cluster !== true) return "none";
  const { rowCount } = await client.query("select 1 from pg_dist_partition where logicalrelid = to_regclass($1)", [
    `public.${FIRST}`,
  ]);
  return rowCount === 1 ? "complete" : "none";
}

/** Whether a connection leads to a database that is distributed. */
export async function leadsToCluster(connection: Connection): Promise<boolean> {
  const client = new pg.Client(connectionSettings(connection, "look"));
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await distributionOf(client)) === "complete";
  } finally {
    await client.end();
  }
}

/**
 * The tables that have to be distributed and are not. The column of a table by value is the last of its primary key. A local table
 * that refers to a global one is known to the cluster, but stays where it is.
 */
export async function tablesToDistribute(client: Client): Promise<TableToDistribute[]> {
  const { rows } = await client.query<TableToDistribute>(`
    select t.name, t.distribution,
      case t.distribution when 'tenant' then 'partner_id' when 'by value' then (
        select a.attname from pg_constraint k
          join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[cardinality(k.conkey)]
        where k.conrelid = t.oid and k.contype = 'p') end as column
    from (
      select c.oid, c.relname as name, substring(obj_description(c.oid) from ', ([a-z ]+)\\]$') as distribution
      from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition) t
    where t.distribution in ('tenant', 'by value', 'global')
      and not exists (select 1 from pg_dist_partition d where d.logicalrelid = t.oid and (d.partmethod = 'h' or d.repmodel = 't'))
    order by t.distribution <> 'global', t.name <> '${FIRST}', t.distribution, t.name`);
  return rows;
}

/** Distributes a table with its rows, in the transaction of the caller. */
export async function distributeTable(client: Client, { name, distribution, column }: TableToDistribute): Promise<void> {
  if (distribution === "global") {
    await client.query("select create_reference_table($1)", [`public.${name}`]);
    return;
  }
  const beside = distribution === "tenant" && name !== FIRST ? `public.${FIRST}` : "none";
  await client.query("select create_distributed_table($1, $2, colocate_with => $3)", [`public.${name}`, column, beside]);
}

const COMMAND = /(?:--.*|'[^']*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|[^;])+/g;
const ADDS_FOREIGN_KEY = /^alter table \S+ add constraint \S+ foreign key [^;]*;$/gim;

/**
 * Applies a migration to a distributed database: new tables are distributed by their comments before foreign keys lead to others,
 * which a table of one node must not do.
 */
export async function applyDistributed(client: Client, sql: string): Promise<void> {
  // Several tables change in one transaction, and some refer to others.
  await client.query("set local citus.multi_shard_modify_mode = 'sequential'");
  // One by one: the cluster sends some on to its nodes as the whole text that they came in.
  for (const command of commandsOf(sql.replace(ADDS_FOREIGN_KEY, ""))) await client.query(command);
  for (const table of await tablesToDistribute(client)) await distributeTable(client, table);
  for (const [foreign_key] of sql.matchAll(ADDS_FOREIGN_KEY)) await client.query(foreign_key);
}

/** The commands of a migration: what is between semicolons, where those in comments, strings and bodies of functions do not count. */
export function commandsOf(sql: string): string[] {
  return Array.from(sql.matchAll(COMMAND), ([command]) => command.trim()).filter((command) => command !== "");
}
