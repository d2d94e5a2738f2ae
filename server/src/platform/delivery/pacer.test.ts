import { expect, test } from "vitest";
import { createPacer } from "./pacer.ts";

test("no second sees more than the rate and what late timers may make up", () => {
  const pace = createPacer(100);
  const sent: number[] = [];
  for (let now_ms = 0; now_ms < 10_000; now_ms += 1) {
    while (pace.waitMs(now_ms) === 0) {
      pace.take(now_ms);
      sent.push(now_ms);
    }
  }
  expect(sent.length).toBeGreaterThan(995);
  for (const from_ms of sent) expect(sent.filter((at) => at >= from_ms && at < from_ms + 1_000).length).toBeLessThanOrEqual(104);
});
