import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "../../src/platform/db/database.ts";
import { byCreation, keysetPage } from "../../src/platform/db/keyset.ts";
import { composedStatement, type Queryable, statement } from "../../src/platform/db/statement.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";

const PREPARED_MAX = 110;

let test_db: TestDatabase;
let db: Database;

beforeAll(async () => {
  test_db = await createTestDatabase();
  // One connection, so that everything below is prepared on it.
  db = openDatabase(test_db.service, 1);
});
afterAll(async () => {
  await db.close();
  await test_db.drop();
});

const countPrepared = statement("select count(*)::int as count from pg_prepared_statements");
const fixed = statement("select $1::int as value");

async function prepared(): Promise<number> {
  return (await db.query<{ count: number }>(countPrepared))[0]?.count ?? 0;
}

test("no combination of filters grows what a connection keeps prepared", async () => {
  for (let words = 0; words < 300; words += 1) {
    const conditions = (place: (value: unknown) => string) =>
      Array.from({ length: words }, (_, index) => `c.company <> ${place(`word ${index}`)}`);
    const listing = { list: "clients", table: "clients", json: "'{}'", sort: byCreation(true), conditions };
    expect(await keysetPage(db, "par_none", listing, {})).toEqual({ json: '{"data":[],"has_more":false,"next_cursor":null}' });
  }
  expect(await prepared()).toBeLessThan(PREPARED_MAX);
});

test("statements that fail are not kept for ever either", async () => {
  for (let count = 1; count <= 150; count += 1) {
    await expect(db.query(composedStatement(`select ${count} / $1::int as value`), [0])).rejects.toMatchObject({ code: "22012" });
  }
  expect(await prepared()).toBeLessThan(PREPARED_MAX);
});

test("a statement that was given up is prepared again, also amid a transaction, and fixed ones are never given up", async () => {
  await db.query(fixed, [0]);
  const value = (count: number) => composedStatement(`select ${count}::int + $1::int as value`);
  const values = await db.transaction(() => ({
    open: async () => undefined,
    async run(tx) {
      const found: number[] = [];
      for (let round = 0; round < 3; round += 1) {
        for (let count = 0; count < 130; count += 1) {
          const rows = await Promise.all([
            tx.query<{ value: number }>(value(count), [round]),
            tx.query<{ value: number }>(fixed, [count]),
          ]);
          found.push(...rows.flat().map((row) => row.value));
        }
      }
      return found;
    },
    close: () => [],
  }));
  expect(values).toEqual([0, 1, 2].flatMap((round) => Array.from({ length: 130 }, (_, count) => [count + round, count]).flat()));
  const kept = statement("select count(*)::int as count from pg_prepared_statements where statement = $1");
  expect(await db.query(kept, [fixed.text])).toEqual([{ count: 1 }]);
  expect(await prepared()).toBeLessThan(PREPARED_MAX);
});

test("a statement that nobody waits for fails its transaction with its own error, wherever that is noticed", async () => {
  const divide = statement("select 1 / $1::int as value");
  const keep = statement("insert into public_tokens (token, kind, partner_id, target_id) values ($1, 'pay', 'ptr_x', 'lnk_x')");
  const kept = statement("select count(*)::int as count from public_tokens where partner_id = 'ptr_x'");
  const transact = (divisor: number, after: (tx: Queryable) => Promise<unknown>) =>
    db.transaction(() => ({
      open: async () => undefined,
      async run(tx) {
        await tx.query(fixed, [1]);
        tx.send({ statement: keep, values: [`token ${divisor}`] });
        tx.send({ statement: divide, values: [divisor] });
        return after(tx);
      },
      close: () => [{ statement: fixed, values: [2] }],
    }));
  const later = async (tx: Queryable) => {
    await tx.query(fixed, [3]);
    await tx.query(fixed, [4]);
  };
  // Twice, because statements that are new to a connection are sent one by one.
  for (const _ of [1, 2])
    for (const after of [async () => undefined, later]) await expect(transact(0, after)).rejects.toMatchObject({ code: "22012" });
  expect(await db.query(kept)).toEqual([{ count: 0 }]);
  await transact(1, async () => undefined);
  expect(await db.query(kept)).toEqual([{ count: 1 }]);
});

test("a statement that nobody waits for does not hide why one before it failed", async () => {
  const divide = statement("select 7 / $1::int as value");
  const last = statement("select 8 + $1::int as value");
  const run = () =>
    db.transaction(() => ({
      open: async () => undefined,
      async run(tx) {
        const divided = tx.query(divide, [0]);
        tx.send({ statement: last, values: [1] });
        await divided.catch((error: unknown) => {
          throw new Error("by zero", { cause: error });
        });
      },
      close: () => [],
    }));
  // Twice, because statements that are new to a connection are sent one by one.
  for (const _ of [1, 2]) await expect(run()).rejects.toThrow("by zero");
});
