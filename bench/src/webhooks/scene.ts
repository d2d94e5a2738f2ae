import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Stage } from "../stage.ts";
import { publish } from "./outbox.ts";
import type { Arrivals } from "./sink.ts";

const PATIENCE_MS = 600_000;

/** A stage with a receiver and a bare sender, each a process of its own. */
export type Scene = { stage: Stage; sink: ChildProcess; sender: ChildProcess; origin: string };

export async function withScene<T>(stage: Stage, use: (scene: Scene) => Promise<T>): Promise<T> {
  const [sink, sender] = ["sink", "bare-sender"].map((name) => fork(fileURLToPath(new URL(`${name}.ts`, import.meta.url)))) as [
    ChildProcess,
    ChildProcess,
  ];
  try {
    const [{ port }] = (await once(sink, "message")) as [{ port: number }];
    return await use({ stage, sink, sender, origin: `http://127.0.0.1:${port}` });
  } finally {
    sink.disconnect();
    sender.disconnect();
  }
}

export async function ask<T>(child: ChildProcess, message: object | string): Promise<T> {
  const answer = once(child, "message");
  child.send(message);
  return ((await answer) as [T])[0];
}

export async function untilArrived({ sink }: Scene, count: number): Promise<Arrivals> {
  const deadline_ms = performance.now() + PATIENCE_MS;
  while ((await ask<{ count: number }>(sink, "count")).count < count) {
    if (performance.now() > deadline_ms) throw new Error("the deliveries did not arrive");
    await sleep(50);
  }
  return ask<Arrivals>(sink, "take");
}

/** Publishes at an even rate, and waits until every healthy endpoint has all of it. */
export async function publishSteadily(
  scene: Scene,
  ids: readonly string[],
  { healthy, per_second, seconds }: { healthy: number; per_second: number; seconds: number },
): Promise<Arrivals> {
  const { owner, secrets } = scene.stage;
  const began_ms = performance.now();
  let published = 0;
  for (;;) {
    const due = Math.min(Math.floor(((performance.now() - began_ms) / 1_000) * per_second), per_second * seconds);
    if (due > published) await publish(owner, secrets.partner_id, due - published, ids);
    published = due;
    if (published >= per_second * seconds) break;
    await sleep(5);
  }
  return untilArrived(scene, published * healthy);
}

export const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

/** The rate between the first tenth and the last: how long it takes to begin is another question. */
export function rateOf({ at_ms }: Arrivals): number {
  const from = percentile(at_ms, 0.1);
  const to = percentile(at_ms, 0.95);
  return (at_ms.length * 0.85 * 1_000) / Math.max(1, to - from);
}

/** How long each event took from its commit. */
export const latencies = ({ at_ms, event_ms }: Arrivals) => at_ms.map((at, index) => at - (event_ms[index] ?? 0));

/** Seconds of processor that the service and the database's processes have used, where the system tells. */
export async function cpuSeconds({ stage }: Scene): Promise<{ service: number; database: number }> {
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
