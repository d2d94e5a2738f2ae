import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { condition, steadyStatement } from "../../src/platform/db/assumptions.ts";
import { type Database, openDatabase } from "../../src/platform/db/database.ts";
import { sent } from "../../src/platform/db/flight.ts";
import { statement } from "../../src/platform/db/statement.ts";
import type { Sender, TransactionPlan } from "../../src/platform/db/transaction.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { onCluster } from "../harness/reads.ts";

let test_db: TestDatabase;
let db: Database;

beforeAll(async () => {
  test_db = await createTestDatabase();
  await test_db.sql("create table things (name text primary key, size int, unique (size) deferrable initially deferred)");
  await test_db.sql("grant all on things to public");
  // One connection, so that everything below is prepared on it.
  db = openDatabase(test_db.service, 1);
});
afterAll(async () => {
  await db.close();
  await test_db.drop();
});
beforeEach(async () => {
  await test_db.sql("truncate things");
  await test_db.sql("insert into things values ('one', 1)");
});

const insert = statement("insert into things values ($1, $2)");
const sizeOf = steadyStatement("select t.size from things t where t.name = $1");
const markedSizeOf = steadyStatement<{ size: number; note: string }>(
  "select t.size, 'a note' as note from things t where t.name = $1",
  {
    of: ({ size }) => size,
    same: "exists (select from things t where t.name = $1 and t.size = $2::int)",
  },
);
const sizeIs = condition("(select size from things where name = $1) = $2::int");
const endSession = statement("select pg_terminate_backend(pg_backend_pid())");

const names = async () => (await test_db.sql<{ name: string }>("select name from things order by name")).map(({ name }) => name);

type Body = (tx: Sender) => Promise<unknown>;

/** Runs a body that may assume; tells of its attempts whether they assumed. */
async function atOnce(run: Body, close: TransactionPlan<unknown>["close"] = () => []): Promise<boolean[]> {
  const attempts: boolean[] = [];
  await db.transaction(() => ({
    at_once: true,
    open: async () => undefined,
    run(tx) {
      attempts.push(tx.assuming);
      return run(tx);
    },
    close,
  }));
  return attempts;
}

/** Inserts a thing that is ten times as large as the first. */
const tenfold =
  (name: string, seen: (size: number) => void = () => undefined): Body =>
  async (tx) => {
    const [row] = await tx.recall<{ size: number }>(sizeOf, ["one"]);
    seen(row?.size ?? 0);
    tx.send({ statement: insert, values: [name, (row?.size ?? 0) * 10] });
  };

