import { nextRun } from "../../../../kernel/schedule.ts";

const DAY_MS = 86_400_000;

/** When the payer of a link that is due is reminded, in days from due_on, where nobody says otherwise. */
export const REMIND_DAYS = [-3, 1];
/** A payer is reminded by hand once in this time, and a link is sent this often. */
export const REMIND_AGAIN_MS = DAY_MS;
export const MESSAGES_MAX = 20;
/** A reminder that could not be sent for this long, as after an outage, says something that is no longer true. */
export const MISSED_AFTER_MS = DAY_MS;

export const REMINDER_STATES = ["planned", "sent", "skipped"] as const;

/** Ten in the morning of a zone, some days from a day such as 2026-11-20. */
export function reminderTime(due_on: string, days: number, timezone: string): Date {
  const day = new Date(Date.parse(due_on) + days * DAY_MS);
  // The day begins up to 14 hours earlier than in UTC.
  const at = nextRun(`0 10 ${day.getUTCDate()} ${day.getUTCMonth() + 1} *`, timezone, new Date(day.getTime() - DAY_MS));
  if (at === null) throw new Error(`no reminder ${days} days from ${due_on}`);
  return at;
}
