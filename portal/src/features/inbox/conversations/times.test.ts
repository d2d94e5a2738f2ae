import { expect, test } from "vitest";
import { daysToMonday, morning } from "./times.ts";

test("Monday is the next one, and a morning is at nine", () => {
  const days = [0, 1, 2, 3, 4, 5, 6].map((after) => daysToMonday(new Date(2026, 10, 15 + after)));
  expect(days).toEqual([1, 7, 6, 5, 4, 3, 2]);
  expect(morning(1, new Date(2026, 11, 31, 23, 59))).toEqual(new Date(2027, 0, 1, 9));
});
