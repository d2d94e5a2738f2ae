import { expect, test } from "vitest";
import { newId } from "../../src/kernel/ids.ts";
import { BATCH } from "../../src/platform/record/sequencer.ts";
import { useCluster } from "../harness/cluster.ts";
import { halfChanges } from "../harness/consistency.ts";
import { TABLE_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import { sized } from "../harness/size.ts";
import { BASE, type Reply } from "../harness/world.ts";
import { eventually } from "../postgres/processes.ts";

const PROCESSES = 3;
const WRITERS_PER_PROCESS = 5;
const SHARED_CLIENTS = 8;
/** What every reader must have seen while the writers are still at work. */
const EVENTS_UNDER_LOAD = sized(300, 600);

const cluster = useCluster(PROCESSES);
const hold = useHolds(() => cluster.db.connect());

function call(turn: number, method: string, path: string, options: { body?: unknown; headers?: Record<string, string> } = {}) {
  return cluster.service(turn).call(method, `${BASE}${path}`, { key: cluster.key, ...options });
}

async function createClient(turn: number): Promise<string> {
  const { status, body } = await call(turn, "POST", "/clients", { body: { company: "Fed" } });
  expect(status).toBe(201);
  return body.id;
}

type Reader = { ids: string[]; cursor: string | null };

/** Reads the next stretch of the feed; true when that was all there is. */
async function readOn(reader: Reader, turn: number, limit: number): Promise<boolean> {
  const after = reader.cursor === null ? "" : `&after=${encodeURIComponent(reader.cursor)}`;
  const { status, body }: Reply = await call(turn, "GET", `/events?limit=${limit}${after}`);
  expect(status).toBe(200);
  reader.ids.push(...body.data.map(({ id }: { id: string }) => id));
  reader.cursor = body.next_cursor;
  return !body.has_more;
}

/** `over` once the last write has been answered, which is later than when the writers are told to stop. */
type Writing = { stop: boolean; over: boolean };

/** Writes until told to stop: creations, and changes of status that all writers make to the same few clients. */
async function keepWriting(turn: number, shared: string[], writing: Writing): Promise<void> {
  for (let step = turn; !writing.stop; step += 1) {
    if (step % 4 === 0) await createClient(turn);
    else {
      const move = (step >> 1) % 2 === 0 ? "suspend" : "reactivate";
      const { status } = await call(turn, "POST", `/clients/${shared[step % shared.length]}/${move}`);
      expect(status).toBe(200);
    }
  }
}

/** Reads until a read that began after the last write has brought everything. */
async function keepReading(reader: Reader, nextTurn: () => number, limit: number, writing: Writing): Promise<void> {
  for (let caughtUp = false; !caughtUp; ) {
    const settled = writing.over;
    caughtUp = (await readOn(reader, nextTurn(), limit)) && settled;
  }
}

const STORED = `
  select event_id, subject, subject_version, transaction_id, ordinal, seq
  from event_feed where partner_id = $1 order by seq`;

type Stored = {
  event_id: string;
  subject: string;
  subject_version: number;
  transaction_id: string;
  ordinal: number;
  seq: string;
};

function expectOrdered(stored: Stored[]): void {
  expect(stored.every(({ seq }) => seq !== null)).toBe(true);
  for (const events of Map.groupBy(stored, ({ subject }) => subject).values()) {
    const versions = events.map(({ subject_version }) => subject_version);
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
  }
  for (const events of Map.groupBy(stored, ({ transaction_id }) => transaction_id).values()) {
    expect(events.map(({ ordinal }) => ordinal)).toEqual(events.map((_, index) => index));
  }
}

test("every reader gets the whole feed once, in order, while three processes write it", async () => {
  const shared = await Promise.all(Array.from({ length: SHARED_CLIENTS }, (_, turn) => createClient(turn)));
  const writing: Writing = { stop: false, over: false };
  const writers = Array.from({ length: PROCESSES * WRITERS_PER_PROCESS }, (_, turn) => keepWriting(turn, shared, writing));
  const written = Promise.all(writers).finally(() => {
    writing.over = true;
  });
  let turns = 0;
  const readers = Array.from({ length: PROCESSES * 2 }, (): Reader => ({ ids: [], cursor: null }));
  const readings = readers.map((reader, index) =>
    // One of the two on each process stays there, the other takes its cursor from process to process.
    keepReading(reader, () => (index < PROCESSES ? index : turns++), index % 2 === 0 ? 17 : 100, writing),
  );
  const loaded = eventually(
    "every reader to follow the writers",
    () => readers.every(({ ids }) => ids.length >= EVENTS_UNDER_LOAD) || null,
  );
  await Promise.race([loaded, written, Promise.all(readings)]).finally(() => {
    writing.stop = true;
  });
  await Promise.all([loaded, written, ...readings]);

  const stored = await cluster.db.sql<Stored>(STORED, [cluster.partner_id]);
  const fed = stored.map(({ event_id }) => event_id);
  for (const { ids } of readers) expect(ids).toEqual(fed);
  expectOrdered(stored);
  expect(await halfChanges(cluster.db.sql)).toEqual([]);
});

async function readToEnd(): Promise<Reader> {
  const reader: Reader = { ids: [], cursor: null };
  while (!(await readOn(reader, 0, 100)));
  return reader;
}

test("a transaction that stays open elsewhere in the database does not hold the feed back", async () => {
  await hold("create table unrelated (id int)");
  const reader = await readToEnd();
  for (let turn = 0; turn < PROCESSES * 2; turn += 1) {
    const client_id = await createClient(turn);
    const { body } = await call(turn + 1, "GET", `/events?limit=100&after=${encodeURIComponent(reader.cursor ?? "")}`);
    expect(body.data.map(({ type }: { type: string }) => type)).toEqual(["client.created", "client.activated"]);
    expect(body.data[0].data.client_id).toBe(client_id);
    reader.cursor = body.next_cursor;
  }
});

test("an event that commits late stands after every cursor that was handed out before", async () => {
  // Only a request with an Idempotency-Key needs this table: it waits here with its events inserted, not committed.
  const held = await hold("lock table idempotency_replies in exclusive mode");
  const late = call(0, "POST", "/clients", { body: { company: "Late" }, headers: { "idempotency-key": "late" } });
  await untilWaiting(cluster.db.sql, TABLE_LOCKS, 1);
  for (let turn = 0; turn < PROCESSES; turn += 1) await createClient(turn);
  const reader = await readToEnd();
  const before = reader.ids.length;
  await held.release();
  const { body } = await late;
  while (!(await readOn(reader, 1, 100)));
  expect(reader.ids.length).toBe(before + 2);
  const [event] = reader.ids.slice(before);
  expect((await call(2, "GET", `/events/${event}`)).body.data.client_id).toBe(body.id);
  expect((await readToEnd()).ids).toEqual(reader.ids);
});

/** More events than the sequencer takes at once, of a kind that tells of no client. */
async function insertOtherEvents(count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => newId("event", Date.now()));
  const event_ids = "from unnest($2::text[]) as e (id)";
  const values = [cluster.partner_id, ids];
  await cluster.db.sql(`insert into events (partner_id, id, body) select $1, e.id, '{}' ${event_ids}`, values);
  await cluster.db.sql(
    `insert into event_feed (partner_id, event_id, type, subject, subject_version, transaction_id, ordinal)
     select $1, e.id, 'tier.changed', e.id, 1, e.id, 0 ${event_ids}`,
    values,
  );
}

