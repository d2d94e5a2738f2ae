import { type Queryable, statement } from "../platform/db/statement.ts";

/** Up to this many rows are counted; above, the planner's estimate is reported. */
const COUNTED_MAX = 10_000;

/** The inner limit bounds the cost on a large table. A partitioned table sums the estimates of its partitions. */
const countStatement = (table: string) =>
  statement(`
  select (select count(*) from (select from ${table} limit ${COUNTED_MAX + 1}) counted)::int as counted,
    (select coalesce(sum(greatest(c.reltuples, 0)), 0) from pg_class c
     where c.oid = '${table}'::regclass or c.oid in (select h.inhrelid from pg_inherits h where h.inhparent = '${table}'::regclass)
    )::bigint as estimated`);

const COUNTS = { partners: "partners", clients: "clients", keys: "keys", events: "events" };

export type Count = { count: number; exact: boolean };

/** Row counts of the main tables. */
export async function rowCounts(db: Queryable): Promise<Record<keyof typeof COUNTS, Count>> {
  const counts = await Promise.all(
    Object.entries(COUNTS).map(async ([name, table]) => {
      const [row] = await db.query<{ counted: number; estimated: number }>(countStatement(table));
      const { counted, estimated } = row ?? { counted: 0, estimated: 0 };
      const exact = counted <= COUNTED_MAX;
      return [name, { count: exact ? counted : Math.max(counted, estimated), exact }] as const;
    }),
  );
  return Object.fromEntries(counts) as Record<keyof typeof COUNTS, Count>;
}

const serverStatement = statement(`
  select current_setting('server_version') as version, current_setting('server_version_num')::int as version_number,
    current_setting('server_encoding') as encoding, current_user::text as login, current_database()::text as database,
    (select r.rolsuper from pg_roles r where r.rolname = current_user) as superuser,
    (extract(epoch from clock_timestamp()) * 1000)::float8 as time_ms`);

export type ServerFacts = {
  version: string;
  version_number: number;
  encoding: string;
  login: string;
  database: string;
  superuser: boolean;
  time_ms: number;
};

export async function serverFacts(db: Queryable): Promise<ServerFacts> {
  const [facts] = await db.query<ServerFacts>(serverStatement);
  if (facts === undefined) throw new Error("the database returned no server facts");
  return facts;
}

/**
 * The append-only tables, by their comment, and partitions that the login could change, but for the columns that the
 * comment lets change. Privileges are read from the catalogue. A login that can become a table's owner has the owner's privileges.
 */
const changeableStatement = statement(`
  select coalesce(array_agg(distinct t.relname::text order by t.relname::text), '{}') as tables,
    (select count(*)::int from pg_class c
     where c.relnamespace = 'public'::regnamespace and obj_description(c.oid) like 'append-only%') as append_only
  from pg_class t
    left join pg_inherits i on i.inhrelid = t.oid
  where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p')
    and (obj_description(t.oid) like 'append-only%' or obj_description(i.inhparent) like 'append-only%')
    and (has_table_privilege(t.oid, 'update') or has_table_privilege(t.oid, 'delete') or has_table_privilege(t.oid, 'truncate')
      or pg_has_role(t.relowner, 'member')
      or exists (select 1 from pg_attribute a
        where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and has_column_privilege(t.oid, a.attnum, 'update')
          and a.attname <> all (string_to_array(coalesce(substring(obj_description(t.oid) from '^append-only but for: ([a-z_, ]+)\\.'), ''), ', '))))`);

export async function changeableTables(db: Queryable): Promise<{ tables: string[]; append_only: number }> {
  const [row] = await db.query<{ tables: string[]; append_only: number }>(changeableStatement);
  return row ?? { tables: [], append_only: 0 };
}

const appliedStatement = statement("select number, file, checksum from migrations order by number");

export function appliedMigrations(db: Queryable) {
  return db.query<{ number: number; file: string; checksum: string }>(appliedStatement);
}
