import type { World } from "./world.ts";

/** The tables in which a text is, in any column. Bodies of events and audit entries are read as text. */
export async function placesOf(world: World, text: string): Promise<string[]> {
  return [...new Set((await rowsWith(world, text)).map(({ table }) => table))];
}

/** The rows in which a text is, in any column. */
export async function rowsWith({ db }: World, text: string): Promise<{ table: string; row: string }[]> {
  const tables = await db.sql<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
  );
  const found: { table: string; row: string }[] = [];
  for (const { name } of tables) {
    const column = name.startsWith("audit_entries") || name.startsWith("events") ? "convert_from(t.body, 'UTF8')" : "t::text";
    const rows = await db.sql<{ row: string }>(`select ${column} as row from ${name} t where ${column} ilike $1 order by 1`, [
      `%${text}%`,
    ]);
    found.push(...rows.map(({ row }) => ({ table: name, row })));
  }
  return found;
}
