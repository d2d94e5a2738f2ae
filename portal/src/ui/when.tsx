import { Tooltip } from "@mantine/core";
import { useEffect, useState } from "react";
import { isDay } from "./days.ts";
import type { Column } from "./table.tsx";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "long" });
const inFull = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "long" });
const dayOfYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const dayOfAnyYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

/** "17 Dec", with the year if it is another one. A date without a time is the same day everywhere. */
export function day(at: string | Date): string {
  const date = new Date(isDay(String(at)) ? `${at}T00:00` : at);
  return (date.getFullYear() === new Date().getFullYear() ? dayOfYear : dayOfAnyYear).format(date);
}

/** "Friday, 17 December 2026 at 14:32:08 CET", in the viewer's zone. */
export const exactly = (at: string | number) => inFull.format(new Date(at));

/** "14:32", in the viewer's zone. */
export const time = (at: string | Date) => clock.format(new Date(at));

/** "now", "4 min", "2 h", "3 d" for what was less than 30 days ago, or will be; a day otherwise. */
export function ago(at: string | Date, now = Date.now()): string {
  const distance_ms = Math.abs(now - new Date(at).getTime());
  if (distance_ms < MINUTE_MS) return "now";
  if (distance_ms < HOUR_MS) return `${Math.floor(distance_ms / MINUTE_MS)} min`;
  if (distance_ms < DAY_MS) return `${Math.floor(distance_ms / HOUR_MS)} h`;
  if (distance_ms < 30 * DAY_MS) return `${Math.floor(distance_ms / DAY_MS)} d`;
  return day(at);
}

/** Draws again each minute, so that "4 min" does not stay. */
function useMinute(): void {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
}

/** Within a sentence: "4 min ago", "on 17 Dec". */
export function since(at: string | Date): string {
  const text = ago(at);
  if (text === "now") return "just now";
  return /^\d+ (min|h|d)$/.test(text) ? `${text} ago` : `on ${text}`;
}

/** "17 Dec, 14:32". */
export const moment = (at: string | Date) => `${day(at)}, ${time(at)}`;

const FORMS = { ago, day, moment, since };

type WhenProps = {
  at: string | null;
  as?: keyof typeof FORMS;
  muted?: boolean;
  /** What stands where there is no time. */
  never?: string | undefined;
};

/** A time, short, with the exact one in the viewer's zone as its tooltip. */
export function When({ at, as = "ago", muted = false, never }: WhenProps) {
  useMinute();
  const className = muted ? "muted" : undefined;
  if (at === null) return never && <span className={className}>{never}</span>;
  return (
    <Tooltip label={exact.format(new Date(at))}>
      <time dateTime={at} className={className}>
        {FORMS[as](at)}
      </time>
    </Tooltip>
  );
}

type WhenColumn<Row> = Pick<Column<Row>, "key" | "head" | "from" | "sorts"> & {
  width?: string;
  at: (row: Row) => string | null;
} & Omit<WhenProps, "at" | "muted">;

/** A column of times: quiet, and at the end of its row. */
export function whenColumn<Row>({ width = "80px", at, as = "ago", never, ...column }: WhenColumn<Row>): Column<Row> {
  return { ...column, width, end: true, cell: (row) => <When muted at={at(row)} as={as} never={never} /> };
}
