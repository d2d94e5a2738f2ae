import { setTimeout as sleep } from "node:timers/promises";
import { createKeys } from "./seed.ts";
import { type Stage, startUntilReady } from "./stage.ts";
import type { Bounded } from "./start.ts";

const PER_MINUTE = 6_000;
const BURST = 200;
const SENDERS = 16;
const LEASE_LIFE_MAX_MS = 1_000;
const OTHERS = 3;

/** How much of a rate limit a flood leaves unused, on one process and over four that share it. */
export async function measureLimits(stage: Stage, load_ms: number): Promise<Bounded[]> {
  const { secrets, owner, data_dir } = stage;
  const [key = ""] = await createKeys(secrets.base_url, secrets.api_key, 1);
  await owner.query("update partners set rate_limit_per_minute = $1, rate_limit_burst = $2", [PER_MINUTE, BURST]);
  const others = await Promise.all(Array.from({ length: OTHERS }, () => startUntilReady(data_dir)));
  try {
    const all = [secrets.base_url, ...others.map(({ base_url }) => base_url)];
    const measured: Bounded[] = [];
    for (const addresses of [all.slice(0, 1), all]) {
      await owner.query("delete from rate_buckets");
      await sleep(LEASE_LIFE_MAX_MS);
      const value = Math.round(100 * (1 - (await usedShare(addresses, key, load_ms))));
      measured.push({ name: `limit unused, ${addresses.length} process(es)`, value, goal: 5, unit: "%" });
    }
    return measured;
  } finally {
    for (const other of others) await other.stop();
  }
}

/** Sends as fast as it can for a while. Returns what was admitted as a part of what the limit allows. */
async function usedShare(addresses: readonly string[], key: string, load_ms: number): Promise<number> {
  const begun_ms = performance.now();
  let admitted = 0;
  const send = async (sender: number) => {
    for (let turn = sender; performance.now() - begun_ms < load_ms; turn += 1) {
      const url = `${addresses[turn % addresses.length]}/v1/partners/me`;
      const { status, body } = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
      await body?.cancel();
      if (status === 200) admitted += 1;
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, (_, sender) => send(sender)));
  return admitted / (BURST + ((performance.now() - begun_ms) / 60_000) * PER_MINUTE);
}
