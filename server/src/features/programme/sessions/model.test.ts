import { expect, test } from "vitest";
import { CODES, GUESSES, idleSince, LIFE_MS } from "./model.ts";

test("a session ends after 12 hours without use, and after 7 days in any case", () => {
  expect(idleSince(new Date("2026-05-02T00:00:00Z"))).toEqual(new Date("2026-05-01T12:00:00Z"));
  expect(new Date(LIFE_MS)).toEqual(new Date("1970-01-08T00:00:00Z"));
});

test("guessing is slow, for one person and for a user from all networks", () => {
  expect(GUESSES).toEqual({ per_minute: 5, burst: 10 });
  expect(CODES).toEqual({ per_minute: 1, burst: 30 });
});
