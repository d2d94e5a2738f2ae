import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../../../kernel/clock.ts";
import type { Database } from "../../../../platform/db/database.ts";
import { boundsOf } from "./commands.ts";
import { queueMatching, runningReplayForUpdateOrNull, runningReplays, saveProgress, waitingDeliveries } from "./queries.ts";

/** So many of a replay wait at a time: what happens meanwhile never stands behind more. */
export const WAITING_MAX = 200;
const LOOK_EVERY_MS = 500;

export type ReplayWorker = { stop(): Promise<void> };

/** Queues what replays are about, a little at a time, in any number of processes. */
export function runReplays(
  { db, clock }: { db: Database; clock: Clock },
  told: { queued(partner_id: string): void; delayed(error: unknown): void },
): ReplayWorker {
  const stopping = new AbortController();
  const loop = async () => {
    while (!stopping.signal.aborted) {
      await queueReplays(db, clock.now(), told.queued).catch(told.delayed);
      await sleep(LOOK_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = loop();
  return {
    stop() {
      stopping.abort();
      return running;
    },
  };
}

/** One more portion of every replay that runs. */
export async function queueReplays(db: Database, now: Date, queued: (partner_id: string) => void): Promise<void> {
  for (const replay of await runningReplays(db)) {
    if ((await queuePortion(db, replay, now)) > 0) queued(replay.partner_id);
  }
}

function queuePortion(db: Database, replay: { partner_id: string; id: string }, now: Date): Promise<number> {
  return db.transaction(() => ({
    open: async () => undefined,
    async run(tx) {
      const running = await runningReplayForUpdateOrNull(tx, replay.partner_id, replay.id);
      if (running === null) return 0;
      const limit = WAITING_MAX - (await waitingDeliveries(tx, replay.partner_id, replay.id, WAITING_MAX));
      if (limit === 0) return 0;
      const { endpoint_id, request, cursor } = running;
      const bounds = boundsOf(request);
      // One character more sorts right behind the cursor, and before every other id.
      const from_id = cursor === null ? bounds.from_id : `${cursor}0`;
      const stretch = { endpoint_id, ...bounds, from_id, types: request.types, only_failed: request.only_failed };
      const portion = await queueMatching(tx, replay.partner_id, stretch, { replay_id: replay.id, limit, now });
      await saveProgress(tx, replay, portion, now);
      return portion.queued;
    },
    close: () => [],
  }));
}
