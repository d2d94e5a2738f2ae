import type { Job } from "../../../platform/jobs/job.ts";
import { createContext, type Services } from "../../../platform/record/context.ts";
import { reconcileAttempts } from "./attempts.commands.ts";
import { reconcileRefunds } from "./refunds.commands.ts";

const BATCH = 500;

export function paymentJobs(services: Services): Job[] {
  const contextOf = (partner_id: string) => createContext(services, { principal: { type: "system", partner_id } });
  return [
    {
      name: "payments_reconcile",
      schedule: "* * * * *",
      async run() {
        const attempts = await reconcileAttempts(services, contextOf, BATCH);
        const refunds = await reconcileRefunds(services, contextOf, BATCH);
        return `${attempts} attempts and ${refunds} refunds looked at`;
      },
    },
  ];
}
