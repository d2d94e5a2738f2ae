import type { Job } from "../../../../platform/jobs/job.ts";
import { dailyAt } from "../../../../platform/jobs/maintenance.ts";
import type { Services } from "../../../../platform/record/context.ts";
import { KEEP_PARKED_MS } from "./model.ts";
import { deleteParkedBefore } from "./queries.ts";

/** Deletes reports of providers about messages that nobody knows. */
export function sendingJobs(_services: Services, at: string): Job[] {
  return [
    {
      name: "parked_status_retention",
      schedule: dailyAt(at),
      async run({ db, clock }) {
        const deleted = await deleteParkedBefore(db, new Date(clock.now().getTime() - KEEP_PARKED_MS));
        return `${deleted} parked statuses deleted`;
      },
    },
  ];
}
