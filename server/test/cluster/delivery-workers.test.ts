import { afterAll, beforeAll, expect, test } from "vitest";
import { useCluster } from "../harness/cluster.ts";
import { changesOf, countPending, insertEndpoint, publish, type TestEndpoint } from "../harness/outbox.ts";
import { type Receiver, startReceiver } from "../harness/receiver.ts";
import type { ServiceProcess } from "../harness/service-process.ts";
import { eventually } from "../postgres/processes.ts";

/** So many that no worker goes without, whatever the lot says. */
const ENDPOINTS = 48;
const SETTINGS = { ROLE: "worker", EGRESS: "development" };

const cluster = useCluster(2, SETTINGS);
let receiver: Receiver;
let endpoints: TestEndpoint[];

/** Notes every worker that has ever announced itself: one whose lease lapsed comes back under a new id. */
const NOTE_WORKERS = `
  create table worker_log (id text);
  create function log_worker() returns trigger language plpgsql security definer as
    $$ begin insert into worker_log values (new.id); return new; end $$;
  create trigger log_worker after insert on webhook_workers for each row execute function log_worker();
  insert into worker_log select id from webhook_workers`;

beforeAll(async () => {
  await cluster.db.sql(NOTE_WORKERS);
  receiver = await startReceiver();
  const origins = Array.from({ length: ENDPOINTS }, (_, index) => `${receiver.origin}/${index}`);
  endpoints = await Promise.all(
    origins.map((url) => insertEndpoint(cluster.db.sql, cluster.sealer, cluster.partner_id, { url, timeout_ms: 30_000 })),
  );
});
afterAll(() => receiver.close());

const ids = () => endpoints.map(({ id }) => id);

async function publishRound(count: number): Promise<string[]> {
  const events = await publish(cluster.db.sql, cluster.partner_id, changesOf(count, ["a", "b"]), { endpoints: ids() });
  return events.map(({ id }) => id);
}

const untilDone = () =>
  eventually("all deliveries to be done", async () => (await countPending(cluster.db.sql, ids())) === 0 || null);

/** What one worker may leave under way or not written when its lease ends: sixteen of each endpoint, and a batch. */
const LEFT_BY_WORKER = ENDPOINTS * 16 + 200;
let started = 2;

/**
 * How many requests may have been sent twice: none, unless a worker was killed, or the machine was so busy that a
 * worker's lease lapsed or a request got no answer in time.
 */
async function doublesAllowed(killed = 0): Promise<number> {
  const [row] = await cluster.db.sql<{ workers: number; failed: number }>(
    `select (select count(distinct id)::int from worker_log) as workers,
       (select count(*)::int from delivery_attempts where endpoint_id = any ($1) and error is not null) as failed`,
    [ids()],
  );
  return (killed + (row?.workers ?? 0) - started) * LEFT_BY_WORKER + (row?.failed ?? 0);
}

/** Every endpoint got each of these events, and nothing twice but what may have been. */
async function expectReceived(event_ids: readonly string[], killed = 0): Promise<void> {
  const wanted = new Set(event_ids);
  let doubled = 0;
  for (const [index] of endpoints.entries()) {
    const received = receiver.at(`/${index}`).filter(({ event_id }) => wanted.has(event_id));
    expect([index, new Set(received.map(({ event_id }) => event_id)).size]).toEqual([index, wanted.size]);
    doubled += received.length - wanted.size;
  }
  expect(doubled).toBeLessThanOrEqual(await doublesAllowed(killed));
}

/** How many attempts each worker has made, as it counts them itself. */
async function attemptsOf(workers: readonly ServiceProcess[]): Promise<number[]> {
  return Promise.all(
    workers.map(async (worker) => {
      const { text } = await worker.call("GET", "/metrics", { key: cluster.operator_key });
      return Number(/tributary_webhook_attempts_total\{outcome="succeeded"\} (\d+)/.exec(text)?.[1] ?? 0);
    }),
  );
}

const livingWorkers = async () => (await cluster.db.sql("select 1 from webhook_workers where alive_until > now()")).length;

test("two workers share the endpoints and send nothing twice", async () => {
  await eventually("both to know of each other", async () => (await livingWorkers()) === 2 || null);
  const events = [...(await publishRound(50)), ...(await publishRound(50))];
  await untilDone();
  await expectReceived(events);
  const attempts = await attemptsOf(cluster.services);
  const sent_twice = attempts.reduce((sum, count) => sum + count) - events.length * ENDPOINTS;
  expect(sent_twice).toBeGreaterThanOrEqual(0);
  expect(sent_twice).toBeLessThanOrEqual(await doublesAllowed());
  for (const count of attempts) expect(count).toBeGreaterThanOrEqual(events.length);
});

test("two more take their part of the endpoints over while work goes on, and nothing is sent twice", async () => {
  const events = await publishRound(50);
  started += 2;
  cluster.services.push(...(await Promise.all([cluster.start(), cluster.start()])));
  await eventually("all four to know of each other", async () => (await livingWorkers()) === 4 || null);
  await untilDone();
  // Handing over takes a beat; from then on all four have their part.
  await eventually("the endpoints to be handed over", async () => {
    events.push(...(await publishRound(20)));
    await untilDone();
    const owners = await cluster.db.sql("select distinct owner from webhook_lanes where owner is not null");
    return owners.length === 4 || null;
  });
  await expectReceived(events);
});

test("what a killed worker held goes to the others, and everything arrives", async () => {
  const [killed, ...others] = cluster.services;
  const first = await publishRound(50);
  await eventually("work to be under way", () => receiver.received.some(({ event_id }) => event_id === first[0]) || null);
  await killed?.kill();
  const second = await publishRound(50);
  await untilDone();
  await expectReceived([...first, ...second], 1);
  await eventually("the others alone to live", async () => (await livingWorkers()) === others.length || null);
});

test("a worker that stops gives its endpoints back, and nothing is sent twice", async () => {
  const stopping = cluster.services[1];
  const before = receiver.received.length;
  const events = await publishRound(50);
  await eventually("work to be under way", () => receiver.received.length > before || null);
  expect(await stopping?.stop()).toEqual({ code: 0, signal: null });
  await untilDone();
  await expectReceived(events);
});
