import type { Job } from "../../../platform/jobs/job.ts";
import { dailyAt } from "../../../platform/jobs/maintenance.ts";
import type { Services } from "../../../platform/record/context.ts";
import { dropSalts, dropVisitors } from "./retention.queries.ts";

const DAY_MS = 86_400_000;

/** From the second day on, nobody can tell any more which clicks were one visitor's. */
export function linkJobs(_services: Services, maintenance_at: string): Job[] {
  return [
    {
      name: "click_salts",
      schedule: dailyAt(maintenance_at),
      async run({ db, clock }) {
        const yesterday = new Date(clock.now().getTime() - DAY_MS).toISOString().slice(0, 10);
        const [salts, visitors] = [await dropSalts(db, yesterday), await dropVisitors(db, yesterday)];
        return `${salts} salts and ${visitors} visitors deleted`;
      },
    },
  ];
}
