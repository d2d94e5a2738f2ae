import type { Channel } from "./data.ts";

export const DAYS = {
  mon: "Monday",
  tue: "Tuesday",
  wed: "Wednesday",
  thu: "Thursday",
  fri: "Friday",
  sat: "Saturday",
  sun: "Sunday",
} as const;
type Day = keyof typeof DAYS;

/** Hours as the form has them: a text for each day, such as "09:00-12:00, 13:00-17:30". */
export type HoursValues = { limited: boolean; timezone: string | null; hours: Record<Day, string> };

const days = Object.keys(DAYS) as Day[];
const texts = (of: (day: Day) => string) => Object.fromEntries(days.map((day) => [day, of(day)])) as Record<Day, string>;

/** What the form begins with. Hours that are not there yet are those of an office. */
export function hoursValuesOf(channel?: Pick<Channel, "hours" | "timezone">): HoursValues {
  const { hours = null, timezone = null } = channel ?? {};
  return {
    limited: hours !== null,
    timezone: timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    hours: texts((day) => {
      if (hours === null) return day === "sat" || day === "sun" ? "" : "09:00-17:00";
      return (hours[day] ?? []).map(({ from, to }) => `${from}-${to}`).join(", ");
    }),
  };
}

/** The members of the request. What cannot be read is sent as it is, so that the API refuses it at its day. */
export function hoursMembersOf({ limited, timezone, hours }: HoursValues) {
  if (!limited) return { hours: null };
  const given = days.map((day) => [day, periodsOf(hours[day])] as const).filter(([, periods]) => periods.length > 0);
  return { hours: Object.fromEntries(given), timezone };
}

function periodsOf(text: string) {
  const parts = text.split(/[,;]/).map((part) => part.trim());
  return parts
    .filter((part) => part !== "")
    .map((part) => {
      const [from = "", to = ""] = part.split(/\s*[-–]\s*/);
      return { from: timeOf(from), to: timeOf(to) };
    });
}

/** "9" is 09:00. */
function timeOf(text: string): string {
  const [, hour, minute = "00"] = /^(\d{1,2})(?:[:.](\d{2}))?$/.exec(text) ?? [];
  return hour === undefined ? text : `${hour.padStart(2, "0")}:${minute}`;
}
