import type { Job } from "../../../platform/jobs/job.ts";
import { dailyAt } from "../../../platform/jobs/maintenance.ts";
import { createContext, type Services } from "../../../platform/record/context.ts";
import { eraseDueContacts } from "./erase.commands.ts";
import { contactsDeletedBefore, forgetMergesBefore } from "./erase.queries.ts";
import { KEEP_DELETED_MS } from "./model.ts";

/** Small, since what a transaction erases is locked until its end. */
const BATCH = 200;

/** Erases deleted contacts at the end of their retention, with those that were merged into them, and what merges are undone by. */
export function contactJobs(services: Services, at: string): Job[] {
  return [
    {
      name: "contact_retention",
      schedule: dailyAt(at),
      async run({ db, clock }) {
        const before = new Date(clock.now().getTime() - KEEP_DELETED_MS);
        let erased = 0;
        for (let batch = BATCH; batch === BATCH; ) {
          batch = 0;
          for (const { partner_id, ids } of await contactsDeletedBefore(db, before, BATCH)) {
            batch += ids.length;
            erased += await eraseDueContacts(createContext(services, { principal: { type: "system", partner_id } }), ids);
          }
        }
        while ((await forgetMergesBefore(db, before, BATCH)) === BATCH);
        return `${erased} contacts erased`;
      },
    },
  ];
}
