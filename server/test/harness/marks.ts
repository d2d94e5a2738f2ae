import type { World } from "./world.ts";

/** The tables in which a text is, in any column. Bodies of events and audit entries are read as text. */
export async function placesOf({ db }: World, text: string): Promise<string[]> {
  const tables = await db.sql<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const column = name.startsWith("audit_entries") || name.startsWith("events") ? "convert_from(t.body, 'UTF8')" : "t::text";
    const [row] = await db.sql<{ count: string }>(`select count(*) from ${name} t where ${column} ilike $1`, [`%${text}%`]);
    if (Number(row?.count) > 0) found.push(name);
  }
  return found;
}
