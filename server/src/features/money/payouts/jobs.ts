import { OPERATOR_TENANT } from "../../../kernel/principal.ts";
import type { Job } from "../../../platform/jobs/job.ts";
import { createPoller, type Poller } from "../../../platform/jobs/poller.ts";
import { createContext, type Services } from "../../../platform/record/context.ts";
import { workExport } from "./export.commands.ts";
import { dueSlot } from "./model.ts";
import { openRun, workRun } from "./run.commands.ts";
import { scheduleSince } from "./run.queries.ts";
import { payoutSettings } from "./settings.queries.ts";

/** Works off payout runs and exports, in any number of processes. */
export function createPayoutWorker(services: Services, delayed: (error: unknown) => void): Poller {
  return createPoller(async (stopping) => {
    const ran = await workRun(services, stopping, delayed);
    const exported = await workExport(services, stopping);
    return ran || exported;
  }, delayed);
}

/** Starts the run that the schedule says, once. */
export function payoutJobs(services: Services): Job[] {
  return [
    {
      name: "payout_schedule",
      schedule: "*/10 * * * *",
      async run({ db, clock }) {
        const { cron, time_zone } = await payoutSettings(db, "");
        const slot = dueSlot(cron, time_zone, await scheduleSince(db), clock.now());
        if (slot === null) return "no run was due";
        const ctx = createContext(services, { principal: { type: "system", partner_id: OPERATOR_TENANT } });
        const id = await ctx.tx((tx) => openRun(ctx, tx, { cutoff: slot, scheduled_for: slot, slot: slot.toISOString() }));
        return id === null ? "another run is in progress" : `started the run ${id}`;
      },
    },
  ];
}
