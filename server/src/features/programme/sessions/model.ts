import type { Limit } from "../../../platform/limits/limiter.ts";

const HOUR_MS = 3_600_000;

/** A session ends when it was not used for this long, */
export const IDLE_MS = 12 * HOUR_MS;
/** and this long after the sign-in in any case. */
export const LIFE_MS = 7 * 24 * HOUR_MS;

/** How often a person may send a password or a code: enough for typos, too low to guess. */
export const GUESSES: Limit = { per_minute: 5, burst: 10 };
/** How often all networks together may send codes for a user: with thirty a code, guessing one takes years. */
export const CODES: Limit = { per_minute: 1, burst: 30 };

/** Not seen since before this instant: the session has ended by itself. */
export function idleSince(now: Date): Date {
  return new Date(now.getTime() - IDLE_MS);
}
