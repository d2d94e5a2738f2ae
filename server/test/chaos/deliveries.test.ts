import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useCluster } from "../harness/cluster.ts";
import { anyPending, insertEndpoint } from "../harness/outbox.ts";
import { type Receiver, startReceiver } from "../harness/receiver.ts";
import type { ServiceProcess } from "../harness/service-process.ts";
import { sized } from "../harness/size.ts";
import { BASE } from "../harness/world.ts";
import { eventually } from "../postgres/processes.ts";

/** So many events to so many endpoints; DELIVERY_CHAOS=20000x50 is the long run. */
const [EVENTS = 0, ENDPOINTS = 0] = (process.env.DELIVERY_CHAOS ?? sized("600x12", "1500x20")).split("x").map(Number);
const CLIENTS = 40;
const WRITERS = 8;
const WORKERS = 3;
const KILLS_MIN = sized(4, 6);
const TIMEOUT_MS = 1_800_000;
const IN_FLIGHT_MAX = 16;

const cluster = useCluster(1, { ROLE: "api", EGRESS: "development" });
const workers: ServiceProcess[] = [];
let receiver: Receiver;
let endpoints: { id: string; path: string; ordering: "none" | "subject" | "strict" }[];

beforeAll(async () => {
  receiver = await startReceiver({ keep: "events" });
  const orderings = ["none", "none", "subject", "strict"] as const;
  endpoints = await Promise.all(
    Array.from({ length: ENDPOINTS }, async (_, index) => {
      const ordering = orderings[index % orderings.length] ?? "none";
      const path = `/${index}`;
      const fields = { url: receiver.origin + path, ordering, max_in_flight: IN_FLIGHT_MAX };
      return { ...(await insertEndpoint(cluster.db.sql, cluster.sealer, cluster.partner_id, fields)), path, ordering };
    }),
  );
  for (let worker = 0; worker < WORKERS; worker += 1) workers.push(await cluster.start({ ROLE: "worker" }));
}, TIMEOUT_MS);
afterAll(() => receiver.close());

/** The API process of the moment: it is killed and replaced under the writers' hands. */
let api: () => ServiceProcess = () => cluster.service(0);

/** Repeats a write until it is answered, with the same Idempotency-Key, as a client would. */
async function insist(path: string, body: object, key: string): Promise<string> {
  for (;;) {
    const reply = await api()
      .call("POST", `${BASE}${path}`, { key: cluster.key, body, headers: { "idempotency-key": key } })
      .catch(() => null);
    if (reply !== null && reply.status < 300) return reply.body.id;
    await delay(100);
  }
}

type Writing = { written: number };

async function write(writer: number, clients: string[], writing: Writing): Promise<void> {
  for (let step = 0; writing.written < EVENTS; step += 1) {
    const client = clients[(writer + step * WRITERS) % clients.length];
    const move = Math.floor((writer + step * WRITERS) / clients.length) % 2 === 0 ? "suspend" : "reactivate";
    await insist(`/clients/${client}/${move}`, {}, `${writer}-${step}`);
    writing.written += 1;
  }
}

/** Kills a process and puts another in its place: the API first of all, then one by chance. */
async function strike(first: boolean): Promise<"api" | "worker"> {
  if (first || randomInt(0, 4) === 0) {
    const old = api();
    await old.kill();
    const next = await cluster.start();
    api = () => next;
    return "api";
  }
  const index = randomInt(0, workers.length);
  await workers[index]?.kill();
  workers[index] = await cluster.start({ ROLE: "worker" });
  return "worker";
}

type Place = { event_id: string; subject: string; seq: string };

function firstArrivals(path: string): string[] {
  return [...new Set(receiver.at(path).map(({ event_id }) => event_id))];
}

test(`kill -9 of API and workers while ${EVENTS} events go to ${ENDPOINTS} endpoints: none lost, order kept, few sent twice`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, (_, index) => insist("/clients", { company: `Struck ${index}` }, `c-${index}`)),
  );
  const writing: Writing = { written: 0 };
  const written = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer, clients, writing)));
  let killed_workers = 0;
  for (let kills = 0; kills < KILLS_MIN || writing.written < EVENTS; kills += 1) {
    await delay(randomInt(300, 1_500));
    if ((await strike(kills === 0)) === "worker") killed_workers += 1;
  }
  await written;
  await eventually(
    "everything to arrive",
    async () => !(await anyPending(cluster.db.sql, cluster.partner_id)) || null,
    TIMEOUT_MS,
  );

  const places = await cluster.db.sql<Place>(
    "select f.event_id, f.subject, f.seq from event_feed f where f.partner_id = $1 and f.subject = any($2) order by f.seq",
    [cluster.partner_id, clients],
  );
  expect(places.length).toBeGreaterThanOrEqual(EVENTS);
  const subjects = new Map(places.map(({ event_id, subject }) => [event_id, subject]));
  for (const { path, ordering } of endpoints) {
    const arrived = firstArrivals(path);
    expect(new Set(arrived)).toEqual(new Set(places.map(({ event_id }) => event_id)));
    if (ordering === "strict") expect(arrived).toEqual(places.map(({ event_id }) => event_id));
    if (ordering === "subject") {
      for (const client of clients) {
        const expected = places.filter(({ subject }) => subject === client).map(({ event_id }) => event_id);
        expect(arrived.filter((id) => subjects.get(id) === client)).toEqual(expected);
      }
    }
  }
  const doubled = receiver.received.length - places.length * endpoints.length;
  if (process.env.DELIVERY_CHAOS !== undefined) {
    process.stdout.write(
      `${places.length} events, ${receiver.received.length} requests, ${doubled} twice, ${killed_workers} workers killed\n`,
    );
  }
  // What was under way or not written when a worker died, of the endpoints that it held.
  expect(doubled).toBeLessThanOrEqual(killed_workers * (ENDPOINTS * IN_FLIGHT_MAX + 400));
});
