import type { Job } from "../../../platform/jobs/job.ts";
import { dailyAt } from "../../../platform/jobs/maintenance.ts";
import type { Services } from "../../../platform/record/context.ts";
import { contactsDeletedBefore, eraseContacts, forgetMergesBefore } from "./erase.queries.ts";
import { familiesOf } from "./merge/queries.ts";
import { KEEP_DELETED_MS } from "./model.ts";

const BATCH = 1_000;

/** Erases deleted contacts at the end of their retention, with those that were merged into them, and what merges are undone by. */
export function contactJobs({ hooks }: Services, at: string): Job[] {
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
            const families = await familiesOf(db, partner_id, ids);
            batch += ids.length;
            erased += (await eraseContacts(db, hooks, partner_id, families, clock.now())).length;
          }
        }
        while ((await forgetMergesBefore(db, before, BATCH)) === BATCH);
        return `${erased} contacts erased`;
      },
    },
  ];
}
