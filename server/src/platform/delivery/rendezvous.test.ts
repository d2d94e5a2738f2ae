import { expect, test } from "vitest";
import { chooseWorker } from "./rendezvous.ts";

const workers = ["w1", "w2", "w3", "w4"];
const things = Array.from({ length: 1_000 }, (_, index) => `whe_${index}`);

test("workers get about the same number of things, whatever order they are named in", () => {
  const counts = workers.map((worker) => things.filter((thing) => chooseWorker(thing, workers) === worker).length);
  for (const count of counts) expect(count).toBeGreaterThan(180);
  for (const thing of things) expect(chooseWorker(thing, workers.toReversed())).toBe(chooseWorker(thing, workers));
  expect(chooseWorker("whe_1", [])).toBeNull();
});

test("when a worker goes, only its own things move", () => {
  const left = workers.slice(0, 3);
  for (const thing of things) {
    const before = chooseWorker(thing, workers);
    if (before !== "w4") expect(chooseWorker(thing, left)).toBe(before);
  }
});
