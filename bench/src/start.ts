import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "./rounds.ts";
import { makeDataDir, startUntilReady } from "./stage.ts";

const STARTS = 5;
const IDLE_AFTER_MS = 5_000;

/** What a bound may be set for: less is better. */
export type Bounded = { name: string; value: number; goal: number | null; unit: "ms" | "µs" | "MB" | "%" | "x" | "/s" };

/** From the command to readiness on a database that is migrated, and what the idle service and its database hold. */
export async function measureStart(): Promise<Bounded[]> {
  const { dataDir, remove } = await makeDataDir();
  try {
    await (await startUntilReady(dataDir)).stop();
    const took_ms: number[] = [];
    for (let start = 0; start < STARTS; start += 1) {
      const service = await startUntilReady(dataDir);
      took_ms.push(service.took_ms);
      await service.stop();
    }
    const idle = await startUntilReady(dataDir);
    await sleep(IDLE_AFTER_MS);
    const memory_mb = await memoryOf(idle.pid);
    await idle.stop();
    return [
      { name: "start to ready", value: Math.round(median(took_ms)), goal: 3_000, unit: "ms" },
      { name: "idle memory", value: Math.round(memory_mb), goal: 250, unit: "MB" },
    ];
  } finally {
    await remove();
  }
}

/** A process and all below it; what they share is counted once. */
async function memoryOf(root: number): Promise<number> {
  const parents = new Map<number, number>();
  for (const entry of await readdir("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, "utf8").catch(() => "");
    parents.set(Number(entry), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
  }
  const isBelow = (pid: number): boolean => pid === root || (parents.has(pid) && isBelow(parents.get(pid) ?? 0));
  let kb = 0;
  for (const pid of [...parents.keys()].filter(isBelow)) {
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
    kb += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
  }
  return kb / 1_024;
}
