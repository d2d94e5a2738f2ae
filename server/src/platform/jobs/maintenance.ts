import {
  addPartitions,
  dropOldAudit,
  dropOldChanges,
  dropOldClicks,
  dropOldDeliveries,
  dropOldEvents,
  dropOldReplies,
} from "../record/retention.ts";
import type { Job } from "./job.ts";

/** A daily crontab schedule at a time in hours and minutes. */
export function dailyAt(at: string): string {
  const [hour, minute] = at.split(":").map(Number);
  return `${minute} ${hour} * * *`;
}

/** The maintenance of the platform's own tables. `at` is a time of low load, in hours and minutes of UTC. */
export function maintenanceJobs(at: string): Job[] {
  const daily = dailyAt(at);
  return [
    {
      name: "partitions",
      schedule: daily,
      run: async ({ owner, clock }) => `${await addPartitions(owner, clock.now())} partitions added`,
    },
    {
      name: "delivery_retention",
      schedule: daily,
      run: async ({ owner, clock }) => `${await dropOldDeliveries(owner, clock.now())} partitions dropped`,
    },
    {
      name: "event_retention",
      schedule: daily,
      async run({ db, owner, clock }) {
        const { trimmed, dropped } = await dropOldEvents(db, owner, clock.now());
        return `${trimmed} events out of the feeds, ${dropped} partitions dropped`;
      },
    },
    {
      name: "change_retention",
      schedule: daily,
      run: async ({ db, clock }) => `${await dropOldChanges(db, clock.now())} changes out of the feeds`,
    },
    {
      name: "audit_retention",
      schedule: daily,
      run: async ({ owner, clock }) => `${await dropOldAudit(owner, clock.now())} partitions dropped`,
    },
    {
      name: "click_retention",
      schedule: daily,
      run: async ({ owner, clock }) => `${await dropOldClicks(owner, clock.now())} partitions dropped`,
    },
    {
      name: "idempotency_retention",
      schedule: "23 * * * *",
      run: async ({ db, clock }) => `${await dropOldReplies(db, clock.now())} replies forgotten`,
    },
  ];
}
