import { expect } from "vitest";
import type { Limit } from "../../src/platform/limits/limiter.ts";

/** For requests without a valid key. */
const STRANGERS: Limit = { per_minute: 60, burst: 30 };
/** Ends the guesses where none is refused. */
const GUESSES_MAX = 1_000;

/**
 * Guesses until one is refused: what the limit has at once is admitted, less what was sent before, and what comes back in the time that it took. So
 * it holds on a machine of any speed.
 */
export async function expectHeld(
  guess: (turn: number) => Promise<number>,
  { limit = STRANGERS, sent_before = 0 }: { limit?: Limit; sent_before?: number } = {},
): Promise<void> {
  const started_ms = performance.now();
  const statuses: number[] = [];
  while (statuses.at(-1) !== 429 && statuses.length < GUESSES_MAX) statuses.push(await guess(statuses.length));
  const come_back = ((performance.now() - started_ms) / 60_000) * limit.per_minute;
  const admitted = statuses.slice(0, -1);
  expect(new Set(admitted)).toEqual(new Set([401]));
  expect(admitted.length).toBeGreaterThanOrEqual(limit.burst - sent_before);
  expect(admitted.length).toBeLessThanOrEqual(limit.burst + come_back + 1);
}
