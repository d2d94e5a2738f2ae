import type { Job } from "../../../platform/jobs/job.ts";
import { dailyAt } from "../../../platform/jobs/maintenance.ts";
import { createContext, type Services } from "../../../platform/record/context.ts";
import { expireCertification } from "./certifications/commands.ts";
import { overdueGrants } from "./certifications/queries.ts";
import { reviewAll } from "./commands.ts";
import { tiersEditedSince } from "./queries.ts";

const BATCH = 200;
const EDITS_EVERY_MINUTES = 10;

export function standingJobs(services: Services, maintenance_at: string): Job[] {
  return [
    {
      name: "certification_expiry",
      schedule: "*/10 * * * *",
      async run({ db, clock }) {
        let ended = 0;
        for (let batch = BATCH; batch === BATCH; ) {
          const overdue = await overdueGrants(db, clock.now(), BATCH);
          batch = overdue.length;
          for (const { partner_id, id } of overdue) {
            const ctx = createContext(services, { principal: { type: "system", partner_id } });
            if (await expireCertification(ctx, partner_id, id)) ended += 1;
          }
        }
        return `${ended} certifications ended`;
      },
    },
    {
      name: "tier_review",
      schedule: dailyAt(maintenance_at),
      run: async () => `${await reviewAll(services)} partners changed`,
    },
    {
      name: "tier_edits",
      schedule: `*/${EDITS_EVERY_MINUTES} * * * *`,
      async run({ db, clock }) {
        // Two periods back, so that a run that is missed or late loses no edit. A second review changes nothing.
        const since = new Date(clock.now().getTime() - 2 * EDITS_EVERY_MINUTES * 60_000);
        if (!(await tiersEditedSince(db, since))) return "no tier was edited";
        return `${await reviewAll(services)} partners changed`;
      },
    },
  ];
}
