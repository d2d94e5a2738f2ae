import { TABLES } from "./tables.ts";
import type { Json, World } from "./world.ts";

/** What may change: the record of the request itself, and the run. */
const NOTED = ["audit_entries", "idempotency_replies", "rate_buckets", "sandbox_runs"];

/** A checksum of every table and the state of every sequence. */
export async function checksums(world: World): Promise<Json[]> {
  const tables = Object.keys(TABLES).filter((table) => !NOTED.includes(table));
  const sums = tables.map(
    (table) => `select '${table}' as name, count(*)::text || md5(coalesce(string_agg(row, ',' order by row), '')) as sum
      from (select (to_jsonb(t) - 'last_used_at')::text as row from ${table} t) rows`,
  );
  const rows = await world.db.sql<Json>(`${sums.join(" union all ")} order by name`);
  const sequences = await world.db.sql<Json>(
    "select schemaname || sequencename as name, last_value::text as sum from pg_sequences order by 1",
  );
  return [...rows, ...sequences];
}
