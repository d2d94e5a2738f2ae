import { expect, test } from "vitest";
import { createRoundRobin } from "./round-robin.ts";

type Lane = { name: string; left: number; slow?: boolean };

function stage(slots: number, slow_slots: number) {
  const sent: string[] = [];
  const turns = createRoundRobin<Lane>({
    slots,
    slow_slots,
    isSlow: ({ slow = false }) => slow,
    send(lane) {
      if (lane.left === 0) return false;
      lane.left -= 1;
      sent.push(lane.name);
      return true;
    },
  });
  return { turns, sent };
}

test("turns go round, however much somebody has", () => {
  const { turns, sent } = stage(7, 7);
  for (const lane of [
    { name: "a", left: 100 },
    { name: "b", left: 2 },
    { name: "c", left: 100 },
  ])
    turns.add(lane);
  turns.run();
  expect(sent).toEqual(["a", "b", "c", "a", "b", "c", "a"]);
  expect(turns.in_flight).toBe(7);
});

test("slow ones together never have more than their share, and the others have the rest", () => {
  const { turns, sent } = stage(8, 2);
  const slow = [1, 2, 3].map((number) => ({ name: `slow${number}`, left: 100, slow: true }));
  const quick = { name: "quick", left: 100 };
  for (const lane of [...slow, quick]) turns.add(lane);
  turns.run();
  expect(sent.filter((name) => name !== "quick")).toHaveLength(2);
  expect(sent).toHaveLength(8);
  turns.free(quick);
  turns.add(quick);
  turns.run();
  expect(sent.filter((name) => name !== "quick")).toHaveLength(2);
  expect(sent).toHaveLength(9);
});

test("one that turns slow while its requests are under way counts as slow from then on", () => {
  const { turns, sent } = stage(10, 3);
  const turning: Lane = { name: "turning", left: 4 };
  turns.add(turning);
  turns.run();
  turning.slow = true;
  turning.left = 10;
  turns.add(turning);
  turns.add({ name: "quick", left: 3 });
  turns.run();
  expect(sent).toEqual(["turning", "turning", "turning", "turning", "quick", "quick", "quick"]);
});

test("a slot that is freed goes to whoever is next in line", () => {
  const { turns, sent } = stage(1, 1);
  const [a, b] = [
    { name: "a", left: 2 },
    { name: "b", left: 2 },
  ];
  turns.add(a);
  turns.add(b);
  for (let turn = 0; turn < 4; turn += 1) {
    turns.run();
    turns.free(sent.at(-1) === "a" ? a : b);
  }
  expect(sent).toEqual(["a", "b", "a", "b"]);
});
