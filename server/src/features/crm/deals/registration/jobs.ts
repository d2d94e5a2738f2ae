import type { Job } from "../../../../platform/jobs/job.ts";
import { createContext, type Services } from "../../../../platform/record/context.ts";
import { deleteExpiredClaims } from "../claims/queries.ts";
import { expiredRegistrations } from "./queries.ts";
import { expireRegistration } from "./review.commands.ts";

const BATCH = 200;
const CLAIMS_MAX = 10_000;

/** A protection ends by itself at its time. This job notifies the partner and deletes the claims. */
export function registrationJobs(services: Services): Job[] {
  return [
    {
      name: "registration_expiry",
      schedule: "*/10 * * * *",
      async run({ db, clock }) {
        let expired = 0;
        for (let batch = BATCH; batch === BATCH; ) {
          const ended = await expiredRegistrations(db, clock.now(), BATCH);
          batch = ended.length;
          for (const { partner_id, deal_id } of ended) {
            const ctx = createContext(services, { principal: { type: "system", partner_id } });
            if (await expireRegistration(ctx, deal_id)) expired += 1;
          }
        }
        await deleteExpiredClaims(db, clock.now(), CLAIMS_MAX);
        return `${expired} registrations expired`;
      },
    },
  ];
}
