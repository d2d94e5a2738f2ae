import type { Job } from "../../../platform/jobs/job.ts";
import { dailyAt } from "../../../platform/jobs/maintenance.ts";
import type { Services } from "../../../platform/record/context.ts";
import { deleteRunsBefore, endLostRuns } from "./queries.ts";

const KEEP_MS = 30 * 86_400_000;
/** Longer than a run may take. */
const LOST_AFTER_MS = 10 * 60_000;
const BATCH = 500;

export function sandboxJobs(_services: Services, at: string): Job[] {
  return [
    {
      name: "sandbox_lost_runs",
      schedule: "*/10 * * * *",
      async run({ db, clock }) {
        return `${await endLostRuns(db, new Date(clock.now().getTime() - LOST_AFTER_MS))} runs ended`;
      },
    },
    {
      name: "sandbox_retention",
      schedule: dailyAt(at),
      async run({ db, clock }) {
        const before = new Date(clock.now().getTime() - KEEP_MS);
        let deleted = 0;
        for (let count = BATCH; count === BATCH; deleted += count) count = await deleteRunsBefore(db, before, BATCH);
        return `${deleted} runs deleted`;
      },
    },
  ];
}
