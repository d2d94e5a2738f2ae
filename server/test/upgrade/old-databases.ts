import { readFile } from "node:fs/promises";
import type { Migration } from "../../src/platform/db/migrate.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { KNOWN_MIGRATIONS } from "../harness/backup.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";

/** The key of data/0001.sql: every scope, every client. */
export const OLD_KEY = "trb_bGanuKR1Pz7VBOkB2cMRec09G54efLFY2Mj73S";

/**
 * For each migration a database as an installation of that time left it: it lived through all migrations up to that one,
 * with the data of each time put in at that time. Each migration runs once, and the databases are clones of one.
 */
export async function openOldDatabases(): Promise<Map<number, TestDatabase>> {
  const living = await createTestDatabase({ migrated: false });
  const old = new Map<number, TestDatabase>();
  for (const { number } of KNOWN_MIGRATIONS) {
    await migrate(living.owner, upTo(number), living.service.user);
    await living.sql(await readFile(new URL(`data/${String(number).padStart(4, "0")}.sql`, import.meta.url), "utf8"));
    await living.disconnect();
    old.set(number, await createTestDatabase({ template: living.name }));
  }
  await living.drop();
  return old;
}

export function upTo(number: number): Migration[] {
  return KNOWN_MIGRATIONS.filter((migration) => migration.number <= number);
}

/** Every row of every table as JSON, by table and key: the primary one, or the first two columns. */
export type Rows = Map<string, Record<string, unknown>>;

export async function rowsOf({ sql }: TestDatabase): Promise<Rows> {
  const tables = await sql<{ name: string; key: string }>(`
    select c.relname as name, coalesce((select string_agg(quote_ident(a.attname), ', ') from pg_index i
      join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey) where i.indrelid = c.oid and i.indisprimary),
      (select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_attribute a where a.attrelid = c.oid and a.attnum in (1, 2))) as key
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relpersistence = 'p' and c.relname <> 'migrations'`);
  const rows: Rows = new Map();
  for (const { name, key } of tables) {
    for (const { id, content } of await sql<{ id: string; content: Record<string, unknown> }>(
      `select jsonb_build_array(${key})::text as id, to_jsonb(t) as content from ${name} t`,
    ))
      rows.set(`${name} ${id}`, content);
  }
  return rows;
}
