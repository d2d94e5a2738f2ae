import type { Job } from "../../../platform/jobs/job.ts";
import { createContext, type Services } from "../../../platform/record/context.ts";
import { reconcileAttempts } from "./attempts.commands.ts";
import { forgetEvents } from "./hooks.queries.ts";
import { reconcileRefunds } from "./refunds.commands.ts";

const BATCH = 500;
/** Far longer than providers repeat what they tell. */
const KEEP_EVENTS_MS = 30 * 86_400_000;

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
    {
      name: "provider_events_forgotten",
      schedule: "40 3 * * *",
      async run() {
        await forgetEvents(services.db, new Date(services.clock.now().getTime() - KEEP_EVENTS_MS));
        return "old events of payment providers forgotten";
      },
    },
  ];
}
