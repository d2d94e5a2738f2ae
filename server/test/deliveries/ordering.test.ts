import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { newId } from "../../src/kernel/ids.ts";
import { useDeliveryStage } from "../harness/delivery-stage.ts";
import { changesOf, countPending } from "../harness/outbox.ts";
import type { Received } from "../harness/receiver.ts";
import { eventually } from "../postgres/processes.ts";

const QUICK = { retry_delays_ms: Array.from({ length: 20 }, () => 15), window: 40, low_water: 10 };
const stage = useDeliveryStage();

const untilDone = (...ids: string[]) =>
  eventually("all deliveries to be done", async () => (await countPending(stage.db.sql, ids)) === 0 || null);

function versionsOf(received: readonly Received[], subject: string): number[] {
  const events = received.map(({ body }) => JSON.parse(body.toString()).data as { subject: string; version: number });
  return events.filter((event) => event.subject === subject).map(({ version }) => version);
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Answers late and out of turn, so that an order is not kept by chance. */
const unevenly = (response: { writeHead(status: number): { end(): void } }) =>
  void setTimeout(() => response.writeHead(200).end(), randomInt(0, 12));

test("with the ordering subject, each subject's events arrive in order and subjects do not wait for each other", async () => {
  const endpoint = await stage.newEndpoint("/subject", { ordering: "subject" });
  const subjects = ["a", "b", "c", "d", "e"];
  let at_once = 0;
  let most = 0;
  stage.receiver.answer("/subject", (response) => {
    at_once += 1;
    most = Math.max(most, at_once);
    setTimeout(
      () => {
        at_once -= 1;
        response.writeHead(200).end();
      },
      randomInt(0, 12),
    );
  });
  stage.start({ options: QUICK });
  for (let batch = 0; batch < 5; batch += 1) {
    await stage.publish(changesOf(60, subjects, batch * 12), { endpoints: [endpoint.id] });
  }
  await untilDone(endpoint.id);
  for (const subject of subjects) expect(versionsOf(stage.receiver.at("/subject"), subject)).toEqual(upTo(60));
  expect(most).toBeGreaterThan(1);
});

test("a subject that is stuck holds up itself alone, and goes on in order", async () => {
  const endpoint = await stage.newEndpoint("/stuck", { ordering: "subject" });
  let stuck = true;
  stage.receiver.answer("/stuck", (response, { body }) => {
    const { subject, version } = JSON.parse(body.toString()).data;
    response.writeHead(stuck && subject === "a" && version === 3 ? 500 : 200).end();
  });
  // More of the stuck subject than the window holds.
  await stage.publish(changesOf(60, ["a"]), { endpoints: [endpoint.id] });
  await stage.publish(changesOf(120, ["b", "c"]), { endpoints: [endpoint.id] });
  stage.start({ options: { ...QUICK, retry_delays_ms: Array.from({ length: 1_000 }, () => 400) } });
  await eventually("the others to arrive", async () => (await countPending(stage.db.sql, [endpoint.id])) === 58 || null);
  expect(new Set(versionsOf(stage.receiver.at("/stuck"), "a"))).toEqual(new Set([1, 2, 3]));
  stuck = false;
  await untilDone(endpoint.id);
  const arrived = versionsOf(stage.receiver.at("/stuck"), "a").filter((version, index, all) => version !== all[index - 1]);
  expect(arrived).toEqual(upTo(60));
});

test("with the ordering strict, one request is under way at a time, in the order of the feed, failures and all", async () => {
  const endpoint = await stage.newEndpoint("/strict", { ordering: "strict" });
  let at_once = 0;
  let turn = 0;
  stage.receiver.answer("/strict", (response) => {
    at_once += 1;
    expect(at_once).toBe(1);
    turn += 1;
    const failing = turn % 5 === 0;
    setTimeout(
      () => {
        at_once -= 1;
        response.writeHead(failing ? 500 : 200).end();
      },
      randomInt(0, 3),
    );
  });
  await stage.publish(changesOf(150, ["a", "b", "c"]), { endpoints: [endpoint.id] });
  stage.start({ options: QUICK });
  await untilDone(endpoint.id);
  const ids = stage.receiver.at("/strict").map(({ event_id }) => event_id);
  const order = await stage.db.sql<{ event_id: string }>(
    "select f.event_id from event_feed f join deliveries d on d.event_id = f.event_id where d.endpoint_id = $1 order by f.seq",
    [endpoint.id],
  );
  expect(ids.filter((id, index) => id !== ids[index - 1])).toEqual(order.map(({ event_id }) => event_id));
  expect(ids.length).toBeGreaterThan(order.length);
});

/** Gives every event so far its place in the feed. */
async function placeAll(): Promise<void> {
  const { db, partner_id } = stage;
  const waiting = await db.sql<{ event_id: string }>(
    "select event_id from event_feed where partner_id = $1 and seq is null order by event_id",
    [partner_id],
  );
  const [placed] = await db.sql<{ seq: number }>(
    "select coalesce(max(seq), 0)::int as seq from event_feed where partner_id = $1",
    [partner_id],
  );
  const head = placed?.seq ?? 0;
  await db.sql(
    `update event_feed f set seq = $2 + s.place from unnest($3::text[]) with ordinality as s (event_id, place)
     where f.partner_id = $1 and f.event_id = s.event_id`,
    [partner_id, head, waiting.map(({ event_id }) => event_id)],
  );
  await db.sql(
    "insert into feed_heads (partner_id, seq) values ($1, $2) on conflict (partner_id) do update set seq = excluded.seq",
    [partner_id, head + waiting.length],
  );
}

test("an event that committed before many older ones comes before them", async () => {
  const endpoint = await stage.newEndpoint("/early", { ordering: "strict" });
  const now_ms = stage.clock.now().getTime();
  const younger = changesOf(1, ["first"]);
  await stage.publish(younger, { endpoints: [endpoint.id], now: new Date(now_ms - 1_000) });
  await placeAll();
  // Transactions that began before it, and took longer: more than one window, and more is waiting than is read.
  const older = changesOf(55, ["second"]);
  await stage.publish(older.slice(0, 15), { endpoints: [endpoint.id], now: new Date(now_ms - 60_000) });
  await stage.publish(older.slice(15), { endpoints: [endpoint.id], now: new Date(now_ms - 59_000) });
  await placeAll();
  const later = changesOf(60, ["third"]);
  await stage.publish(later, { endpoints: [endpoint.id], now: new Date(now_ms) });
  stage.start({ options: { ...QUICK, window: 20, low_water: 5 } });
  await untilDone(endpoint.id);
  const subjects = stage.receiver.at("/early").map(({ body }) => JSON.parse(body.toString()).data.subject);
  expect(subjects).toEqual([...younger, ...older, ...later].map(({ subject }) => subject));
});

test.each(["subject", "strict"] as const)(
  "with the ordering %s, a delivery can be sent again before its next attempt is due",
  async (ordering) => {
    const path = `/again/${ordering}`;
    const endpoint = await stage.newEndpoint(path, { ordering });
    let healthy = false;
    stage.receiver.answer(path, (response) => response.writeHead(healthy ? 200 : 500).end());
    await stage.publish(changesOf(3, ["a"]), { endpoints: [endpoint.id] });
    const engine = stage.start({ options: { ...QUICK, retry_delays_ms: [3_600_000] } });
    const first = () =>
      stage.db.sql<{ id: string }>("select id from deliveries where endpoint_id = $1 and attempts = 1", [endpoint.id]);
    const [row] = await eventually("the first to fail", async () => ((await first()).length > 0 ? first() : null));
    healthy = true;
    await stage.db.sql("update deliveries set next_at = $2 where id = $1", [row?.id, stage.clock.now()]);
    engine.wake(stage.partner_id);
    stage.clock.advance(6_000);
    await untilDone(endpoint.id);
    expect(versionsOf(stage.receiver.at(path), "a")).toEqual([1, 1, 2, 3]);
  },
);

test("the order is that of the feed also where it is not that of the events' age, beyond what is read at once", async () => {
  const endpoint = await stage.newEndpoint("/late", { ordering: "strict" });
  const now_ms = stage.clock.now().getTime();
  // The oldest events of a long transaction commit, and so get their places, after many younger ones.
  const older = changesOf(30, ["late"]);
  const younger = changesOf(100, ["soon"]);
  await stage.publish(younger, { endpoints: [endpoint.id], now: new Date(now_ms - 1_000) });
  await placeAll();
  await stage.publish(older, { endpoints: [endpoint.id], now: new Date(now_ms - 60_000) });
  stage.start({ options: { ...QUICK, window: 20, low_water: 5 } });
  await untilDone(endpoint.id);
  const subjects = stage.receiver.at("/late").map(({ body }) => JSON.parse(body.toString()).data.subject);
  expect(subjects).toEqual([...younger, ...older].map(({ subject }) => subject));
});

test("tests and replays keep an order of their own and wait for no stuck live event", async () => {
  const endpoint = await stage.newEndpoint("/apart", { ordering: "strict" });
  stage.receiver.answer("/apart", (response, { headers }) => {
    const live = headers["x-service-test"] === undefined && headers["x-service-replay"] === undefined;
    response.writeHead(live ? 500 : 200).end();
  });
  const endpoints = [endpoint.id];
  await stage.publish(changesOf(3, ["live"]), { endpoints });
  await stage.publish(changesOf(30, ["again"]), { endpoints, replay_id: newId("replay", Date.now()) });
  await stage.publish(changesOf(5, ["try"]), { endpoints, test: true });
  stage.start({ options: { ...QUICK, retry_delays_ms: [60_000] } });
  await eventually("all but the live ones to be done", async () => (await countPending(stage.db.sql, endpoints)) === 3 || null);
  expect(versionsOf(stage.receiver.at("/apart"), "live")).toEqual([1]);
  expect(versionsOf(stage.receiver.at("/apart"), "again")).toEqual(upTo(30));
  expect(versionsOf(stage.receiver.at("/apart"), "try").sort((a, b) => a - b)).toEqual(upTo(5));
});

test.each(["subject", "strict"] as const)(
  "with the ordering %s, live events wait for no stuck test, however many are behind it",
  async (ordering) => {
    const path = `/tests/${ordering}`;
    const endpoint = await stage.newEndpoint(path, { ordering });
    stage.receiver.answer(path, (response, { headers }) =>
      response.writeHead(headers["x-service-test"] === undefined ? 200 : 500).end(),
    );
    const endpoints = [endpoint.id];
    await stage.publish(changesOf(100, ["try"]), { endpoints, test: true });
    await stage.publish(changesOf(30, ["live"]), { endpoints });
    stage.start({ options: { ...QUICK, window: 10, retry_delays_ms: [60_000] } });
    await eventually("the live ones to be done", async () => (await countPending(stage.db.sql, endpoints)) === 100 || null);
    expect(versionsOf(stage.receiver.at(path), "live")).toEqual(upTo(30));
    expect(versionsOf(stage.receiver.at(path), "try")).toHaveLength(1);
  },
);

/** Has all deliveries of an endpoint so far wait an hour for their next attempt. */
const letWait = ({ id }: { id: string }) =>
  stage.db.sql("update deliveries set attempts = 1, next_at = $2 where endpoint_id = $1", [
    id,
    new Date(stage.clock.now().getTime() + 3_600_000),
  ]);
const distinct = (count: number) => upTo(count).map((number) => `waiting-${number}`);

test("subjects wait for none of many others that wait for a retry", async () => {
  const endpoint = await stage.newEndpoint("/many", { ordering: "subject" });
  await stage.publish(changesOf(1_200, distinct(1_200)), { endpoints: [endpoint.id] });
  await letWait(endpoint);
  await stage.publish(changesOf(30, ["free"]), { endpoints: [endpoint.id] });
  stage.start({ options: { ...QUICK, window: 10 } });
  await eventually("the others to arrive", async () => (await countPending(stage.db.sql, [endpoint.id])) === 1_200 || null);
  expect(versionsOf(stage.receiver.at("/many"), "free")).toEqual(upTo(30));
  expect(stage.receiver.at("/many")).toHaveLength(30);
});

test("while more wait for a retry than are looked through, nothing else is sent", async () => {
  const endpoint = await stage.newEndpoint("/too-many", { ordering: "subject" });
  await stage.publish(changesOf(5, distinct(5)), { endpoints: [endpoint.id] });
  await letWait(endpoint);
  await stage.publish(changesOf(1, ["free"]), { endpoints: [endpoint.id] });
  const engine = stage.start({ options: { ...QUICK, retries_max: 3 } });
  const arrived = () => stage.receiver.at("/too-many").map(({ body }) => JSON.parse(body.toString()).data.subject);
  for (const count of upTo(3)) {
    const due = "select id from deliveries where endpoint_id = $1 and status = 'pending' and next_at > $2 order by id limit 1";
    await stage.db.sql(`update deliveries set next_at = $2 where id = (${due})`, [endpoint.id, stage.clock.now()]);
    stage.clock.advance(6_000);
    engine.wake(stage.partner_id);
    await eventually("the next one to be retried", async () => arrived().length >= count || null);
  }
  stage.clock.advance(6_000);
  await eventually("the others to go on", async () => arrived().includes("free") || null);
  expect(arrived().slice(0, 2)).not.toContain("free");
});

test("a new event that is due later, by a clock that is ahead, comes before those behind it", async () => {
  const endpoint = await stage.newEndpoint("/ahead", { ordering: "subject" });
  await stage.publish(changesOf(3, ["a"]), { endpoints: [endpoint.id] });
  const first = "select min(id) from deliveries where endpoint_id = $1";
  const later = new Date(stage.clock.now().getTime() + 3_600_000);
  await stage.db.sql(`update deliveries set next_at = $2 where id = (${first})`, [endpoint.id, later]);
  stage.start({ options: QUICK });
  await untilDone(endpoint.id);
  expect(versionsOf(stage.receiver.at("/ahead"), "a")).toEqual(upTo(3));
});

test("replays go only when no live event can", async () => {
  const endpoint = await stage.newEndpoint("/aside", { max_in_flight: 1 });
  stage.receiver.answer("/aside", unevenly);
  const endpoints = [endpoint.id];
  await stage.publish(changesOf(60, ["again"]), { endpoints, replay_id: newId("replay", Date.now()) });
  await stage.publish(changesOf(60, ["live"]), { endpoints });
  // All live events are read at once: between two reads, a slow machine would have none at hand.
  stage.start({ options: { ...QUICK, window: 100 } });
  await untilDone(endpoint.id);
  const kinds = stage.receiver.at("/aside").map(({ headers }) => headers["x-service-replay"] ?? "live");
  expect(kinds.indexOf("true")).toBeGreaterThanOrEqual(60);
  expect(kinds).toHaveLength(120);
});
