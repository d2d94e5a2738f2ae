import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Migration } from "../../src/platform/db/migrate.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { contentOf, KNOWN_MIGRATIONS, restoreInto, takeBackup } from "../harness/backup.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { sized } from "../harness/size.ts";

/** A table with a column of every type that ours have, and what is special about columns. */
const HOSTILE: Migration = {
  number: 9_001,
  file: "9001_hostile.sql",
  checksum: "hostile",
  sql: `
    create table hostile (
      id        int primary key,
      body      text,
      bodies    text[],
      cased     text collate "C",
      document  jsonb,
      bytes     bytea,
      moment    timestamptz,
      rounded   timestamptz(3),
      amount    bigint,
      share     double precision,
      yes       boolean,
      address   inet,
      networks  cidr[],
      "a ""b"" c" text,
      counted   bigint generated always as identity (start 41),
      doubled   int generated always as (id * 2) stored
    );
    comment on table hostile is 'Values that are easily broken.'`,
};
const MIGRATIONS = [...KNOWN_MIGRATIONS, HOSTILE];
const COLUMNS = [
  ["body", "text"],
  ["bodies", "text[]"],
  ["cased", "text"],
  ["document", "jsonb"],
  ["bytes", "bytea"],
  ["moment", "timestamptz"],
  ["rounded", "timestamptz"],
  ["amount", "bigint"],
  ["share", "float8"],
  ["yes", "boolean"],
  ["address", "inet"],
  ["networks", "cidr[]"],
  ['"a ""b"" c"', "text"],
] as const;

let source: TestDatabase;
let target: TestDatabase;

beforeAll(async () => {
  source = await createTestDatabase();
  target = await createTestDatabase({ migrated: false });
  await migrate(source.owner, MIGRATIONS, source.service.user);
});
afterAll(async () => {
  await source.drop();
  await target.drop();
});

/** Text as PostgreSQL takes it: everything but zero bytes and lone surrogates. */
const text = fc.oneof(
  fc.constantFrom(
    "",
    "\\N",
    "\\.",
    "\\",
    "\t",
    "\n",
    "\r\n",
    "\b\f\v",
    "NULL",
    "{}",
    '"',
    "'",
    "🦜",
    "e\u0301",
    "\u202e",
    "\\x00",
    "\u2028",
  ),
  fc.string({ unit: "binary" }).map((any) => any.toWellFormed().replaceAll("\0", "")),
  fc.string({ unit: fc.constantFrom("\\", "\t", "\n", "\r", "N", ".", '"', ",", "{", "}", "🦜") }),
);
const orNull = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { freq: 5, nil: null });
const moment = fc.constantFrom(
  "-infinity",
  "infinity",
  "0001-01-01T00:00:00Z",
  "294276-12-31T23:59:59.999999Z",
  "2026-11-15T05:00:00.123456+05:45",
);
const json = fc.jsonValue().map((value) => JSON.stringify(value).replaceAll("\\u0000", "").toWellFormed());

const row = fc.tuple(
  orNull(text),
  orNull(fc.array(orNull(text), { maxLength: 4 })),
  orNull(text),
  orNull(json),
  orNull(fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes))),
  orNull(moment),
  orNull(fc.constantFrom("2026-11-15T05:00:00.999Z", "1969-12-31T23:59:59.001Z")),
  orNull(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)),
  orNull(
    fc.oneof(
      fc.double().map((value) => String(value)),
      fc.constantFrom("-0", "1e-307", "0.1", "NaN"),
    ),
  ),
  orNull(fc.boolean()),
  orNull(fc.constantFrom("::1", "10.0.0.1", "2001:db8::/33", "192.168.1.7/24")),
  orNull(fc.array(fc.constantFrom("10.0.0.0/8", "::/0", "192.168.1.0/24"), { maxLength: 3 })),
  orNull(text),
);

const insertText = `insert into hostile (id, ${COLUMNS.map(([name]) => name).join(", ")})
  values ($1, ${COLUMNS.map(([, type], index) => `$${index + 2}::${type}`).join(", ")})`;

test("whatever values the columns have, they come back as they were, and equal tables give equal bytes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 120, maxLength: 180 }), async (rows) => {
      await source.sql("truncate hostile");
      for (const [index, values] of rows.entries()) await source.sql(insertText, [index + 1, ...values]);
      const { bytes, manifest } = await takeBackup(source);
      await restoreInto(target, bytes, { migrations: MIGRATIONS, piece: 997 });
      expect(await contentOf(target)).toEqual(await contentOf(source));
      expect((await takeBackup(target)).manifest.tables).toEqual(manifest.tables);
    }),
    // A restore runs all migrations: many rows once show as much as few rows often.
    { numRuns: sized(1, 5) },
  );
});

test("a value of many megabytes comes back as it was", async () => {
  await source.sql("truncate hostile");
  await source.sql(
    "insert into hostile (id, body, bytes) values (1, repeat(E'\\\\\\n🦜', 1500000), decode(repeat('00ff5c0a', 1000000), 'hex'))",
  );
  const { bytes } = await takeBackup(source);
  await restoreInto(target, bytes, { migrations: MIGRATIONS });
  expect(await contentOf(target)).toEqual(await contentOf(source));
});

describe("after a restore", () => {
  beforeAll(async () => {
    await source.sql("truncate hostile");
    await source.sql("insert into hostile (id) select generate_series(1, 10)");
    await source.sql("delete from hostile where id > 5");
    await source.sql("select add_partitions('events', 'evt', '2031-03-01', '2031-04-01')");
    await source.sql("insert into events (partner_id, id, body) values ('ptr_x', first_id_at('evt', '2031-03-10'), 'x')");
    await restoreInto(target, (await takeBackup(source)).bytes, { migrations: MIGRATIONS });
  });

  test("what is counted goes on after the last number given", async () => {
    const [last] = await source.sql<{ counted: string }>("select max(counted) + 5 as counted from hostile");
    const [next] = await target.sql<{ counted: string }>("insert into hostile (id) values (99) returning counted");
    expect(BigInt(next?.counted ?? 0)).toBe(BigInt(last?.counted ?? 0) + 1n);
  });

  test("months that the migrations do not make are there, so no row ends up where retention cannot drop it", async () => {
    const places = await target.sql("select tableoid::regclass::text as place from events where partner_id = 'ptr_x'");
    expect(places).toEqual([{ place: "events_2031_03" }]);
  });

  test("the service's login has its rights, and no more", async () => {
    const rights = `select relname, has_table_privilege($1, oid, 'insert') as inserts, has_table_privilege($1, oid, 'update') as updates,
      has_table_privilege($1, oid, 'delete') as deletes from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and not relispartition order by 1`;
    expect(await target.sql(rights, [target.service.user])).toEqual(await source.sql(rights, [source.service.user]));
  });

  test("indexes, references and checks are those of the migrations, and valid", async () => {
    const shape = `
      select pg_get_indexdef(indexrelid) as definition, indisvalid as valid from pg_index
      where indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace and not relispartition)
      union all
      select conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid), convalidated from pg_constraint
      where connamespace = 'public'::regnamespace and conrelid in (select oid from pg_class where not relispartition)
      order by 1`;
    const found = await target.sql<{ valid: boolean }>(shape);
    expect(found).toEqual(await source.sql(shape));
    expect(found.filter(({ valid }) => !valid)).toEqual([]);
  });
});
