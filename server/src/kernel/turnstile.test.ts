import { expect, test } from "vitest";
import { createTurnstile } from "./turnstile.ts";

test("so many pass at a time, in their order, also after one that fails", async () => {
  const turnstile = createTurnstile(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const act = (number: number) =>
    turnstile.pass(async () => {
      begun.push(number);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (number === 0) throw new Error("failed");
      return number;
    });
  const all = Promise.allSettled([0, 1, 2, 3].map(act));
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  await settled();
  expect([begun, turnstile.waiting()]).toEqual([[0, 1], 2]);
  ends[0]?.();
  await settled();
  expect([begun, turnstile.waiting()]).toEqual([[0, 1, 2], 1]);
  ends[2]?.();
  await settled();
  expect([begun, turnstile.waiting()]).toEqual([[0, 1, 2, 3], 0]);
  for (const end of ends) end();
  expect((await all).map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled", "fulfilled"]);
  expect(await turnstile.pass(async () => "free")).toBe("free");
});
