import type { Job } from "../../../platform/jobs/job.ts";
import { dailyAt } from "../../../platform/jobs/maintenance.ts";
import type { Services } from "../../../platform/record/context.ts";
import { deleteRunsBefore } from "./queries.ts";

const KEEP_MS = 30 * 86_400_000;
const BATCH = 500;

export function sandboxJobs(_services: Services, at: string): Job[] {
  return [
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
