import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { isUnreachable } from "../../src/platform/db/connection.ts";
import { type Database, openDatabase } from "../../src/platform/db/database.ts";
import type { Answer } from "../../src/platform/db/flight.ts";
import { begin, commit } from "../../src/platform/db/outgoing.ts";
import { type Statement, statement } from "../../src/platform/db/statement.ts";
import { createWriters, DEPTH_MAX, WRITERS, type Writers } from "../../src/platform/db/writers.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { useHolds } from "../harness/holds.ts";
import { onCluster } from "../harness/reads.ts";
import { eventually } from "../postgres/processes.ts";

let test_db: TestDatabase;
let db: Database;

beforeAll(async () => {
  test_db = await createTestDatabase();
  await test_db.sql("create table things (name text primary key)");
  await test_db.sql("grant all on things to public");
  db = openDatabase(test_db.service, WRITERS * 2);
});
afterAll(async () => {
  await db.close();
  await test_db.drop();
});
beforeEach(() => test_db.sql("truncate things"));

const insert = statement("insert into things values ($1)");
const lockName = statement("select pg_advisory_xact_lock(hashtextextended($1, 99))");
const LOCKS = 2_000;
const lockFrom = statement(`select pg_try_advisory_xact_lock(99, n) as free from generate_series($1::int, ${LOCKS}) n`);
const confirmed = statement("select confirm($1)");
const endSession = statement("select pg_terminate_backend(pg_backend_pid()), pg_sleep(10)");
const rest = statement("select pg_sleep($1::float8)");
const session = statement("select pg_backend_pid() as pid");

const names = async () => (await test_db.sql<{ name: string }>("select name from things order by name")).map(({ name }) => name);

type Part = { statement: Statement; values: unknown[] };

/** Runs a transaction that waits for nothing, of these statements; tells of its attempts whether they assumed. */
async function atOnce(...parts: Part[]): Promise<boolean[]> {
  const attempts: boolean[] = [];
  await db.transaction(() => ({
    at_once: true,
    open: async () => undefined,
    async run(tx) {
      attempts.push(tx.assuming);
    },
    close: () => parts,
  }));
  return attempts;
}

const numbered = (length: number) => Array.from({ length }, (_, index) => `thing ${String(index).padStart(3, "0")}`);
const hold = useHolds(() => test_db.connect());

describe.skipIf(onCluster())("transactions that share connections", () => {
  test("are each answered by what became of it, and those that fail leave nothing behind", async () => {
    await test_db.sql("insert into things values ('taken')");
    const wanted = numbered(200);
    for (const _ of [1, 2]) {
      await test_db.sql("delete from things where name <> 'taken'");
      const ended = await Promise.allSettled(
        wanted.map((name, index) =>
          atOnce(
            { statement: insert, values: [name] },
            { statement: insert, values: [index % 3 === 0 ? "taken" : `${name} too`] },
          ),
        ),
      );
      for (const [index, end] of ended.entries()) {
        if (index % 3 === 0) expect(end).toMatchObject({ status: "rejected", reason: { code: "23505" } });
        else expect(end).toEqual({ status: "fulfilled", value: [true] });
      }
      const made = wanted.filter((_, index) => index % 3 !== 0).flatMap((name) => [name, `${name} too`]);
      expect(await names()).toEqual(["taken", ...made]);
    }
  });

  test("prepare a statement that failed behind others once more", async () => {
    const fresh = statement("insert into things values ($1 || ' of its own')");
    await test_db.sql("insert into things values ('taken')");
    const ended = await Promise.allSettled(
      numbered(WRITERS * 3).map((name, index) =>
        atOnce({ statement: insert, values: [index < WRITERS ? "taken" : name] }, { statement: fresh, values: [name] }),
      ),
    );
    expect(ended.map(({ status }) => status)).toEqual(ended.map((_, index) => (index < WRITERS ? "rejected" : "fulfilled")));
    expect(await names()).toHaveLength(1 + WRITERS * 4);
  });

  test("do not wait for one that waits for a lock: it goes on waiting on a connection of its own", async () => {
    const held = await hold("select pg_advisory_xact_lock(hashtextextended($1, 99))", ["a name"]);
    const locked = (name: string) => atOnce({ statement: lockName, values: ["a name"] }, { statement: insert, values: [name] });
    const waiting = numbered(WRITERS * 2).map(locked);
    const busy = { total: WRITERS * 3, idle: WRITERS, waiting: 0 };
    await eventually("all of them to have connections of their own", async () =>
      isDeepStrictEqual(db.usage(), busy) ? true : null,
    );
    expect(await atOnce({ statement: insert, values: ["free"] })).toEqual([true]);
    expect(await names()).toEqual(["free"]);
    await held.release();
    for (const attempts of await Promise.all(waiting)) expect(attempts).toEqual([true, false]);
    expect(await names()).toHaveLength(1 + WRITERS * 2);
  });

  test.each([
    ["as a whole", () => confirmed],
    ["one by one, because a statement is new", (round: number) => statement(`select confirm($1) as round_${round}`)],
  ])("are over, with their locks released, before they are tried again: sent %s", async (_case, last) => {
    const lockUnder = (holds: boolean, confirm: Statement) =>
      db.transaction(() => ({
        at_once: true,
        open: async () => undefined,
        async run(tx) {
          if (!tx.assuming) return tx.query(lockFrom, [LOCKS]);
          // The more locks there are, the longer it takes to release them.
          tx.send({ statement: lockFrom, values: [holds ? LOCKS : 1] });
          return null;
        },
        close: (second) => (second === null ? [{ statement: confirm, values: [holds] }] : []),
      }));
    await Promise.all(Array.from({ length: WRITERS }, () => lockUnder(true, confirmed)));
    for (let round = 0; round < 20; round += 1) expect(await lockUnder(false, last(round))).toEqual([{ free: true }]);
  });

  test("are not tried again when their connection is lost, and the next ones have a new one", async () => {
    const ended = await Promise.allSettled(
      numbered(WRITERS * 3).map((name, index) =>
        atOnce(
          { statement: insert, values: [name] },
          index < WRITERS ? { statement: endSession, values: [] } : { statement: rest, values: [0] },
        ),
      ),
    );
    expect(ended.map(({ status }) => status)).toEqual(ended.map(() => "rejected"));
    expect(await names()).toEqual([]);
    const again = () => atOnce({ statement: insert, values: ["again"] }).catch(() => null);
    await expect.poll(again).toEqual([true]);
  });
});

