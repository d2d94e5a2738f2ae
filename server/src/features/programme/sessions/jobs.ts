import type { Job } from "../../../platform/jobs/job.ts";
import { sweep } from "./queries.ts";

export function sessionJobs(): Job[] {
  return [
    {
      name: "sessions",
      schedule: "17 * * * *",
      async run({ db, clock }) {
        const { sessions, links } = await sweep(db, clock.now());
        return `${sessions} sessions and ${links} links had ended`;
      },
    },
  ];
}
