import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { useCluster } from "../harness/cluster.ts";
import { BASE } from "../harness/world.ts";

const cluster = useCluster(4, { RATE_LIMITS: "on" });
const PER_MINUTE = 12_000;
const BURST = 200;
/** Five bursts: four of them must have flowed in while the flood went on. */
const ADMITTED = 5 * BURST;
const SENDERS = 16;
const LEASE_LIFE_MAX_MS = 1_000;

/** Sends as fast as it can, over these processes, until so many were admitted. Gives when each of them was answered. */
async function flood(key: string, services: number): Promise<number[]> {
  const begun_ms = performance.now();
  const admitted: number[] = [];
  const senders = Array.from({ length: SENDERS }, async (_, sender) => {
    for (let turn = sender; admitted.length < ADMITTED; turn += 1) {
      const { status } = await cluster.service(turn % services).call("GET", `${BASE}/me`, { key });
      if (status === 200) admitted.push(performance.now() - begun_ms);
      else expect(status).toBe(429);
    }
  });
  await Promise.all(senders);
  return admitted;
}

/** Full buckets for everybody, and no process with tokens in hand: what was leased before would come on top of them. */
async function fillBuckets(): Promise<void> {
  await cluster.db.sql("delete from rate_buckets");
  await sleep(LEASE_LIFE_MAX_MS + 1);
}

// How near a flood comes to its limit is a matter of speed, and measured by the benchmark.
test.each([
  ["over four processes", 4],
  ["on one process alone", 1],
])("a flood %s is at no moment admitted above the limit, and is admitted again and again", async (_where, services) => {
  await cluster.db.sql("update partners set rate_limit_per_minute = $1, rate_limit_burst = $2", [PER_MINUTE, BURST]);
  const { api_key } = await cluster.newKey(["clients:read"]);
  await fillBuckets();
  const admitted = await flood(api_key, services);
  const above = admitted.filter((at_ms, before) => before + 1 > Math.ceil(BURST + (at_ms / 60_000) * PER_MINUTE));
  expect(above).toEqual([]);
});
