import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { measureRate } from "../load.ts";
import { describeMachine, machineLine } from "../report.ts";
import { median } from "../rounds.ts";
import { createRequest } from "../rows.ts";
import { raiseLimits } from "../seed.ts";
import { openStage, type Stage } from "../stage.ts";
import { enable, eventBody, insertEndpoints, publish, removeEndpoints } from "./outbox.ts";
import type { Arrivals } from "./sink.ts";

type Plan = {
  drained: number;
  rounds: number;
  endpoints: number;
  rate: number;
  seconds: number;
  neighbours: number;
  neighbour_rate: number;
};
const FULL: Plan = { drained: 200_000, rounds: 3, endpoints: 20, rate: 200, seconds: 15, neighbours: 200, neighbour_rate: 4 };
const QUICK: Plan = { drained: 20_000, rounds: 2, endpoints: 20, rate: 200, seconds: 5, neighbours: 200, neighbour_rate: 4 };
const ENDPOINTS = [0, 1, 10];
const IN_FLIGHT = 64;
const PATIENCE_MS = 600_000;

const { values: options } = parseArgs({ options: { quick: { type: "boolean", default: false }, only: { type: "string" } } });
const plan = options.quick ? QUICK : FULL;
const print = (text: string) => void process.stdout.write(`${text}\n`);
process.stdout.on("error", () => undefined);

type Bench = { stage: Stage; sink: ChildProcess; sender: ChildProcess; origin: string };

function start(name: string): ChildProcess {
  return fork(fileURLToPath(new URL(`${name}.ts`, import.meta.url)));
}

async function ask<T>(child: ChildProcess, message: object | string): Promise<T> {
  const answer = once(child, "message");
  child.send(message);
  return ((await answer) as [T])[0];
}

async function untilArrived({ sink }: Bench, count: number): Promise<Arrivals> {
  const deadline_ms = performance.now() + PATIENCE_MS;
  while ((await ask<{ count: number }>(sink, "count")).count < count) {
    if (performance.now() > deadline_ms) throw new Error("the deliveries did not arrive");
    await sleep(50);
  }
  return ask<Arrivals>(sink, "take");
}

const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

/** The rate between the first tenth and the last: how long it takes to begin is another question. */
function rateOf({ at_ms }: Arrivals): number {
  const from = percentile(at_ms, 0.1);
  const to = percentile(at_ms, 0.95);
  return (at_ms.length * 0.85 * 1_000) / Math.max(1, to - from);
}

/** Seconds of processor that the service and the database's processes have used, where the system tells. */
async function cpuSeconds({ stage }: Bench): Promise<{ service: number; database: number }> {
  const postmaster = Number((await readFile(join(stage.data_dir, "postgres", "postmaster.pid"), "utf8")).split("\n")[0]);
  let database = 0;
  let service = 0;
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const fields = (await readFile(`/proc/${name}/stat`, "utf8").catch(() => "")).replace(/^.*\) /, "").split(" ");
    const seconds = (Number(fields[11]) + Number(fields[12])) / 100;
    if (Number(fields[1]) === postmaster) database += seconds;
    if (Number(name) === stage.service_pid) service = seconds;
  }
  return { service, database };
}

/** Deliveries that wait in the database, against a loop that only sends. */
async function drain(bench: Bench, count: number): Promise<{ ours: number; floor: number }> {
  const { stage, sender, origin } = bench;
  const urls = Array.from({ length: plan.endpoints }, (_, index) => `${origin}/ok/${index}`);
  const ids = await insertEndpoints(stage.owner, stage.data_dir, stage.secrets.partner_id, urls);
  const events = Math.ceil(count / ids.length);
  for (let left = events; left > 0; left -= 1_000)
    await publish(stage.owner, stage.secrets.partner_id, Math.min(left, 1_000), ids);
  const before = await cpuSeconds(bench);
  await enable(stage.owner, ids);
  const ours = rateOf(await untilArrived(bench, events * ids.length));
  const after = await cpuSeconds(bench);
  const cost = (part: "service" | "database") => `${Math.round(((after[part] - before[part]) * 1e6) / (events * ids.length))} µs`;
  print(`  ${events * ids.length} deliveries: ${cost("service")} of the service and ${cost("database")} of the database each`);
  await removeEndpoints(stage.owner, ids);
  await ask(sender, { url: `${origin}/ok/bare`, body: eventBody("evt_x"), count: Math.min(count, 50_000), in_flight: IN_FLIGHT });
  const floor = rateOf(await ask<Arrivals>(bench.sink, "take"));
  return { ours, floor };
}

async function measureDrain(bench: Bench): Promise<void> {
  await drain(bench, 5_000);
  const rounds: { ours: number; floor: number }[] = [];
  for (let round = 0; round < plan.rounds; round += 1) rounds.push(await drain(bench, plan.drained));
  const ratios = rounds.map(({ ours, floor }) => ours / floor);
  const [ours, floor] = [median(rounds.map((round) => round.ours)), median(rounds.map((round) => round.floor))];
  const spread = `${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)}`;
  print(
    `drain of ${plan.drained} deliveries: ${Math.round(ours)}/s, bare loop ${Math.round(floor)}/s, ratio ${median(ratios).toFixed(2)} (${spread}), goal 0.50`,
  );
}

