import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { firstIdAt } from "../../src/kernel/ids.ts";
import { describeSchema } from "../../src/platform/db/catalogue.ts";
import { TABLES } from "../harness/tables.ts";
import { useWorld } from "../harness/world.ts";

const world = useWorld();

test("schema.sql is what the migrations make", async () => {
  const committed = await readFile(new URL("../../schema.sql", import.meta.url), "utf8");
  const actual = await describeSchema({
    query: async <Row>({ text }: { text: string }) => (await world.db.sql(text)) as Row[],
  });
  expect(actual).toBe(committed);
});

test("every table says in a comment what it is for", async () => {
  const bare = await world.db.sql(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
     and obj_description(oid) is null and relname <> 'migrations'`,
  );
  expect(bare).toEqual([]);
});

test("the partner leads the primary key and every unique key of a tenant table, and every foreign key between them", async () => {
  const others = Object.keys(TABLES).filter((table) => TABLES[table]?.distribution !== "tenant");
  const faults = await world.db.sql(
    `select c.relname as table, i.indexrelid::regclass::text as index
     from pg_index i join pg_class c on c.oid = i.indrelid join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and i.indisunique
       and c.relname <> all ($1) and not c.relispartition and a.attname <> 'partner_id'`,
    [others],
  );
  expect(faults).toEqual([]);
});

test("the database and the code agree on the first id of an instant, so a month's rows land in its partition", async () => {
  for (const time of [
    "1970-01-01T00:00:00.000Z",
    "2026-11-01T00:00:00.000Z",
    "2026-11-15T12:34:56.789Z",
    "2100-02-28T23:59:59.999Z",
  ]) {
    const [row] = await world.db.sql<{ id: string }>("select first_id_at('evt', $1) as id", [time]);
    expect(row?.id).toBe(firstIdAt("event", Date.parse(time)));
  }
});
