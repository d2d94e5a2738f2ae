import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";

/** Together below the second after which PostgreSQL looks for deadlocks, unless its setting was changed. */
const WAIT_MS = 350;
const ATTEMPTS_MAX = 120;
const PAUSE_MS = 500;
const GAVE_UP = new Set(["57014", "55P03", "40P01"]);

/**
 * Begins a transaction that holds every table its statements are about to change. A migration that took them one after
 * the other would run into requests that hold the next and wait for the last, and PostgreSQL would fail one of those. So
 * it takes them all at once or gives up, before anybody's wait is taken for a deadlock, and lets the requests through
 * before it tries again.
 */
export async function beginWithTables(client: pg.Client, sql: string): Promise<void> {
  const { altered, named } = tablesIn(sql, await presentTables(client));
  for (let attempt = 1; ; attempt += 1) {
    await client.query("begin");
    try {
      await client.query(`set local statement_timeout = ${WAIT_MS}`);
      if (altered.length > 0) await client.query(`lock table ${altered.join(", ")} in access exclusive mode`);
      if (named.length > 0) await client.query(`lock table ${named.join(", ")} in share row exclusive mode`);
      await client.query("set local statement_timeout = 0");
      return;
    } catch (error) {
      await client.query("rollback");
      if (attempt === ATTEMPTS_MAX || !GAVE_UP.has((error as pg.DatabaseError).code ?? "")) throw error;
      await sleep(PAUSE_MS + randomInt(PAUSE_MS));
    }
  }
}

/** Those that are altered must be had alone; of those that are only named, such as by an index, readers may go on. */
export function tablesIn(sql: string, present: string[]): { altered: string[]; named: string[] } {
  const text = sql.replaceAll(/--.*$/gm, "");
  const has = (before: string, table: string) => new RegExp(`${before}\\b${table}\\b`, "i").test(text);
  const altered = present.filter((table) => has("\\b(?:alter|drop)\\s+table\\s+(?:if\\s+exists\\s+)?(?:only\\s+)?", table));
  const named = present.filter((table) => !altered.includes(table) && has("", table));
  // Which table an index belongs to is not in the statement that drops it.
  return /\bdrop\s+index\b/i.test(text) ? { altered: [...altered, ...named], named: [] } : { altered, named };
}

async function presentTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select c.oid::regclass::text as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`);
  return rows.map(({ name }) => name).filter((name) => name !== "migrations");
}
