import { randomInt } from "node:crypto";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** How long after each failed attempt the next one comes: eleven attempts over three days. */
export const RETRY_DELAYS_MS = [
  5 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** The upper bound of a Retry-After. */
export const RETRY_AFTER_MAX_MS = 6 * HOUR_MS;

/**
 * How long to wait after the last of so many attempts, null when it was the last of all. A fifth of chance keeps what
 * failed together from coming back together. Retry-After counts when it asks for more.
 */
export function retryDelayMs(attempts: number, delays_ms: readonly number[], asked_ms: number | null): number | null {
  const delay_ms = delays_ms[attempts - 1];
  if (delay_ms === undefined) return null;
  const scheduled_ms = Math.round((delay_ms * randomInt(800, 1_201)) / 1_000);
  return Math.max(scheduled_ms, Math.min(asked_ms ?? 0, RETRY_AFTER_MAX_MS));
}

/** What a Retry-After header asks for: seconds, or a date. Null when it says nothing that can be read. */
export function readRetryAfterMs(header: string | null, now_ms: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * SECOND_MS;
  const at_ms = /^[A-Z][a-z]{2}, /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at_ms) ? null : Math.max(0, at_ms - now_ms);
}
