import { setTimeout as sleep } from "node:timers/promises";
import { measureRate } from "../load.ts";
import { median, type Result, ratioOf } from "../rounds.ts";
import { createRequest } from "../rows.ts";
import { raiseLimits } from "../seed.ts";
import type { Stage } from "../stage.ts";
import type { Bounded } from "../start.ts";
import { enable, eventBody, insertEndpoints, publish, removeEndpoints } from "./outbox.ts";
import { ask, cpuSeconds, latencies, percentile, publishSteadily, rateOf, type Scene, untilArrived, withScene } from "./scene.ts";
import type { Arrivals } from "./sink.ts";

type Plan = { drained: number; rounds: number; seconds: number };
const FULL: Plan = { drained: 200_000, rounds: 3, seconds: 15 };
const QUICK: Plan = { drained: 20_000, rounds: 2, seconds: 5 };
const ENDPOINTS = 20;
const RATE = 200;
const NEIGHBOURS = 200;
const NEIGHBOUR_RATE = 4;
const IN_FLIGHT = 64;
/** Rounds of a drain take turns: a floor, then each ordering. */
const ORDERINGS = ["none", "subject"] as const;

/** Deliveries: how fast a backlog is sent, how soon an event arrives, what bad endpoints cost the others and what endpoints cost a writer. */
export function measureWebhooks(stage: Stage, quick: boolean): Promise<(Result | Bounded)[]> {
  const plan = quick ? QUICK : FULL;
  return withScene(stage, async (scene) => [
    ...(await measureDrain(scene, plan)),
    ...(await measureLatency(scene, plan)),
    ...(await measureNeighbours(scene, plan)),
    ...(await measureWriting(scene, plan)),
  ]);
}

type Ordering = (typeof ORDERINGS)[number];
type Drained = { rate: number; service_us: number; database_us: number };

/** Deliveries that wait in the database. */
async function drain(scene: Scene, count: number, ordering: Ordering): Promise<Drained> {
  const { owner, data_dir, secrets } = scene.stage;
  const urls = Array.from({ length: ENDPOINTS }, (_, index) => `${scene.origin}/ok/${index}`);
  const ids = await insertEndpoints(owner, data_dir, secrets.partner_id, urls, ordering);
  const events = Math.ceil(count / ids.length);
  for (let left = events; left > 0; left -= 1_000) await publish(owner, secrets.partner_id, Math.min(left, 1_000), ids);
  const before = await cpuSeconds(scene);
  await enable(owner, ids);
  const rate = rateOf(await untilArrived(scene, events * ids.length));
  const after = await cpuSeconds(scene);
  await removeEndpoints(owner, ids);
  const each_us = (part: "service" | "database") => ((after[part] - before[part]) * 1e6) / (events * ids.length);
  return { rate, service_us: each_us("service"), database_us: each_us("database") };
}

/** A loop that only sends. */
async function drainFloor({ sender, sink, origin }: Scene, count: number): Promise<number> {
  const order = { url: `${origin}/ok/bare`, body: eventBody("evt_x"), count: Math.min(count, 50_000), in_flight: IN_FLIGHT };
  await ask(sender, order);
  return rateOf(await ask<Arrivals>(sink, "take"));
}

async function measureDrain(scene: Scene, { drained, rounds }: Plan): Promise<(Result | Bounded)[]> {
  for (const ordering of ORDERINGS) await drain(scene, 5_000, ordering);
  const measured: { floor: number; ours: Record<Ordering, Drained> }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const none = await drain(scene, drained, "none");
    const floor = await drainFloor(scene, drained);
    measured.push({ floor, ours: { none, subject: await drain(scene, drained, "subject") } });
  }
  return ORDERINGS.flatMap((ordering) => {
    const of = (pick: (drained: Drained) => number) => median(measured.map(({ ours }) => pick(ours[ordering])));
    return [
      {
        name: `deliveries, ordering ${ordering}`,
        ours: Math.round(of(({ rate }) => rate)),
        floor: Math.round(median(measured.map(({ floor }) => floor))),
        ...ratioOf(measured.map(({ floor, ours }) => ({ ours: ours[ordering].rate, floor }))),
        goal: 0.65,
        unit: "deliveries/s",
      } as const,
      { name: "  CPU each, service", value: Math.round(of(({ service_us }) => service_us)), goal: null, unit: "µs" } as const,
      { name: "  CPU each, database", value: Math.round(of(({ database_us }) => database_us)), goal: null, unit: "µs" } as const,
    ];
  });
}

