import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { useCluster } from "../harness/cluster.ts";
import { type EventReader, openStream } from "../harness/event-stream.ts";
import { sized } from "../harness/size.ts";
import { type Json, nextPhone } from "../harness/world.ts";
import { eventually } from "../postgres/processes.ts";

const PROCESSES = 2;
/** Only contacts: reminders of the demo's payment links may be due meanwhile. */
const STREAM = "/v1/changes/stream?resource=contact";
const cluster = useCluster(PROCESSES);
const readers: EventReader[] = [];

afterEach(async () => {
  for (const reader of readers.splice(0)) reader.close();
});

async function listen(turn: number, last_id?: string): Promise<EventReader> {
  const headers = last_id === undefined ? {} : { "last-event-id": last_id };
  const reader = await openStream(cluster.service(turn).base_url, STREAM, { key: cluster.key, headers });
  expect(reader.status).toBe(200);
  readers.push(reader);
  return reader;
}

function call(turn: number, method: string, path: string, body: unknown) {
  return cluster.service(turn).call(method, path, { key: cluster.key, body });
}

async function createContact(turn: number): Promise<Json> {
  const { status, body } = await call(turn, "POST", "/v1/contacts", { name: "Streamed", phone: nextPhone() });
  expect(status).toBe(201);
  return body;
}

const told = ({ id, change, version }: Json) => `${id} ${change} ${version}`;

/** What the feed has after a cursor, without its times. */
async function feedAfter(cursor: string): Promise<string[]> {
  const found: string[] = [];
  for (let after = cursor; ; ) {
    const { body } = await cluster
      .service(0)
      .call("GET", `/v1/changes?resource=contact&limit=100&after=${after}`, { key: cluster.key });
    found.push(...body.data.map(told));
    if (!body.has_more) return found;
    after = body.next_cursor;
  }
}

/**
 * A reader that loses its connection after so many messages each time, or with the last change of all, and comes back to the next
 * process.
 */
async function readByParts(first: EventReader, parts: readonly number[], last: Promise<string>): Promise<string[]> {
  const seen: Json[] = [];
  let reader = first;
  let end: string | undefined;
  void last.then((id) => {
    end = id;
  });
  const all = () => [...seen, ...reader.messages.map(({ data }) => data)];
  const atEnd = () => all().some(({ id }) => id === end);
  for (const [turn, count] of parts.entries()) {
    // One read may bring more than a part: what is left of the feed may be less than the next one.
    await eventually("messages or the end", () => reader.messages.length >= count || atEnd() || null);
    reader.close();
    await reader.ended;
    // What arrived of the last message counts, as a browser does it.
    seen.push(...reader.messages.map(({ data }) => data));
    reader = await listen(turn, reader.lastId());
  }
  await eventually("the last change", () => atEnd() || null);
  return all().map(told);
}

type Round = { writers: number; rounds: number; parts: number[][] };

const round = fc.record({
  writers: fc.integer({ min: 2, max: 6 }),
  rounds: fc.integer({ min: 6, max: 12 }),
  parts: fc.array(fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }), { minLength: 2, maxLength: 4 }),
});

async function writeAndRead({ writers, rounds, parts }: Round): Promise<void> {
  const opened = await Promise.all(parts.map((_, turn) => listen(turn)));
  const start = opened.map((reader) => reader.lastId());
  const shared = await Promise.all([0, 1, 2].map(createContact));
  const written = Promise.all(
    Array.from({ length: writers }, async (_, turn) => {
      for (let count = 0; count < rounds; count += 1) {
        if (count % 3 === 0) await createContact(turn);
        else await call(turn, "PATCH", `/v1/contacts/${shared[(turn + count) % 3].id}`, { notes: `${turn} ${count}` });
      }
    }),
  );
  const last = written.then(async () => (await createContact(1)).id as string);
  const seen = await Promise.all(opened.map((reader, index) => readByParts(reader, parts[index] ?? [], last)));
  const whole = await feedAfter(start[0] ?? "");
  expect(whole).toHaveLength(3 + writers * rounds + 1);
  expect(new Set(whole).size).toBe(whole.length);
  for (const [index, one] of seen.entries()) expect(one).toEqual(await feedAfter(start[index] ?? ""));
  for (const { id } of shared) {
    const versions = whole.filter((one) => one.startsWith(id)).map((one) => Number(one.split(" ")[2]));
    expect(versions).toEqual(versions.map((_, index) => index + 1));
  }
}

test("every reader gets each change once, in the order of the feed, whatever process writes and wherever it comes back to", async () => {
  await fc.assert(fc.asyncProperty(round, writeAndRead), { numRuns: sized(5, 40), endOnFailure: true });
});

test("kill -9 of the process ends its streams; they go on at another one without a gap", async () => {
  const doomed = await cluster.start();
  const reader = await openStream(doomed.base_url, STREAM, { key: cluster.key });
  const before = await createContact(0);
  await reader.until(1);
  await doomed.kill();
  expect(await reader.ended).toBe("lost");
  const between = await createContact(1);
  const resumed = await listen(0, reader.lastId());
  const after = await createContact(1);
  await resumed.until(2);
  const seen = [...reader.messages, ...resumed.messages].map(({ data }) => data.id);
  expect(seen).toEqual([before.id, between.id, after.id]);
});

test("SIGTERM ends the streams in an orderly way and waits for none of them", async () => {
  const leaving = await cluster.start();
  const streams = await Promise.all(Array.from({ length: 5 }, () => openStream(leaving.base_url, STREAM, { key: cluster.key })));
  const stopped = leaving.stop();
  expect(await Promise.all(streams.map(({ ended }) => ended))).toEqual(Array(5).fill("end"));
  expect(await stopped).toEqual({ code: 0, signal: null });
});
