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

beforeAll(async () => {
  receiver = await startReceiver();
  const origins = Array.from({ length: ENDPOINTS }, (_, index) => `${receiver.origin}/${index}`);
  endpoints = await Promise.all(
    origins.map((url) => insertEndpoint(cluster.db.sql, cluster.sealer, cluster.partner_id, { url })),
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

/** Whether each endpoint got each of these events so often. */
function expectReceived(event_ids: readonly string[], times: (count: number) => boolean): void {
  for (const [index] of endpoints.entries()) {
    const counts = Map.groupBy(receiver.at(`/${index}`), ({ event_id }) => event_id);
    for (const id of event_ids) expect([index, id, times(counts.get(id)?.length ?? 0)]).toEqual([index, id, true]);
  }
}

/** How many attempts each worker has made, as it counts them itself. */
async function attemptsOf(workers: readonly ServiceProcess[]): Promise<number[]> {
  return Promise.all(
    workers.map(async (worker) => {
      const { text } = await worker.call("GET", "/metrics");
      return Number(/tributary_webhook_attempts_total\{outcome="succeeded"\} (\d+)/.exec(text)?.[1] ?? 0);
    }),
  );
}

const livingWorkers = async () => (await cluster.db.sql("select 1 from webhook_workers where alive_until > now()")).length;

const once = (count: number) => count === 1;

test("two workers share the endpoints and send nothing twice", async () => {
  await eventually("both to know of each other", async () => (await livingWorkers()) === 2 || null);
  const events = [...(await publishRound(50)), ...(await publishRound(50))];
  await untilDone();
  expectReceived(events, once);
  const attempts = await attemptsOf(cluster.services);
  expect(attempts.reduce((sum, count) => sum + count)).toBe(events.length * ENDPOINTS);
  for (const count of attempts) expect(count).toBeGreaterThanOrEqual(events.length);
});

test("two more take their part of the endpoints over while work goes on, and nothing is sent twice", async () => {
  const events = await publishRound(50);
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
  expectReceived(events, once);
});

test("what a killed worker held goes to the others, and everything arrives", async () => {
  const [killed, ...others] = cluster.services;
  const first = await publishRound(50);
  await eventually("work to be under way", () => receiver.received.some(({ event_id }) => event_id === first[0]) || null);
  await killed?.kill();
  const second = await publishRound(50);
  await untilDone();
  expectReceived(first, (count) => count >= 1);
  expectReceived(second, (count) => count >= 1);
  const doubled = receiver.received.length - new Set(receiver.received.map(({ path, event_id }) => `${path} ${event_id}`)).size;
  // What was under way or not written when it died: at most the sixteen of each of its endpoints, and a batch.
  expect(doubled).toBeLessThanOrEqual(ENDPOINTS * 16 + 200);
  expect(await livingWorkers()).toBe(others.length);
});

test("a worker that stops gives its endpoints back, and nothing is sent twice", async () => {
  const stopping = cluster.services[1];
  const before = receiver.received.length;
  const events = await publishRound(50);
  await eventually("work to be under way", () => receiver.received.length > before || null);
  expect(await stopping?.stop()).toEqual({ code: 0, signal: null });
  await untilDone();
  expectReceived(events, once);
});
