import type { Job } from "../../../platform/jobs/job.ts";
import type { Services } from "../../../platform/record/context.ts";
import { noteExpiries } from "./commands.ts";
import { sendReminders } from "./sending/reminders.commands.ts";

export function linkJobs(services: Services): Job[] {
  return [
    {
      name: "payment_links_expired",
      schedule: "* * * * *",
      run: async () => `${await noteExpiries(services)} payment links expired`,
    },
    {
      name: "payment_reminders",
      schedule: "* * * * *",
      run: async () => `${await sendReminders(services)} reminders sent`,
    },
  ];
}
