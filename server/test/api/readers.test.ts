import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../src/platform/db/database.ts";
import { createReaders } from "../../src/platform/db/readers.ts";
import { statement } from "../../src/platform/db/statement.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { onCluster } from "../harness/reads.ts";

let db: TestDatabase;
let readers: ReturnType<typeof createReaders>;

beforeAll(async () => {
  db = await createTestDatabase();
  readers = createReaders(db.service);
});
afterAll(async () => {
  await readers.close();
  await db.drop();
});

const quotient = statement("select $1::int / $2::int as quotient");

test("a read that fails fails alone: those sent with it, before and behind, get their own answers", async () => {
  await readers.query(quotient, [1, 1]);
  for (let round = 0; round < 5; round += 1) {
    const asked = Array.from({ length: 150 }, (_, index) => [index, index % 7 === round ? 0 : 1] as const);
    const answers = await Promise.allSettled(asked.map((values) => readers.query<{ quotient: number }>(quotient, values)));
    for (const [index, [dividend, divisor]] of asked.entries()) {
      const answer = answers[index];
      if (divisor === 0) expect(answer).toMatchObject({ status: "rejected", reason: { code: "22012" } });
      else expect(answer).toMatchObject({ status: "fulfilled", value: [{ quotient: dividend }] });
    }
  }
});

const endItself = statement("select pg_terminate_backend(pg_backend_pid())");

test("when its connection is lost, what was under way fails, and the next reads have a new one", async () => {
  const asked = Array.from({ length: 100 }, (_, index) => readers.query(quotient, [index, 1]));
  const ended = readers.query(endItself);
  await expect(ended).rejects.toThrow();
  await Promise.allSettled(asked);
  await expect.poll(() => readers.query(quotient, [8, 2])).toEqual([{ quotient: 4 }]);
});

const plan = statement("explain select 1 from provider_events where partner_id = 'a' and provider_id = 'b' and event_id = 'c'");

test.skipIf(onCluster())(
  "a lookup by key reads the index of a table that was empty when it was planned, the pool's too",
  async () => {
    await db.sql("vacuum analyze provider_events");
    const pool = openDatabase(db.service, 1);
    try {
      for (const queryable of [readers, pool]) {
        const lines = await queryable.query<{ "QUERY PLAN": string }>(plan);
        expect(lines.map((line) => line["QUERY PLAN"]).join("\n")).toMatch(/Index (Only )?Scan using provider_events_pkey/);
      }
    } finally {
      await pool.close();
    }
  },
);