test("events of a client follow its changes, even when the oldest of several requests was the last to change it", async () => {
  const client_id = await createClient(0);
  await readToEnd();
  // Sequencers wait, so that all of this is placed together; the first request waits before it has touched the client.
  const feed = await hold("select 1 from feed_heads where partner_id = $1 for update", [cluster.partner_id]);
  const replies = await hold("lock table idempotency_replies in access exclusive mode");
  const oldest = call(0, "POST", `/clients/${client_id}/suspend`, { headers: { "idempotency-key": "oldest" } });
  await untilWaiting(cluster.db.sql, TABLE_LOCKS, 1);
  await insertOtherEvents(BATCH + 500);
  await call(1, "POST", `/clients/${client_id}/suspend`);
  await call(2, "POST", `/clients/${client_id}/reactivate`);
  await replies.release();
  expect((await oldest).body.version).toBe(4);
  await feed.release();

  const { body } = await call(1, "GET", `/events?client_id=${client_id}`);
  const stored = await cluster.db.sql<Stored>(STORED, [cluster.partner_id]);
  const told = stored.filter(({ subject, subject_version }) => subject === client_id && subject_version > 1);
  expect(told.map(({ subject_version }) => subject_version)).toEqual([2, 3, 4]);
  expect(body.data.slice(2).map(({ id }: { id: string }) => id)).toEqual(told.map(({ event_id }) => event_id));
});

/** With every batch that is placed, one more event has committed meanwhile. */
const ALWAYS_ONE_MORE = [
  `create function add_waiting() returns trigger language plpgsql as $$
  declare id text := 'evt_' || gen_random_uuid();
  begin
    insert into event_feed (partner_id, event_id, type, subject, subject_version, transaction_id, ordinal)
    values (new.partner_id, id, 'tier.changed', id, 1, id, 0);
    return null;
  end $$`,
  "create trigger always_one_more after update on feed_heads for each row execute function add_waiting()",
];

test("a read of the feed ends although something new is always waiting", async () => {
  for (const statement of ALWAYS_ONE_MORE) await cluster.db.sql(statement);
  const client_id = await createClient(0);
  for (let turn = 0; turn < PROCESSES; turn += 1) {
    const { body } = await call(turn, "GET", `/events?client_id=${client_id}`);
    expect(body.data.map(({ type }: { type: string }) => type)).toEqual(["client.created", "client.activated"]);
  }
  await cluster.db.sql("drop function add_waiting cascade");
});
