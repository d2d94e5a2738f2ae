import { createPoller, type Poller } from "../../../platform/jobs/poller.ts";
import type { Services } from "../../../platform/record/context.ts";
import { workRollout } from "./batch.commands.ts";
import { nextRollouts, putLast } from "./batch.queries.ts";

const LANES = 2;

/**
 * Works on rollouts, in any number of processes: one batch of each partner in turn, so that a large one does not delay other partners.
 * While one lane waits for the database, another computes.
 */
export function createRolloutWorker(services: Services, delayed: (error: unknown) => void): Poller {
  const work = async (stopping: AbortSignal) => {
    let busy = false;
    for (const next of await nextRollouts(services.db)) {
      if (stopping.aborted) return false;
      const progressed = await workRollout(services, next, delayed).catch(async (error: unknown) => {
        delayed(error);
        await putLast(services.db, next, services.clock.now());
        return false;
      });
      busy ||= progressed;
    }
    return busy;
  };
  const lanes = Array.from({ length: LANES }, () => createPoller(work, delayed));
  return {
    start() {
      for (const lane of lanes) lane.start();
    },
    async stop() {
      await Promise.all(lanes.map((lane) => lane.stop()));
    },
  };
}
