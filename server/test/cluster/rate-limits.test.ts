import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { useCluster } from "../harness/cluster.ts";
import { BASE } from "../harness/world.ts";

const cluster = useCluster(4, { RATE_LIMITS: "on" });
const LOAD_MS = 20_000;
const SENDERS = 16;
const LEASE_LIFE_MAX_MS = 1_000;

/** Sends as fast as it can for a while, over all processes. Gives the moment each admitted request was answered. */
async function flood(key: string, services: number): Promise<{ admitted: number[]; begun_ms: number; ended_ms: number }> {
  const admitted: number[] = [];
  const begun_ms = performance.now();
  const senders = Array.from({ length: SENDERS }, async (_, sender) => {
    for (let turn = sender; performance.now() - begun_ms < LOAD_MS; turn += 1) {
      const { status } = await cluster.service(turn % services).call("GET", `${BASE}/me`, { key });
      if (status === 200) admitted.push(performance.now());
      else expect(status).toBe(429);
    }
  });
  await Promise.all(senders);
  return { admitted, begun_ms, ended_ms: performance.now() };
}

/** Full buckets for everybody, and no process with tokens in hand: what was leased before would come on top of them. */
async function fillBuckets(): Promise<void> {
  await cluster.db.sql("delete from rate_buckets");
  await sleep(LEASE_LIFE_MAX_MS + 1);
}

test.each([
  ["over four processes", 4],
  ["on one process alone", 1],
])("a flood %s is never admitted above the limit, and gets nearly all of it: 19 parts of 20", async (_where, services) => {
  const [per_minute, burst] = [6_000, 200];
  await cluster.db.sql("update partners set rate_limit_per_minute = $1, rate_limit_burst = $2", [per_minute, burst]);
  const { api_key } = await cluster.newKey(["clients:read"]);
  await fillBuckets();
  const { admitted, begun_ms, ended_ms } = await flood(api_key, services);
  const allowed = burst + ((ended_ms - begun_ms) / 60_000) * per_minute;
  expect(admitted.length).toBeLessThanOrEqual(Math.ceil(allowed));
  expect(admitted.length).toBeGreaterThanOrEqual(Math.floor(allowed * 0.95));
});
