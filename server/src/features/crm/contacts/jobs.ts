import type { Job } from "../../../platform/jobs/job.ts";
import { dailyAt } from "../../../platform/jobs/maintenance.ts";
import type { Services } from "../../../platform/record/context.ts";
import { contactsDeletedBefore, eraseContacts } from "./erase.queries.ts";
import { KEEP_DELETED_MS } from "./model.ts";

const BATCH = 1_000;

/** Erases deleted contacts at the end of their retention. */
export function contactJobs({ hooks }: Services, at: string): Job[] {
  return [
    {
      name: "contact_retention",
      schedule: dailyAt(at),
      async run({ db, clock }) {
        const before = new Date(clock.now().getTime() - KEEP_DELETED_MS);
        let erased = 0;
        for (let batch = BATCH; batch === BATCH; erased += batch) {
          batch = 0;
          for (const { partner_id, ids } of await contactsDeletedBefore(db, before, BATCH)) {
            batch += (await eraseContacts(db, hooks, partner_id, ids, clock.now())).length;
          }
        }
        return `${erased} contacts erased`;
      },
    },
  ];
}
