import type { Clock } from "../../../../kernel/clock.ts";
import type { Database } from "../../../../platform/db/database.ts";
import type { Holdings } from "./holdings.ts";
import type { Lane } from "./lane.ts";
import { dueLanes } from "./lanes.queries.ts";
import type { DeliveryOptions } from "./options.ts";
import { fillLanes, idRange } from "./window.ts";

const REST_MAX_MS = 500;

export type ScoutRules = {
  db: Database;
  clock: Clock;
  tick(): number;
  holdings: Holdings;
  options: DeliveryOptions;
  want(lane: Lane): void;
  report(error: unknown): void;
};

export type Scout = {
  /** Looks at all partners for work that is due: of the last days, or ever. */
  look(depth: "recent" | "all"): Promise<void>;
  /** Looks at one partner, at once. */
  hint(partner_id: string): void;
  /** Reads more for the lanes of a partner that need it. */
  fill(partner_id: string): void;
  /** How long the oldest work has been due, as of the last look. */
  oldest_due_ms(): number;
};

/** Finds work and brings it into the lanes. */
export function createScout({ db, clock, tick, holdings, options, want, report }: ScoutRules): Scout {
  let oldest_due_ms = 0;
  const hints = onePerPartner((partner_id) => search(partner_id, "recent"), report);
  const fills = onePerPartner(fillPartner, report);

  async function search(partner_id: string | null, depth: "recent" | "all"): Promise<void> {
    if (!holdings.alive()) return;
    const now = clock.now();
    const ranges = { live: idRange(now, depth), replayed: idRange(now, partner_id === null ? depth : "all") };
    const due = await dueLanes(db, now, ranges, partner_id);
    if (partner_id === null) {
      const oldest = due.reduce((least, { next_at }) => Math.min(least, next_at.getTime()), now.getTime());
      oldest_due_ms = now.getTime() - oldest;
    }
    const lanes = await holdings.take(due);
    const replayed = new Set(due.filter((lane) => lane.replayed).map(({ endpoint_id }) => endpoint_id));
    for (const lane of lanes) {
      lane.seen_ms = tick();
      lane.stale = true;
      if (depth === "all" || replayed.has(lane.endpoint_id)) lane.deep = true;
      if (partner_id !== null) lane.read_again_ms = 0;
      want(lane);
    }
    for (const id of new Set(lanes.map((lane) => lane.partner_id))) fills(id);
  }

  async function fillPartner(partner_id: string): Promise<void> {
    const now_ms = clock.now().getTime();
    const lanes = [...holdings.of(partner_id)].filter((lane) => lane.wantsWork(options.low_water, now_ms, tick()));
    if (lanes.length === 0 || !holdings.alive()) return;
    await fillLanes(db, clock, lanes, options);
    for (const lane of lanes) {
      const found = lane.live.length + lane.replays.length > 0;
      lane.fruitless = found ? 0 : lane.fruitless + 1;
      lane.read_again_ms = found ? 0 : tick() + Math.min(REST_MAX_MS, options.poll_ms * 2 ** Math.min(lane.fruitless, 10));
      if (found) lane.seen_ms = tick();
      if (found) want(lane);
    }
  }

  return {
    look: (depth) => search(null, depth),
    hint: hints,
    fill: fills,
    oldest_due_ms: () => oldest_due_ms,
  };
}

/** Does something for a partner, never twice at once: what is asked for meanwhile is done once more afterwards. */
function onePerPartner(
  act: (partner_id: string) => Promise<void>,
  report: (error: unknown) => void,
): (partner_id: string) => void {
  const under_way = new Map<string, { again: boolean }>();

  async function repeat(partner_id: string, state: { again: boolean }): Promise<void> {
    while (state.again) {
      state.again = false;
      await act(partner_id).catch(report);
    }
    under_way.delete(partner_id);
  }

  return (partner_id) => {
    const state = under_way.get(partner_id);
    if (state !== undefined) {
      state.again = true;
      return;
    }
    const fresh = { again: true };
    under_way.set(partner_id, fresh);
    void repeat(partner_id, fresh);
  };
}
