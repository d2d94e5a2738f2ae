import { expect, test } from "vitest";
import { fixedClock, systemClock } from "./clock.ts";

test("a fixed clock always tells the same time, the system's the machine's", () => {
  const at = new Date("2026-11-02T09:30:00Z");
  expect(fixedClock(at).now()).toEqual(at);
  const before = Date.now();
  expect(systemClock.now().getTime()).toBeGreaterThanOrEqual(before);
});
