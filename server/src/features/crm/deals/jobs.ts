import type { Job } from "../../../platform/jobs/job.ts";
import { dailyAt } from "../../../platform/jobs/maintenance.ts";
import { createContext, type Services } from "../../../platform/record/context.ts";
import { KEEP_DELETED_MS } from "../contacts/index.ts";
import { eraseDeal } from "./erase.commands.ts";
import { dealsToErase } from "./erase.queries.ts";
import { registrationJobs } from "./registration/jobs.ts";

const BATCH = 500;

/** Erases deleted deals after their retention, and the personal values in deals of erased contacts; ends registrations. */
export function dealJobs(services: Services, at: string): Job[] {
  return [
    ...registrationJobs(services),
    {
      name: "deal_retention",
      schedule: dailyAt(at),
      async run({ db, clock }) {
        const before = new Date(clock.now().getTime() - KEEP_DELETED_MS);
        return `${await eraseDeals(services, (limit) => dealsToErase(db, before, limit))} deals erased`;
      },
    },
  ];
}

/** Erases the deals that are due, until there are none. Returns how many. */
export async function eraseDeals(
  services: Services,
  findDue: (limit: number) => Promise<{ partner_id: string; id: string }[]>,
): Promise<number> {
  let erased = 0;
  for (let batch = BATCH; batch >= BATCH; erased += batch) {
    const due = await findDue(BATCH);
    batch = due.length;
    for (const { partner_id, id } of due)
      await eraseDeal(createContext(services, { principal: { type: "system", partner_id } }), id);
  }
  return erased;
}
