import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";

/** A transaction that holds no lock yet cannot deadlock, so it may wait longer. */
const FIRST_WITHIN_MS = 3_000;
/** Below the default deadlock_timeout of one second. */
const OTHERS_WITHIN_MS = 700;
const ATTEMPTS_MAX = 60;
const PAUSE_MS = 300;
const GAVE_UP = new Set(["57014", "55P03", "40P01"]);

type Wanted = { table: string; mode: "access exclusive" | "share row exclusive" };

/**
 * Begins a transaction that has locked every table its statements will change. A migration that locked them one by one would
 * deadlock with requests, and PostgreSQL would fail one of those. So it locks them first, and gives up before PostgreSQL
 * checks for deadlocks. The table it could not lock comes first in the next attempt: then it waits for it holding nothing.
 */
export async function beginWithTables(client: pg.Client, sql: string): Promise<void> {
  const { altered, named } = tablesIn(sql, await presentTables(client));
  let wanted: Wanted[] = [
    ...altered.map((table) => ({ table, mode: "access exclusive" as const })),
    ...named.map((table) => ({ table, mode: "share row exclusive" as const })),
  ];
  for (let attempt = 1; ; attempt += 1) {
    await client.query("begin");
    const busy = await lockTables(client, wanted);
    if (busy === null) return;
    await client.query("rollback");
    if (attempt === ATTEMPTS_MAX)
      throw new Error(`the table ${busy.table} is in use all the time: migrate when there is less load`);
    wanted = [busy, ...wanted.filter((other) => other !== busy)];
    await sleep(PAUSE_MS + randomInt(PAUSE_MS));
  }
}

/** Null when all are locked, or the first that could not be locked in time. */
async function lockTables(client: pg.Client, wanted: Wanted[]): Promise<Wanted | null> {
  let until_ms = performance.now() + FIRST_WITHIN_MS;
  for (const [index, { table, mode }] of wanted.entries()) {
    const left_ms = Math.floor(until_ms - performance.now());
    if (left_ms <= 0) return wanted[index] ?? null;
    try {
      await client.query(`set local statement_timeout = ${left_ms}`);
      await client.query(`lock table ${table} in ${mode} mode`);
    } catch (error) {
      if (GAVE_UP.has((error as pg.DatabaseError).code ?? "")) return wanted[index] ?? null;
      throw error;
    }
    if (index === 0) until_ms = performance.now() + OTHERS_WITHIN_MS;
  }
  await client.query("set local statement_timeout = 0");
  return null;
}

export type PresentTable = { name: string; indexes: string[] };

/** Altered tables are locked exclusively; for tables that are only named, such as by a new index, readers may go on. */
export function tablesIn(sql: string, present: PresentTable[]): { altered: string[]; named: string[] } {
  const text = sql.replaceAll(/--.*$/gm, "");
  const has = (pattern: string) => new RegExp(pattern, "i").test(text);
  const drops = has("\\bdrop\\s+index\\b");
  const isAltered = ({ name, indexes }: PresentTable) =>
    has(`\\b(?:alter|drop)\\s+table\\s+(?:if\\s+exists\\s+)?(?:only\\s+)?${name}\\b`) ||
    (drops && indexes.some((index) => has(`\\b${index}\\b`)));
  const altered = present.filter(isAltered).map(({ name }) => name);
  const named = present.map(({ name }) => name).filter((name) => !altered.includes(name) && has(`\\b${name}\\b`));
  return { altered, named };
}

async function presentTables(client: pg.Client): Promise<PresentTable[]> {
  const { rows } = await client.query<PresentTable>(`
    select c.oid::regclass::text as name,
      array(select i.indexrelid::regclass::text from pg_index i where i.indrelid = c.oid) as indexes
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'migrations'
    order by 1`);
  return rows;
}
