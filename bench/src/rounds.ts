import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { measureRate, replyBytes } from "./load.ts";
import type { Row } from "./rows.ts";

export type Plan = { rounds: number; round_ms: number; warm_up_ms: number; connections: number };

export type Result = {
  name: string;
  /** Medians of the rounds. */
  ours: number;
  floor: number;
  /** The median of each round's own ratio, so that drift of the machine cancels, and the lowest and highest of them. */
  ratio: number;
  ratio_min: number;
  ratio_max: number;
  goal: number;
  unit: "requests/s" | "rows/s" | "deliveries/s";
};

type Ports = { ours: number; floor: number };

/** Measures ours and the floor in turns, many short rounds, after each has warmed up. */
export async function measureRow(row: Row, ports: Ports, plan: Plan, owner: pg.Pool): Promise<Result> {
  const measure = async (port: number, duration_ms: number) => {
    const nextRequest = port === ports.floor ? (row.floorRequest ?? row.nextRequest) : row.nextRequest;
    const rate = await measureRate({ port, connections: plan.connections, duration_ms, nextRequest });
    await settle(owner);
    return rate;
  };
  await requireSameWork(row, ports);
  await measure(ports.ours, plan.warm_up_ms);
  await measure(ports.floor, plan.warm_up_ms);
  const rounds: { ours: number; floor: number }[] = [];
  for (let round = 0; round < plan.rounds; round += 1) {
    rounds.push({ ours: await measure(ports.ours, plan.round_ms), floor: await measure(ports.floor, plan.round_ms) });
  }
  return {
    name: row.name,
    ours: Math.round(median(rounds.map(({ ours }) => ours))),
    floor: Math.round(median(rounds.map(({ floor }) => floor))),
    ...ratioOf(rounds),
    goal: row.goal,
    unit: "requests/s",
  };
}

export function ratioOf(rounds: readonly { ours: number; floor: number }[]): Pick<Result, "ratio" | "ratio_min" | "ratio_max"> {
  const ratios = rounds.map(({ ours, floor }) => ours / floor);
  return { ratio: rounded(median(ratios)), ratio_min: rounded(Math.min(...ratios)), ratio_max: rounded(Math.max(...ratios)) };
}

/** One request each before the rounds: replies of other sizes would not be the same work. */
async function requireSameWork({ name, nextRequest, floorRequest = nextRequest }: Row, ports: Ports): Promise<void> {
  const ours = await replyBytes(ports.ours, nextRequest());
  const floor = await replyBytes(ports.floor, floorRequest());
  if (Math.abs(ours - floor) > 0.05 * ours) throw new Error(`${name}: we answer ${ours} bytes, the floor ${floor}`);
}

/** Work that a round left behind, such as events and changes without a place in their feed, must not slow the next one. */
async function settle(owner: pg.Pool): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const { rowCount } = await owner.query(
      "select 1 from event_feed where seq is null union all select 1 from change_feed where seq is null limit 1",
    );
    if (rowCount === 0) return;
    await sleep(100);
  }
  throw new Error("events or changes still wait for their place in the feed");
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

function rounded(ratio: number): number {
  return Math.round(ratio * 1000) / 1000;
}
