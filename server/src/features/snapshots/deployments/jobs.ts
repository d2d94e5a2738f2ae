import type { Job } from "../../../platform/jobs/job.ts";
import { dailyAt } from "../../../platform/jobs/maintenance.ts";
import type { Services } from "../../../platform/record/context.ts";
import { REVERT_DAYS } from "./model.ts";
import { earlierTime, forgetBefore, partnersAfter } from "./retention.queries.ts";

const REVERT_MS = REVERT_DAYS * 86_400_000;

/** Deletes the plans of deployments, and what a rollback needs, once they can no longer be rolled back. */
export function deploymentJobs(_services: Services, at: string): Job[] {
  return [
    {
      name: "deployment_retention",
      schedule: dailyAt(at),
      async run({ db, clock }) {
        const before = new Date((await earlierTime(db, clock.now())).getTime() - REVERT_MS);
        let plans = 0;
        for (
          let partners = await partnersAfter(db, "");
          partners.length > 0;
          partners = await partnersAfter(db, partners.at(-1) ?? "")
        ) {
          for (const partner_id of partners) plans += await forgetBefore(db, partner_id, before);
        }
        return `${plans} plans deleted`;
      },
    },
  ];
}
