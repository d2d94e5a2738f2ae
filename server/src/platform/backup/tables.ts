import { quoteName, type Session } from "../db/session.ts";
import { BackupRefused, type Partition, type Sequence, type TableStart } from "./format.ts";

/** A table in the catalogue, without generated columns, because those cannot be written. */
export type Table = TableStart & { key: string[]; rows_about: number };

/**
 * The tables of a backup: those of our schema, partitions as part of their parents. Left out are unlogged tables, which a
 * crash may empty anyway; `migrations`, which the restore writes itself; and the schema of the job queue, which is
 * created at the start and holds only due jobs.
 */
const TABLES = `
  select c.relname as name,
    array(select a.attname::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
    array(select quote_ident(a.attname) || case when a.attcollation <> 0 then ' collate "C"' else '' end
      from pg_index i, unnest(i.indkey) with ordinality k (attnum, place)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
      where i.indrelid = c.oid and i.indisprimary order by k.place) as key,
    (select coalesce(jsonb_agg(jsonb_build_object('name', p.relname, 'bound', pg_get_expr(p.relpartbound, p.oid)) order by p.relname), '[]')
      from pg_inherits h join pg_class p on p.oid = h.inhrelid where h.inhparent = c.oid) as partitions,
    (select coalesce(sum(greatest(l.reltuples, 0)), 0)::float8 from pg_partition_tree(c.oid) t join pg_class l on l.oid = t.relid
      where t.isleaf) as rows_about
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relpersistence = 'p' and c.relname <> 'migrations'
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  order by c.relname`;

type Row = Omit<Table, "partitions"> & { partitions: { name: string; bound: string }[] };

/** In any order: a restore adds the foreign keys once all tables are filled. */
export async function readTables(session: Session): Promise<Table[]> {
  const { rows } = await session.query<Row>(TABLES);
  return rows.map((table) => ({ ...table, partitions: table.partitions.flatMap(monthOf) }));
}

/** The default partition has no bounds, and exists wherever the table does. */
function monthOf({ name, bound }: { name: string; bound: string }): Partition[] {
  const [, from, to] = /^FOR VALUES FROM \('([^']*)'\) TO \('([^']*)'\)$/.exec(bound) ?? [];
  return from === undefined || to === undefined ? [] : [{ name, from, to }];
}

/** Ordered by primary key or else by all columns, so that equal tables give equal bytes, whatever the server and its collation. */
export function copyOutText({ name, columns, key }: Table): string {
  const order = key.length === 0 ? columns.map(quoteName) : key;
  return `copy (select ${columns.map(quoteName).join(", ")} from ${quoteName(name)} order by ${order.join(", ")}) to stdout`;
}

export function copyInText({ name, columns }: TableStart): string {
  return `copy ${quoteName(name)} (${columns.map(quoteName).join(", ")}) from stdin`;
}

const SEQUENCES = `
  select c.relname as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'S' order by 1`;

/** Sequences are not transactional: read after the snapshot, they are at or past every row of it. */
export async function readSequences(session: Session): Promise<Sequence[]> {
  const { rows } = await session.query<{ name: string }>(SEQUENCES);
  const sequences: Sequence[] = [];
  for (const { name } of rows) {
    const { rows: state } = await session.query<Omit<Sequence, "name">>(
      `select last_value::text as value, is_called as called from ${quoteName(name)}`,
    );
    for (const { value, called } of state) sequences.push({ name, value, called });
  }
  return sequences;
}

export async function writeSequences(session: Session, sequences: Sequence[]): Promise<void> {
  for (const { name, value, called } of sequences) {
    await session.query("select setval(quote_ident($1)::regclass, $2::bigint, $3)", [name, value, called]);
  }
}

/** Adds the partitions of the backup, so that rows do not end up in the default partition, which retention cannot drop. */
export async function addPartitions(session: Session, table: TableStart, present: Partition[]): Promise<void> {
  const missing = table.partitions.filter(({ from, to }) => present.every((other) => other.to <= from || to <= other.from));
  for (const { name, from, to } of missing) {
    const { rows } = await session.query<{ text: string }>(
      "select format('create table %I partition of %I for values from (%L) to (%L)', $1::text, $2::text, $3::text, $4::text) as text",
      [name, table.name, from, to],
    );
    for (const { text } of rows) await session.query(text);
  }
}

/** Requires the backup's tables to be those of its migration. */
export function requireTable(known: Table[], start: TableStart): Table {
  const table = known.find(({ name }) => name === start.name);
  if (table === undefined || table.columns.join() !== start.columns.join()) throw unlikeMigration(start.name);
  return table;
}

export function requireTables(known: Table[], names: string[]): void {
  const missing = known.map(({ name }) => name).find((name) => !names.includes(name));
  if (missing !== undefined) throw unlikeMigration(missing);
}

function unlikeMigration(table: string): BackupRefused {
  return new BackupRefused(
    `The table ${table} of the backup does not match its migration.`,
    "Nothing was changed. Use another copy.",
  );
}
