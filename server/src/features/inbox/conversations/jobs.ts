import { firstIdAt } from "../../../kernel/ids.ts";
import type { Job } from "../../../platform/jobs/job.ts";
import type { Services } from "../../../platform/record/context.ts";
import { UNUSED_MS } from "./attachments/model.ts";
import { deleteAttachments, orphanedBefore, unusedBefore } from "./attachments/queries.ts";
import { endSnoozes, returnToAgents } from "./due.commands.ts";
import { sendingJobs } from "./sending/index.ts";

const BATCH = 500;

export function conversationJobs(services: Services, maintenance_at: string): Job[] {
  return [
    ...sendingJobs(services, maintenance_at),
    {
      name: "conversations_due",
      schedule: "* * * * *",
      async run() {
        const woken = await endSnoozes(services);
        const returned = await returnToAgents(services);
        return `${woken} snoozes ended, ${returned} conversations returned`;
      },
    },
    {
      name: "attachment_retention",
      schedule: "17 * * * *",
      async run({ db, clock }) {
        const before_ms = clock.now().getTime() - UNUSED_MS;
        let deleted = 0;
        const unused = await unusedBefore(db, new Date(before_ms), BATCH);
        const orphaned = await orphanedBefore(db, firstIdAt("attachment", before_ms));
        for (const { partner_id, ids } of [...unused, ...orphaned]) {
          await deleteAttachments(db, partner_id, ids);
          deleted += ids.length;
        }
        return `${deleted} unused files deleted`;
      },
    },
  ];
}
