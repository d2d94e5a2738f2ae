import { readFile } from "node:fs/promises";
import type { Migration } from "../../src/platform/db/migrate.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { type Backup, KNOWN_MIGRATIONS, takeBackup } from "../harness/backup.ts";
import type { TestDatabase } from "../harness/database.ts";

/** The key of data/0001.sql: every scope, every client. */
export const OLD_KEY = "trb_bGanuKR1Pz7VBOkB2cMRec09G54efLFY2Mj73S";

/** A database as an installation of the time of a migration left it: its rows and, where one is wanted, its backup. */
export type OldDatabase = { number: number; rows: Rows; backup: Backup | null };

/**
 * One database lives through all migrations, with the data of each time put in at that time. After each migration `inspect`
 * gets the rows from before it and after it. Backups are taken at the given migrations.
 */
export async function liveThroughMigrations(
  living: TestDatabase,
  backed_up: readonly number[],
  inspect: (number: number, before: Rows, after: Rows) => void,
): Promise<OldDatabase[]> {
  const old: OldDatabase[] = [];
  for (const { number } of KNOWN_MIGRATIONS) {
    await migrate(living.owner, upTo(number), living.service.user);
    inspect(number, old.at(-1)?.rows ?? new Map(), await rowsOf(living));
    await living.sql(await dataOf(number));
    old.push({ number, rows: await rowsOf(living), backup: backed_up.includes(number) ? await takeBackup(living) : null });
  }
  return old;
}

/** The data of a time, as SQL. */
export function dataOf(number: number): Promise<string> {
  return readFile(new URL(`data/${String(number).padStart(4, "0")}.sql`, import.meta.url), "utf8");
}

export function upTo(number: number): Migration[] {
  return KNOWN_MIGRATIONS.filter((migration) => migration.number <= number);
}

/** Every row of every table as JSON, by table and key: the primary one, or the first two columns. */
export type Rows = Map<string, Row>;
export type Row = Record<string, unknown>;

export async function rowsOf({ sql }: TestDatabase): Promise<Rows> {
  const tables = await sql<{ name: string; key: string }>(`
    select c.relname as name, coalesce((select string_agg(quote_ident(a.attname), ', ') from pg_index i
      join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey) where i.indrelid = c.oid and i.indisprimary),
      (select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_attribute a where a.attrelid = c.oid and a.attnum in (1, 2))) as key
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relpersistence = 'p' and c.relname <> 'migrations'`);
  const all = tables.map(
    ({ name, key }) => `select '${name} ' || jsonb_build_array(${key})::text as key, to_jsonb(t) as content from ${name} t`,
  );
  const rows = await sql<{ key: string; content: Row }>(all.join(" union all "));
  return new Map(rows.map(({ key, content }) => [key, content]));
}