async function measureLatency(scene: Scene, { seconds }: Plan): Promise<Bounded[]> {
  const { owner, data_dir, secrets } = scene.stage;
  const ids = await insertEndpoints(owner, data_dir, secrets.partner_id, [`${scene.origin}/ok/steady`]);
  await enable(owner, ids);
  await publishSteadily(scene, ids, { healthy: 1, per_second: 20, seconds: 3 });
  const waits = latencies(await publishSteadily(scene, ids, { healthy: 1, per_second: RATE, seconds }));
  await removeEndpoints(owner, ids);
  return ([0.5, 0.99] as const).map((share) => ({
    name: `commit to received, p${share * 100}`,
    value: percentile(waits, share),
    goal: null,
    unit: "ms",
  }));
}

const mannerOf = (index: number) => (index % 20 < 2 ? "hangs" : index % 20 === 2 ? "fails" : index % 20 === 3 ? "slow" : "ok");

/** Latency of healthy endpoints: alone, or among a tenth that hang, a twentieth that fail and a twentieth that are slow. */
async function measureHealthy(scene: Scene, seconds: number, noisy: boolean): Promise<{ p50: number; p99: number }> {
  const { owner, data_dir, secrets } = scene.stage;
  const indexes = [...Array(NEIGHBOURS).keys()].filter((index) => noisy || mannerOf(index) === "ok");
  const urls = indexes.map((index) => `${scene.origin}/${mannerOf(index)}/${index}`);
  const ids = await insertEndpoints(owner, data_dir, secrets.partner_id, urls);
  await enable(owner, ids);
  const healthy = indexes.filter((index) => mannerOf(index) === "ok").length;
  await publishSteadily(scene, ids, { healthy, per_second: NEIGHBOUR_RATE, seconds: 3 });
  const waits = latencies(await publishSteadily(scene, ids, { healthy, per_second: NEIGHBOUR_RATE, seconds: seconds * 2 }));
  await removeEndpoints(owner, ids);
  await sleep(3_000);
  return { p50: percentile(waits, 0.5), p99: percentile(waits, 0.99) };
}

async function measureNeighbours(scene: Scene, { rounds, seconds }: Plan): Promise<Bounded[]> {
  await measureHealthy(scene, seconds, true);
  type Healthy = Awaited<ReturnType<typeof measureHealthy>>;
  const measured: { quiet: Healthy; noisy: Healthy }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const quiet = await measureHealthy(scene, seconds, false);
    measured.push({ quiet, noisy: await measureHealthy(scene, seconds, true) });
  }
  return (["p50", "p99"] as const).flatMap((share) => {
    const of = (pick: (round: (typeof measured)[number]) => number) => median(measured.map(pick));
    return [
      { name: `healthy endpoints, ${share}`, value: of(({ quiet }) => quiet[share]), goal: null, unit: "ms" },
      { name: "  among bad ones", value: of(({ noisy }) => noisy[share]), goal: null, unit: "ms" },
      {
        name: "  times as long",
        value: Number(of(({ quiet, noisy }) => noisy[share] / quiet[share]).toFixed(2)),
        goal: 1.25,
        unit: "x",
      },
    ] satisfies Bounded[];
  });
}

/** What the transaction of a change costs more where endpoints want its events: one caller, one request after the other. */
async function measureWriting({ stage, origin }: Scene, { rounds, seconds }: Plan): Promise<Bounded[]> {
  const { owner, data_dir, secrets, port } = stage;
  await raiseLimits(owner, secrets.partner_id);
  const request_ms = async (endpoints: number): Promise<number> => {
    const urls = Array.from({ length: endpoints }, (_, index) => `${origin}/ok/writing-${index}`);
    const ids = await insertEndpoints(owner, data_dir, secrets.partner_id, urls);
    await enable(owner, ids);
    const nextRequest = () => createRequest(secrets.api_key);
    const rate = await measureRate({ port, connections: 1, duration_ms: seconds * 500, nextRequest });
    await removeEndpoints(owner, ids);
    return 1_000 / rate;
  };
  await request_ms(0);
  const counts = [0, 1, 10];
  const measured: number[][] = [];
  for (let round = 0; round < rounds + 1; round += 1) {
    const times: number[] = [];
    for (const endpoints of counts) times.push(await request_ms(endpoints));
    measured.push(times);
  }
  return counts.map((endpoints, place) => ({
    name: `create, ${endpoints} endpoint(s)`,
    value: Number(median(measured.map((times) => times[place] ?? 0)).toFixed(2)),
    goal: null,
    unit: "ms",
  }));
}
