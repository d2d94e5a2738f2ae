import { changesOf } from "../../ui/changes.tsx";
import type { Entry } from "./data.ts";

/** The changes in one line: "plan Growth → Scale, notes changed". */
export function summaryOf({ action, changes }: Entry): string {
  return changesOf(changes)
    .map((change) =>
      "redacted" in change
        ? `${change.field} ${action.endsWith(".create") ? "set" : "changed"}`
        : change.from === "—"
          ? `${change.field} ${change.to}`
          : `${change.field} ${change.from} → ${change.to}`,
    )
    .join(", ");
}

const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric" });

/** The day of an entry, in the viewer's zone: "Today", "Yesterday", "Friday 13 November 2026". */
export function dayOf(at: string, now = new Date()): string {
  const date = new Date(at);
  if (date.toDateString() === now.toDateString()) return "Today";
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  return date.toDateString() === yesterday.toDateString() ? "Yesterday" : weekday.format(date).replace(",", "");
}
