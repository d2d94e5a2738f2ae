import type { Job } from "../../../platform/jobs/job.ts";
import { dailyAt } from "../../../platform/jobs/maintenance.ts";
import { createContext, type Services } from "../../../platform/record/context.ts";
import { KEEP_DELETED_MS } from "../contacts/index.ts";
import { eraseDeals } from "../deals/index.ts";
import { eraseDueLeads } from "./erase.commands.ts";
import { dealsOfErased, leadsToErase } from "./erase.queries.ts";
import { rescorePortion } from "./scoring/commands.ts";
import { accountsToRescore, rescoreTimed } from "./scoring/queries.ts";

/** Small, since what a transaction erases is locked until its end. */
const BATCH = 200;

/** Erases deleted leads after their retention, and the personal values in deals of erased leads; rescores leads when rules change or time passes. */
export function leadJobs(services: Services, at: string): Job[] {
  return [
    {
      name: "lead_retention",
      schedule: dailyAt(at),
      async run({ db, clock }) {
        const before = new Date(clock.now().getTime() - KEEP_DELETED_MS);
        let erased = 0;
        for (let batch = BATCH; batch >= BATCH; erased += batch) {
          batch = 0;
          for (const { partner_id, ids } of await leadsToErase(db, before, BATCH)) {
            batch += await eraseDueLeads(createContext(services, { principal: { type: "system", partner_id } }), ids);
          }
        }
        const deals = await eraseDeals(services, (limit) => dealsOfErased(db, limit));
        return `${erased} leads erased, ${deals} deals of leads`;
      },
    },
    {
      name: "lead_aging",
      schedule: dailyAt(at),
      run: async ({ db }) => `${await rescoreTimed(db)} accounts to rescore`,
    },
    {
      name: "lead_scores",
      schedule: "*/5 * * * *",
      async run({ db, clock }) {
        const accounts = await accountsToRescore(db);
        for (const { partner_id, account_id } of accounts) {
          while (await rescorePortion(db, clock.now(), partner_id, account_id));
        }
        return `${accounts.length} accounts rescored`;
      },
    },
  ];
}
