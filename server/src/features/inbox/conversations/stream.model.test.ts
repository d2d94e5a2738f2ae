import { expect, test } from "vitest";
import { createSharedReads } from "./stream.model.ts";

test("what is asked for at the same moment is read once, and later again", async () => {
  const shared = createSharedReads<number>();
  let reads = 0;
  const read = async () => {
    reads += 1;
    return reads;
  };
  expect(await Promise.all([shared("a", read), shared("a", read), shared("b", read)])).toEqual([1, 1, 2]);
  expect(await shared("a", read)).toBe(3);
});

test("a failure reaches everybody who asked, and the next one reads again", async () => {
  const shared = createSharedReads<number>();
  const failing = () => Promise.reject(new Error("down"));
  const outcomes = await Promise.allSettled([shared("a", failing), shared("a", failing)]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await shared("a", async () => 1)).toBe(1);
});
