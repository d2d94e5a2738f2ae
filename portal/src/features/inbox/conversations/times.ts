export const HOUR_MS = 3_600_000;
const MORNING = 9;

/** The morning of a day that is some days ahead, in the viewer's zone. */
export function morning(days: number, now = new Date()): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING);
}

/** How many days it is to the next Monday, never none. */
export const daysToMonday = (now = new Date()) => (8 - now.getDay()) % 7 || 7;

/** "2026-11-20T09:00", as the field of a form has it. */
export const fieldText = (at: Date) => new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
