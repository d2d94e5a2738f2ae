import { expect, test } from "vitest";
import { RETRY_DELAYS_MS, readRetryAfterMs, retryDelayMs } from "./backoff.ts";

const HOUR_MS = 3_600_000;

test("there are eleven attempts over 75.6 hours", () => {
  expect(RETRY_DELAYS_MS).toHaveLength(10);
  expect(RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay) / HOUR_MS).toBeCloseTo(75.6, 1);
  expect(retryDelayMs(11, RETRY_DELAYS_MS, null)).toBeNull();
});

test("each delay is within a fifth of the schedule's, and not always the same", () => {
  for (const [index, delay_ms] of RETRY_DELAYS_MS.entries()) {
    const drawn = Array.from({ length: 200 }, () => retryDelayMs(index + 1, RETRY_DELAYS_MS, null) ?? 0);
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(delay_ms * 0.8);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(delay_ms * 1.2);
    expect(new Set(drawn).size).toBeGreaterThan(20);
  }
});

test("Retry-After lengthens a delay up to six hours and never shortens it", () => {
  expect(retryDelayMs(1, RETRY_DELAYS_MS, 2 * HOUR_MS)).toBe(2 * HOUR_MS);
  expect(retryDelayMs(1, RETRY_DELAYS_MS, 100 * HOUR_MS)).toBe(6 * HOUR_MS);
  expect(retryDelayMs(10, RETRY_DELAYS_MS, 1)).toBeGreaterThanOrEqual(24 * HOUR_MS * 0.8);
});

test.each([
  ["120", 120_000],
  [" 7 ", 7_000],
  ["Sun, 15 Nov 2026 10:00:30 GMT", 30_000],
  ["Sun, 15 Nov 2026 09:00:00 GMT", 0],
  ["soon", null],
  ["", null],
  ["-5", null],
  [null, null],
])("Retry-After: %j asks for %j ms", (header, expected) => {
  expect(readRetryAfterMs(header, Date.parse("2026-11-15T10:00:00Z"))).toBe(expected);
});
