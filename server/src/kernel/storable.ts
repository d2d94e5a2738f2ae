/**
 * What PostgreSQL can store. Every text and time of a request passes one of these before it gets there: PostgreSQL refuses the rest
 * with an error that says nothing to the caller.
 */

/** Why a text cannot be stored, or null. */
export function textFault(text: string): string | null {
  if (text.includes("\0")) return "Text must not contain the character U+0000.";
  return text.isWellFormed() ? null : "Text must not contain an unpaired surrogate.";
}

/** A calendar date from year 1 on. Date would read 30 February as 2 March, so the day is compared. */
export function isDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(Date.parse(text))) return false;
  return new Date(text).toISOString().startsWith(text);
}

/** Offsets of 16 hours and more belong to no place, and PostgreSQL does not read them. */
const TIME = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-](0\d|1[0-5]):[0-5]\d)$/i;

/** RFC 3339, as far as Date supports it: no leap seconds. In UTC it must lie in the years 1 to 9999, too. */
export function isTime(text: string): boolean {
  const year = new Date(text).getUTCFullYear();
  return year >= 1 && year <= 9999 && isDay(TIME.exec(text)?.[1] ?? "");
}
