/** Days of an address, as date fields give them: "2026-11-16". Books are kept in UTC, and so are their days. */
const DAY_MS = 86_400_000;

export const isDay = (text: string | undefined): text is string =>
  /^\d{4}-\d\d-\d\d$/.test(text ?? "") && !Number.isNaN(Date.parse(text ?? ""));

/** When a day begins; `after` days later, if named. */
export const startOfDay = (day: string, after = 0) => new Date(Date.parse(`${day}T00:00:00Z`) + after * DAY_MS).toISOString();

/** The first and the last day of a month: "2026-11". */
export function daysOfMonth(month: string): { from: string; to: string } {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return { from: `${month}-01`, to: new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10) };
}

/** The last months with this one, oldest first: "2026-11". */
export function lastMonths(count: number, now = new Date()): readonly string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count + 1 + index, 1)).toISOString().slice(0, 7),
  );
}

const nameOf = (month: string, form: Intl.DateTimeFormatOptions) =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString("en-GB", { ...form, timeZone: "UTC" });

/** "Nov", and "November 2026". */
export const shortMonth = (month: string) => nameOf(month, { month: "short" });
export const longMonth = (month: string) => nameOf(month, { month: "long", year: "numeric" });

/** A day some days before, or after, another: "2026-11-16". */
export const dayAfter = (day: string, days: number) => startOfDay(day, days).slice(0, 10);

export const today = (now = new Date()) => now.toISOString().slice(0, 10);

/** "16 Nov", with the year if it is another one. */
export function dayName(day: string): string {
  const form: Intl.DateTimeFormatOptions = { day: "numeric", month: "short", timeZone: "UTC" };
  return new Date(`${day}T00:00:00Z`).toLocaleDateString("en-GB", {
    ...form,
    ...(day.slice(0, 4) === today().slice(0, 4) ? {} : { year: "numeric" as const }),
  });
}
