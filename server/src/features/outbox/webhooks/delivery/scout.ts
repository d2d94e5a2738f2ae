import type { Clock } from "../../../../kernel/clock.ts";
import type { Database } from "../../../../platform/db/database.ts";
import type { Lane } from "./lane.ts";
import { dueLanes } from "./lanes.queries.ts";
import type { Leases } from "./leases.ts";
import type { DeliveryOptions } from "./options.ts";
import { fillLanes, idRange } from "./window.ts";

export type ScoutRules = {
  db: Database;
  clock: Clock;
  tick(): number;
  leases: Leases;
  options: DeliveryOptions;
  enqueue(lane: Lane): void;
  report(error: unknown): void;
};

export type Scout = {
  /** Looks for due deliveries of all partners: of the last days, or of any age. */
  poll(depth: "recent" | "all"): Promise<void>;
  /** Looks for due deliveries of one partner, at once. */
  hint(partner_id: string): void;
  /** Reads more deliveries for those lanes of a partner that run low. */
  fill(partner_id: string): void;
  /** How long the oldest delivery has been due, as of the last poll. */
  oldest_due_ms(): number;
};

/** Finds due deliveries and reads them into the queues of lanes. */
export function createScout({ db, clock, tick, leases, options, enqueue, report }: ScoutRules): Scout {
  let oldest_due_ms = 0;
  const hints = onePerPartner((partner_id) => search(partner_id, "recent"), report);
  const fills = onePerPartner(fillPartner, report);

  async function search(partner_id: string | null, depth: "recent" | "all"): Promise<void> {
    if (!leases.alive()) return;
    const now = clock.now();
    const ranges = { live: idRange(now, depth), replayed: idRange(now, partner_id === null ? depth : "all") };
    const due = await dueLanes(db, now, ranges, partner_id);
    if (partner_id === null) {
      const oldest = due.reduce((least, { next_at }) => Math.min(least, next_at.getTime()), now.getTime());
      oldest_due_ms = now.getTime() - oldest;
    }
    const lanes = await leases.acquire(due);
    const replayed = new Set(due.filter((lane) => lane.replayed).map(({ endpoint_id }) => endpoint_id));
    for (const lane of lanes) {
      lane.noteDue(tick(), { deep: depth === "all" || replayed.has(lane.endpoint_id), hinted: partner_id !== null });
      enqueue(lane);
    }
    for (const id of new Set(lanes.map((lane) => lane.partner_id))) fills(id);
  }

  async function fillPartner(partner_id: string): Promise<void> {
    const now_ms = clock.now().getTime();
    const lanes = [...leases.of(partner_id)].filter((lane) => lane.needsRead(options.low_water, now_ms, tick()));
    if (lanes.length === 0 || !leases.alive()) return;
    await fillLanes(db, clock, lanes, options);
    for (const lane of lanes) if (lane.noteReadResult(tick(), options.poll_ms)) enqueue(lane);
  }

  return {
    poll: (depth) => search(null, depth),
    hint: hints,
    fill: fills,
    oldest_due_ms: () => oldest_due_ms,
  };
}

/** Runs an action for a partner, never twice at once: requests made meanwhile lead to one more run afterwards. */
function onePerPartner(
  act: (partner_id: string) => Promise<void>,
  report: (error: unknown) => void,
): (partner_id: string) => void {
  const running = new Map<string, { again: boolean }>();

  async function repeat(partner_id: string, state: { again: boolean }): Promise<void> {
    while (state.again) {
      state.again = false;
      await act(partner_id).catch(report);
    }
    running.delete(partner_id);
  }

  return (partner_id) => {
    const state = running.get(partner_id);
    if (state !== undefined) {
      state.again = true;
      return;
    }
    const fresh = { again: true };
    running.set(partner_id, fresh);
    void repeat(partner_id, fresh);
  };
}
