import type { Job } from "../../../platform/jobs/job.ts";
import { dailyAt } from "../../../platform/jobs/maintenance.ts";
import { createPoller, type Poller } from "../../../platform/jobs/poller.ts";
import { createContext, type Services } from "../../../platform/record/context.ts";
import { deleteRunsBefore, nextRuns } from "./runs/queries.ts";
import { workTestRun } from "./runs/work.commands.ts";

const KEEP_MS = 90 * 86_400_000;
const BATCH = 500;

/** Runs the tests of agents, in any number of processes: one run of each partner in turn. */
export function createTestWorker(services: Services, delayed: (error: unknown) => void): Poller {
  return createPoller(async (stopping) => {
    let busy = false;
    for (const next of await nextRuns(services.db, services.clock.now())) {
      if (stopping.aborted) return false;
      const ctx = createContext(services, { principal: { type: "system", partner_id: next.partner_id } });
      const worked = await workTestRun(ctx, next, stopping).catch((error: unknown) => {
        delayed(error);
        return false;
      });
      busy ||= worked;
    }
    return busy;
  }, delayed);
}

export function suiteJobs(_services: Services, at: string): Job[] {
  return [
    {
      name: "test_run_retention",
      schedule: dailyAt(at),
      async run({ db, clock }) {
        const before = new Date(clock.now().getTime() - KEEP_MS);
        let deleted = 0;
        for (let count = BATCH; count === BATCH; deleted += count) count = await deleteRunsBefore(db, before, BATCH);
        return `${deleted} runs of tests deleted`;
      },
    },
  ];
}
