import { expect, test } from "vitest";
import { createLocalLimiter } from "./local.ts";

test("a local bucket admits its burst, then its rate, and each name has its own", () => {
  let now_ms = 0;
  const limiter = createLocalLimiter(() => now_ms);
  const limit = { per_minute: 60, burst: 3 };
  const take = (name: string) => limiter.take(name, limit);
  expect([take("a"), take("a"), take("a")]).toMatchObject([
    { admitted: true, remaining: 2 },
    { admitted: true, remaining: 1 },
    { admitted: true, remaining: 0 },
  ]);
  expect(take("a")).toEqual({ admitted: false, remaining: 0, wait_ms: 1_000 });
  expect(take("b")).toMatchObject({ admitted: true });
  now_ms = 1_000;
  expect(take("a")).toMatchObject({ admitted: true });
  expect(take("a")).toMatchObject({ admitted: false });
  now_ms = 1_000_000;
  expect(take("a")).toMatchObject({ admitted: true, remaining: 2 });
});
