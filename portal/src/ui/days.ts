/** Days of an address, as date fields give them: "2026-11-16". They are days of the viewer, like every time that a page shows. */

export const isDay = (text: string | undefined): text is string =>
  /^\d{4}-\d\d-\d\d$/.test(text ?? "") && !Number.isNaN(Date.parse(text ?? ""));

/** When a day begins; `after` days later, if named. */
export function startOfDay(day: string, after = 0): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + after).toISOString();
}

const two = (number: number) => String(number).padStart(2, "0");

/** The day of a time, as a date field shows it. */
export function dayOf(at: string | Date): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The last day before something ends, as a date field shows it: `startOfDay` of the day after it is that end. */
export const lastDayBefore = (end: string) => dayOf(new Date(Date.parse(end) - 1));

export const today = () => dayOf(new Date());

type Within<Name extends string> = { [Key in `${Name}_after` | `${Name}_before`]?: string };

/** `from` and `to` of an address as the API has them: `after` includes its time, `before` does not. Of the last day all is shown. */
export function daysWithin<Name extends string>(
  name: Name,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): Within<Name> {
  return {
    ...(isDay(from) ? { [`${name}_after`]: startOfDay(from) } : {}),
    ...(isDay(to) ? { [`${name}_before`]: startOfDay(to, 1) } : {}),
  } as Within<Name>;
}

/** Months of the books are those of UTC: "2026-11". */
const startOfMonth = (month: string, after = 0) => {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + after, 1)).toISOString();
};

export const isMonth = (text: string | undefined): text is string => /^\d{4}-(0[1-9]|1[0-2])$/.test(text ?? "");

/** A month of the books as the API has it. */
export const monthWithin = <Name extends string>(name: Name, month: string): Within<Name> =>
  ({ [`${name}_after`]: startOfMonth(month), [`${name}_before`]: startOfMonth(month, 1) }) as Within<Name>;

/** The last months with this one, oldest first. */
export function lastMonths(count: number, now = new Date()): readonly string[] {
  const month = now.toISOString().slice(0, 7);
  return Array.from({ length: count }, (_, index) => startOfMonth(month, index - count + 1).slice(0, 7));
}

const nameOf = (month: string, form: Intl.DateTimeFormatOptions) =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString("en-GB", { ...form, timeZone: "UTC" });

/** "Nov", and "November 2026". */
export const shortMonth = (month: string) => nameOf(month, { month: "short" });
export const longMonth = (month: string) => nameOf(month, { month: "long", year: "numeric" });

/** The last days of UTC, in which the clicks of a link are counted: their first and their last. */
export function lastDaysUtc(count: number, now = new Date()): { from: string; to: string } {
  const dayBefore = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString().slice(0, 10);
  return { from: dayBefore(count - 1), to: dayBefore(0) };
}

/** "16 Nov", with the year if it is another one. */
export function dayName(day: string): string {
  const form: Intl.DateTimeFormatOptions = { day: "numeric", month: "short", timeZone: "UTC" };
  return new Date(`${day}T00:00:00Z`).toLocaleDateString("en-GB", {
    ...form,
    ...(day.slice(0, 4) === today().slice(0, 4) ? {} : { year: "numeric" as const }),
  });
}
