import type { Entry } from "./data.ts";

/** A value of a change as people read it: "—" for nothing. */
export function shown(value: unknown): string {
  if (value === null || value === undefined || value === "") return "—";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(shown).join(", ");
  if (typeof value === "object") return JSON.stringify(value);
  return String(value);
}

export type Change = { field: string; from: string; to: string } | { field: string; redacted: true };

export function changesOf({ changes }: Entry): readonly Change[] {
  return Object.entries(changes ?? {}).map(([field, change]) =>
    change === "redacted" ? { field, redacted: true } : { field, from: shown(change.from), to: shown(change.to) },
  );
}

/** The changes in one line: "plan Growth → Scale, notes changed". */
export function summaryOf(entry: Entry): string {
  return changesOf(entry)
    .map((change) =>
      "redacted" in change
        ? `${change.field} changed`
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
