import { expect, test } from "vitest";
import { useCluster } from "../harness/cluster.ts";
import { ROW_LOCKS, TABLE_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import { sized } from "../harness/size.ts";
import { type Json, nextPhone, type Reply } from "../harness/world.ts";

const PROCESSES = 3;
const WRITERS_PER_PROCESS = 4;
const ROUNDS = sized(6, 25);

const cluster = useCluster(PROCESSES);
const hold = useHolds(() => cluster.db.connect());

function call(turn: number, method: string, path: string, options: { body?: unknown; headers?: Record<string, string> } = {}) {
  return cluster.service(turn).call(method, path, { key: cluster.key, ...options });
}

async function createContact(turn: number, headers = {}): Promise<Json> {
  const { status, body } = await call(turn, "POST", "/v1/contacts", { body: { name: "Fed", phone: nextPhone() }, headers });
  expect(status).toBe(201);
  return body;
}

type Reader = { seen: string[]; cursor: string | null };

const told = ({ id, change, version }: Json) => `${id} ${change} ${version}`;

/** Reads the next stretch of the feed; true when that was all there is. */
async function readOn(reader: Reader, turn: number, limit: number): Promise<boolean> {
  const after = reader.cursor === null ? "" : `&after=${encodeURIComponent(reader.cursor)}`;
  const { status, body }: Reply = await call(turn, "GET", `/v1/changes?limit=${limit}${after}`);
  expect(status).toBe(200);
  reader.seen.push(...body.data.map(told));
  reader.cursor = body.next_cursor;
  return !body.has_more;
}

async function readToEnd(cursor: string | null = null): Promise<Reader> {
  const reader: Reader = { seen: [], cursor };
  while (!(await readOn(reader, 0, 100)));
  return reader;
}

test("every reader gets all changes once, each contact's in order, while three processes write", async () => {
  const { cursor: start } = await readToEnd();
  const shared = await Promise.all(Array.from({ length: 4 }, (_, turn) => createContact(turn)));
  let over = false;
  const writers = Array.from({ length: PROCESSES * WRITERS_PER_PROCESS }, async (_, turn) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      if (round % 4 === 0) await createContact(turn);
      else {
        const { id } = shared[(turn + round) % shared.length];
        const { status } = await call(turn, "PATCH", `/v1/contacts/${id}`, { body: { notes: `${turn} ${round}` } });
        expect(status).toBe(200);
      }
    }
  });
  const written = Promise.all(writers).finally(() => {
    over = true;
  });
  let turns = 0;
  const readers = Array.from({ length: PROCESSES * 2 }, (): Reader => ({ seen: [], cursor: start }));
  const readings = readers.map(async (reader, index) => {
    for (let caughtUp = false; !caughtUp; ) {
      const settled = over;
      caughtUp = (await readOn(reader, index < PROCESSES ? index : turns++, index % 2 === 0 ? 7 : 100)) && settled;
    }
  });
  await Promise.all([written, ...readings]);
  const { seen } = await readToEnd(start);
  expect(seen).toHaveLength(4 + PROCESSES * WRITERS_PER_PROCESS * ROUNDS);
  expect(new Set(seen).size).toBe(seen.length);
  for (const reader of readers) expect(reader.seen).toEqual(seen);
  for (const { id } of shared) {
    const versions = seen.filter((one) => one.startsWith(id)).map((one) => Number(one.split(" ")[2]));
    expect(versions).toEqual(versions.map((_, index) => index + 1));
  }
});

test("a change that commits late stands after every cursor that was handed out before", async () => {
  // Only a request with an Idempotency-Key needs this table: it waits here with its change inserted, not committed.
  const held = await hold("lock table idempotency_replies in exclusive mode");
  const late = createContact(0, { "idempotency-key": "late" });
  await untilWaiting(cluster.db.sql, TABLE_LOCKS, 1);
  for (let turn = 0; turn < PROCESSES; turn += 1) await createContact(turn);
  const reader = await readToEnd();
  const before = reader.seen.length;
  await held.release();
  const { id } = await late;
  while (!(await readOn(reader, 1, 100)));
  expect(reader.seen.slice(before)).toEqual([`${id} created 1`]);
  expect((await readToEnd()).seen).toEqual(reader.seen);
});

test("a write into a client's account that another process has under way ends before the client is suspended", async () => {
  const { body: client } = await call(0, "POST", "/v1/partners/clients", { body: { company: "Held" } });
  const held = await hold("lock table idempotency_replies in exclusive mode");
  const body = { name: "Late", phone: nextPhone(), account_id: client.id };
  const late = call(0, "POST", "/v1/contacts", { body, headers: { "idempotency-key": "late-write" } });
  await untilWaiting(cluster.db.sql, TABLE_LOCKS, 1);
  const answers: string[] = [];
  const suspended = call(1, "POST", `/v1/partners/clients/${client.id}/suspend`).then(({ status }) =>
    answers.push(`suspended ${status}`),
  );
  const written = late.then(({ status }) => answers.push(`written ${status}`));
  await untilWaiting(cluster.db.sql, ROW_LOCKS, 1);
  expect(answers).toEqual([]);
  await held.release();
  await Promise.all([suspended, written]);
  expect(answers.toSorted()).toEqual(["suspended 200", "written 201"]);
  const refused = await call(2, "POST", "/v1/contacts", { body: { ...body, phone: nextPhone() } });
  expect([refused.status, refused.body.code]).toEqual([409, "client_inactive"]);
});