describe.skipIf(onCluster())("a transaction that assumes what it knows", () => {
  test("is one flight without BEGIN and COMMIT, once it knows the answers and the statements", async () => {
    for (const name of ["a", "b"]) {
      await atOnce(tenfold(name));
      await test_db.sql("delete from things where name = $1", [name]);
    }
    const before = { ...sent };
    expect(await atOnce(tenfold("c"))).toEqual([true]);
    expect([sent.statements - before.statements, sent.flights - before.flights]).toEqual([2, 1]);
    expect(await names()).toEqual(["c", "one"]);
  });

  test("starts again and reads for itself when an answer is another by now", async () => {
    await atOnce(tenfold("a"));
    await test_db.sql("delete from things where name = 'a'");
    await test_db.sql("update things set size = 7 where name = 'one'");
    const sizes: number[] = [];
    expect(await atOnce(tenfold("b", (size) => sizes.push(size)))).toEqual([true, false]);
    expect(sizes).toEqual([1, 7]);
    expect(await test_db.sql("select size from things where name = 'b'")).toEqual([{ size: 70 }]);
    const read: Body = async (tx) => sizes.push(...(await tx.recall<{ size: number }>(sizeOf, ["one"])).map(({ size }) => size));
    expect(await atOnce(read)).toEqual([true]);
    expect(sizes).toEqual([1, 7, 7]);
  });

  test("tells by the mark of an answer whether it is another by now, if it has one", async () => {
    const sizes: number[] = [];
    const read: Body = async (tx) =>
      sizes.push(...(await tx.recall<{ size: number }>(markedSizeOf, ["one"])).map(({ size }) => size));
    await atOnce(read);
    expect(await atOnce(read)).toEqual([true]);
    await test_db.sql("update things set size = 7 where name = 'one'");
    expect(await atOnce(read)).toEqual([true, false]);
    expect(await atOnce(read)).toEqual([true]);
    expect(sizes).toEqual([1, 1, 1, 7, 7]);
  });

  test("starts again when a condition is not met, each with its own parameters", async () => {
    const check = (sizes: [string, number][]) =>
      atOnce(async (tx) => {
        if (!tx.assuming) return;
        for (const values of sizes) tx.confirm(sizeIs, values);
        tx.send({ statement: insert, values: ["made", 2] });
      });
    expect(
      await check([
        ["one", 1],
        ["one", 1],
      ]),
    ).toEqual([true]);
    expect(await names()).toEqual(["made", "one"]);
    await test_db.sql("delete from things where name = 'made'");
    for (const wrong of [
      [
        ["one", 1],
        ["one", 2],
      ],
      [
        ["one", 2],
        ["one", 1],
      ],
      [["none", 1]],
    ] as [string, number][][])
      expect(await check(wrong)).toEqual([true, false]);
    expect(await names()).toEqual(["one"]);
  });

  test("leaves nothing behind when a statement is refused, and the second attempt's refusal is the result", async () => {
    for (const _ of [1, 2, 3]) {
      const attempts: boolean[] = [];
      const run = atOnce(async (tx) => {
        attempts.push(tx.assuming);
        tx.send({ statement: insert, values: ["two", 2] });
        tx.send({ statement: insert, values: ["one", 3] });
      });
      await expect(run).rejects.toMatchObject({ code: "23505", constraint: "things_pkey" });
      expect(attempts).toEqual([true, false]);
      expect(await names()).toEqual(["one"]);
    }
  });

  test("is refused by what is only checked at its end", async () => {
    const same = (tx: Sender) => {
      tx.send({ statement: insert, values: ["same size", 1] });
      return Promise.resolve();
    };
    for (const _ of [1, 2, 3]) {
      await expect(atOnce(same)).rejects.toMatchObject({ code: "23505", constraint: "things_size_key" });
      expect(await names()).toEqual(["one"]);
    }
    expect(await atOnce(async (tx) => tx.send({ statement: insert, values: ["other size", 2] }))).toEqual([true]);
  });

  test("does not refuse for what it assumed alone", async () => {
    await atOnce(tenfold("a"));
    await test_db.sql("update things set size = 7 where name = 'one'");
    const refuseSmall: Body = async (tx) => {
      const [row] = await tx.recall<{ size: number }>(sizeOf, ["one"]);
      if ((row?.size ?? 0) < 5) throw new Error("too small");
    };
    expect(await atOnce(refuseSmall)).toEqual([true, false]);
    await test_db.sql("update things set size = 2 where name = 'one'");
    await expect(atOnce(refuseSmall)).rejects.toThrow("too small");
  });

  test("is not tried again when the connection is lost: it may have committed", async () => {
    const other = openDatabase(test_db.service, 1);
    try {
      for (const _ of [1, 2]) {
        const attempts: boolean[] = [];
        const run = other.transaction(() => ({
          at_once: true,
          open: async () => undefined,
          async run(tx) {
            attempts.push(tx.assuming);
            tx.send({ statement: insert, values: ["two", 2] });
          },
          close: () => [{ statement: endSession, values: [] }],
        }));
        await expect(run).rejects.toThrow();
        expect(attempts).toEqual([true]);
      }
    } finally {
      await other.close();
    }
    expect(await names()).toEqual(["one"]);
  });

  test("gives the same answer to all, so that none can change it", async () => {
    const rows: (readonly { size: number }[])[] = [];
    for (const _ of [1, 2, 3]) await atOnce(async (tx) => rows.unshift(await tx.recall<{ size: number }>(sizeOf, ["one"])));
    expect(rows[1]).toBe(rows[0]);
    expect(() => Object.assign(rows[0]?.[0] ?? {}, { size: 5 })).toThrow(TypeError);
  });
});

test("a transaction that may not assume reads for itself", async () => {
  const read = () =>
    db.transaction(() => ({
      open: async () => undefined,
      run: async (tx) => [tx.assuming, await tx.recall(sizeOf, ["one"])],
      close: () => [],
    }));
  expect(await read()).toEqual([false, [{ size: 1 }]]);
  await test_db.sql("update things set size = 8 where name = 'one'");
  expect(await read()).toEqual([false, [{ size: 8 }]]);
});
