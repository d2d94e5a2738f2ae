import type { Job } from "../../../platform/jobs/job.ts";
import { dropEndedLinks } from "../users/index.ts";
import { dropEndedSessions } from "./queries.ts";

export function sessionJobs(): Job[] {
  return [
    {
      name: "sessions",
      schedule: "17 * * * *",
      async run({ db, clock }) {
        const now = clock.now();
        const [sessions, links] = await Promise.all([dropEndedSessions(db, now), dropEndedLinks(db, now)]);
        return `${sessions} sessions and ${links} links had ended`;
      },
    },
  ];
}
