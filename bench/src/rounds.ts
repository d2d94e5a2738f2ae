import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { type Counted, type Counter, type Counts, perRequest } from "./counts.ts";
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
  goal: number | null;
  unit: "requests/s" | "rows/s" | "deliveries/s";
  /** What a request costs; of the floor only where both are on one database. */
  cost?: { ours: Counts; floor: Counts | null };
};

/** Whom a row asks: the processes, and the counter of the database of ours, and of the floor's if it is the same. */
export type Sides = { ours: Counted; floor: Counted; counter: Counter; owner: pg.Pool; one_database: boolean };

/** Measures ours and the floor in turns, many short rounds, after each has warmed up. */
export async function measureRow(row: Row, sides: Sides, plan: Plan): Promise<Result> {
  await requireSameWork(row, sides);
  const ours = contender(row.nextRequest, sides.ours, sides, plan);
  const floor = contender(row.floorRequest ?? row.nextRequest, sides.floor, sides, plan);
  for (const one of [ours, floor]) await one.warmUp();
  const rounds: { ours: number; floor: number }[] = [];
  for (let round = 0; round < plan.rounds; round += 1) rounds.push({ ours: await ours.run(), floor: await floor.run() });
  return {
    name: row.name,
    ours: Math.round(median(rounds.map(({ ours }) => ours))),
    floor: Math.round(median(rounds.map(({ floor }) => floor))),
    ...ratioOf(rounds),
    goal: row.goal,
    unit: "requests/s",
    cost: { ours: ours.cost(), floor: sides.one_database ? floor.cost() : null },
  };
}

/** One side of a row: its rounds, and what their requests cost. */
function contender(nextRequest: () => Buffer, counted: Counted, { counter, owner }: Sides, plan: Plan) {
  const counts: Counts[] = [];
  let requests = 0;
  const countedRequest = () => {
    requests += 1;
    return nextRequest();
  };
  const measure = async (duration_ms: number, next: () => Buffer) => {
    const rate = await measureRate({ port: counted.port, connections: plan.connections, duration_ms, nextRequest: next });
    await settle(owner);
    return rate;
  };
  return {
    warmUp: () => measure(plan.warm_up_ms, nextRequest),
    async run() {
      const end = await counter.begin(counted);
      const rate = await measure(plan.round_ms, countedRequest);
      counts.push(await end());
      return rate;
    },
    cost: () => perRequest(counts, requests),
  };
}

export function ratioOf(rounds: readonly { ours: number; floor: number }[]): Pick<Result, "ratio" | "ratio_min" | "ratio_max"> {
  const ratios = rounds.map(({ ours, floor }) => ours / floor);
  return { ratio: rounded(median(ratios)), ratio_min: rounded(Math.min(...ratios)), ratio_max: rounded(Math.max(...ratios)) };
}

/** One request each before the rounds: replies of other sizes would not be the same work. */
async function requireSameWork(row: Row, sides: Sides): Promise<void> {
  const { name, nextRequest, floorRequest = nextRequest, same_within = 0.05 } = row;
  const ours = await replyBytes(sides.ours.port, nextRequest());
  const floor = await replyBytes(sides.floor.port, floorRequest());
  if (Math.abs(ours - floor) > same_within * ours) throw new Error(`${name}: we answer ${ours} bytes, the floor ${floor}`);
}

/** Work that a round left behind, such as events and changes without a place in their feed, must not slow the next one. */
export async function settle(owner: pg.Pool): Promise<void> {
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