/** Publishes at an even rate, and says how long events took to arrive, and how many a second did. */
async function steady(
  bench: Bench,
  ids: readonly string[],
  healthy: number,
  per_second: number,
  seconds: number,
): Promise<Arrivals> {
  const { stage } = bench;
  const began_ms = performance.now();
  let published = 0;
  for (;;) {
    const due = Math.min(Math.floor(((performance.now() - began_ms) / 1_000) * per_second), per_second * seconds);
    if (due > published) await publish(stage.owner, stage.secrets.partner_id, due - published, ids);
    published = due;
    if (published >= per_second * seconds) break;
    await sleep(5);
  }
  return untilArrived(bench, published * healthy);
}

const latencies = ({ at_ms, event_ms }: Arrivals) => at_ms.map((at, index) => at - (event_ms[index] ?? 0));

async function measureLatency(bench: Bench): Promise<void> {
  const ids = await insertEndpoints(bench.stage.owner, bench.stage.data_dir, bench.stage.secrets.partner_id, [
    `${bench.origin}/ok/steady`,
  ]);
  await enable(bench.stage.owner, ids);
  await steady(bench, ids, 1, 20, 3);
  const waits = latencies(await steady(bench, ids, 1, plan.rate, plan.seconds));
  print(`commit to received at ${plan.rate}/s: p50 ${percentile(waits, 0.5)} ms, p99 ${percentile(waits, 0.99)} ms`);
  await removeEndpoints(bench.stage.owner, ids);
}

/** Many endpoints, once all healthy, once with a tenth that hang, a twentieth that fail and a twentieth that are slow. */
async function measureNeighbours(bench: Bench): Promise<void> {
  const { stage, origin } = bench;
  const importableOf = (index: number) =>
    index % 20 < 2 ? "hangs" : index % 20 === 2 ? "fails" : index % 20 === 3 ? "slow" : "ok";
  const run = async (noisy: boolean) => {
    const quiet = Array.from({ length: plan.neighbours }, (_, index) => index).filter(
      (index) => noisy || importableOf(index) === "ok",
    );
    const urls = quiet.map((index) => `${origin}/${importableOf(index)}/${index}`);
    const ids = await insertEndpoints(stage.owner, stage.data_dir, stage.secrets.partner_id, urls);
    await enable(stage.owner, ids);
    const healthy = quiet.filter((index) => importableOf(index) === "ok").length;
    await steady(bench, ids, healthy, plan.neighbour_rate, 3);
    const arrivals = await steady(bench, ids, healthy, plan.neighbour_rate, plan.seconds * 2);
    const waits = latencies(arrivals);
    await removeEndpoints(stage.owner, ids);
    await sleep(3_000);
    return { p50: percentile(waits, 0.5), p99: percentile(waits, 0.99), rate: rateOf(arrivals) };
  };
  await run(true);
  const rounds: { without: Awaited<ReturnType<typeof run>>; noisy: Awaited<ReturnType<typeof run>> }[] = [];
  for (let round = 0; round < plan.rounds; round += 1) rounds.push({ without: await run(false), noisy: await run(true) });
  const of = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick));
  print(
    `noisy neighbours, ${plan.neighbours} endpoints: p99 of healthy ones ${of(({ noisy }) => noisy.p99)} ms against ${of(({ without }) => without.p99)} ms alone ` +
      `(${of(({ noisy, without }) => noisy.p99 / without.p99).toFixed(2)} x, goal 1.5), p50 ${of(({ noisy }) => noisy.p50)} against ${of(({ without }) => without.p50)} ms, ` +
      `rate ${of(({ noisy, without }) => noisy.rate / without.rate).toFixed(2)} x, goal 0.9`,
  );
}

/** What the transaction of a change costs more where endpoints want its events: one caller, one request after the other. */
async function measureWriting({ stage, origin }: Bench): Promise<void> {
  const { owner, secrets, port } = stage;
  await raiseLimits(owner, secrets.partner_id);
  const request_ms = async (endpoints: number): Promise<number> => {
    const urls = Array.from({ length: endpoints }, (_, index) => `${origin}/ok/writing-${index}`);
    const ids = await insertEndpoints(owner, stage.data_dir, secrets.partner_id, urls);
    await enable(owner, ids);
    const nextRequest = () => createRequest(secrets.api_key);
    const rate = await measureRate({ port, connections: 1, duration_ms: plan.seconds * 500, nextRequest });
    await removeEndpoints(owner, ids);
    return 1_000 / rate;
  };
  await request_ms(0);
  const rounds: number[][] = [];
  for (let round = 0; round < plan.rounds + 1; round += 1) {
    const times: number[] = [];
    for (const endpoints of ENDPOINTS) times.push(await request_ms(endpoints));
    rounds.push(times);
  }
  const shown = ENDPOINTS.map(
    (endpoints, place) => `${endpoints}: ${median(rounds.map((times) => times[place] ?? 0)).toFixed(2)} ms`,
  );
  print(`create a client, by endpoints that want its event: ${shown.join(", ")}`);
}

const stage = await openStage();
const sink = start("sink");
const sender = start("bare-sender");
try {
  const [{ port }] = (await once(sink, "message")) as [{ port: number }];
  const bench = { stage, sink, sender, origin: `http://127.0.0.1:${port}` };
  print(machineLine(describeMachine()));
  const rows = { drain: measureDrain, latency: measureLatency, neighbours: measureNeighbours, writing: measureWriting };
  for (const [name, measure] of Object.entries(rows))
    if (options.only === undefined || options.only === name) await measure(bench);
} finally {
  sink.disconnect();
  sender.disconnect();
  await stage.close();
}