/** The answers of a whole transaction. */
function sendTo(writers: Writers, ...parts: Part[]): Promise<Answer[]> {
  const sendings = [{ statement: begin, values: [] }, ...parts, { statement: commit, values: [] }];
  return new Promise((resolve, reject) => {
    const answers: Promise<Answer>[] = [];
    writers.send(
      sendings.map((part) => {
        const { promise, resolve, reject } = Promise.withResolvers<Answer>();
        answers.push(promise);
        return { ...part, resolve, reject };
      }),
    );
    Promise.all(answers).then(resolve, reject);
  });
}

test("a server that does not answer is given up, and its transactions with it", async () => {
  const writers = createWriters(test_db.service, { silent_ms: 1_500, waiting_ms: 60_000 });
  try {
    await sendTo(writers, { statement: rest, values: [0] });
    await expect(sendTo(writers, { statement: rest, values: [14] })).rejects.toThrow("Connection terminated");
    expect((await sendTo(writers, { statement: rest, values: [0] })).at(-1)?.tag).toBe("COMMIT");
  } finally {
    await writers.close();
  }
});

test("without work all but one connection are closed, and opened again when there is some", async () => {
  const writers = createWriters(test_db.service, { silent_ms: 1_500, waiting_ms: 60_000 });
  const sessions = () => Promise.all(numbered(WRITERS).map(() => sendTo(writers, { statement: session, values: [] })));
  try {
    await sessions();
    await expect.poll(() => writers.usage()).toEqual({ total: 1, idle: 1, waiting: 0 });
    expect(await sessions()).toHaveLength(WRITERS);
  } finally {
    await writers.close();
  }
});

describe("transactions beyond what the connections take", () => {
  const resting = (writers: Writers, seconds: number) =>
    numbered(WRITERS).map(() => sendTo(writers, { statement: rest, values: [seconds] }));
  const quick = (writers: Writers, length: number) =>
    numbered(length).map(() => sendTo(writers, { statement: session, values: [] }));
  const fill = (writers: Writers, seconds: number) => [
    ...resting(writers, seconds),
    ...quick(writers, WRITERS * (DEPTH_MAX - 1)),
  ];

  test("take their turn", async () => {
    const writers = createWriters(test_db.service, { silent_ms: 60_000, waiting_ms: 60_000 });
    try {
      const sent = [...fill(writers, 0.2), ...quick(writers, 3)];
      expect(writers.usage().waiting).toBe(3);
      expect(await Promise.all(sent)).toHaveLength(WRITERS * DEPTH_MAX + 3);
      expect(writers.usage()).toEqual({ total: WRITERS, idle: WRITERS, waiting: 0 });
    } finally {
      await writers.close();
    }
  });

  test("are refused when none comes", async () => {
    const writers = createWriters(test_db.service, { silent_ms: 60_000, waiting_ms: 300 });
    try {
      await Promise.all(resting(writers, 0));
      const admitted = fill(writers, 3);
      const refused = (await Promise.allSettled(quick(writers, 3))) as PromiseRejectedResult[];
      expect(refused.map(({ reason }) => isUnreachable(reason))).toEqual([true, true, true]);
      expect(await Promise.all(admitted)).toHaveLength(WRITERS * DEPTH_MAX);
    } finally {
      await writers.close();
    }
  });
});
