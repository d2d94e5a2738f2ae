import { Cron } from "croner";

/** Why a schedule is refused, at its field. */
export type ScheduleFault = { code: "invalid_cron" | "too_frequent" | "never"; detail: string };

const EARLIEST = new Date(0);

/** What is wrong with a cron expression of five fields; null for one that is valid. */
export function scheduleFault(cron: string): ScheduleFault | null {
  const fields = cron.trim().split(/\s+/);
  if (fields.length !== 5 || !isReadable(cron))
    return { code: "invalid_cron", detail: "Five fields are expected: minute, hour, day of the month, month, day of the week." };
  if (!/^\d+$/.test(fields[0] ?? ""))
    return { code: "too_frequent", detail: "At most once an hour: the first field, the minute, must be one number." };
  return nextRun(cron, "UTC", EARLIEST) === null ? { code: "never", detail: "No day matches the expression." } : null;
}

function isReadable(cron: string): boolean {
  try {
    return new Cron(cron, { mode: "5-part" }) !== null;
  } catch {
    return false;
  }
}

/**
 * The first time after an instant that a cron expression names, null if there is none. A time that the change to summer time skips is
 * taken at the end of the gap; one that the change to winter time repeats is taken once, unless it recurs every hour.
 */
export function nextRun(cron: string, time_zone: string, after: Date): Date | null {
  return new Cron(cron, { mode: "5-part", timezone: time_zone }).nextRun(after);
}

/** The day in a time zone, such as 2026-11-20. */
export function dayIn(time_zone: string, time: Date): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone: time_zone, dateStyle: "short" }).format(time);
}

/** Whether a time zone is in the IANA database, such as Europe/Berlin. */
export function isTimeZone(name: string): boolean {
  // The default of everything that has a zone, where making a format is the dearest part of the check.
  if (name === "UTC") return true;
  try {
    // The names of offsets, such as +01:00, are no zones: they know no summer time.
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
