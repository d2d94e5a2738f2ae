import { createPoller, type Poller } from "../../../platform/jobs/poller.ts";
import type { Services } from "../../../platform/record/context.ts";
import { workRollout } from "./batch.commands.ts";
import { nextRollouts, putLast } from "./batch.queries.ts";
import { workWaiting } from "./waiting.commands.ts";
import { nextWaiting } from "./waiting.queries.ts";

const LANES = 2;

/**
 * Works on rollouts, in any number of processes: one batch of each partner in turn, so that a large one does not delay other partners.
 * While one lane waits for the database, another computes.
 */
export function createRolloutWorker(services: Services, delayed: (error: unknown) => void): Poller {
  const work = async (stopping: AbortSignal) => {
    const steps = [
      ...(await nextRollouts(services.db)).map((next) => async () => {
        const putBack = () => putLast(services.db, next, services.clock.now());
        return workRollout(services, next, delayed).catch((error: unknown) => putBack().then(() => Promise.reject(error)));
      }),
      ...(await nextWaiting(services.db)).map((partner_id) => () => workWaiting(services, partner_id, delayed)),
    ];
    let busy = false;
    for (const step of steps) {
      if (stopping.aborted) return false;
      const progressed = await step().catch((error: unknown) => {
        delayed(error);
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
