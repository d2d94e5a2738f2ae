import { expect, test } from "vitest";
import { inOrder, sameValue } from "./order.ts";

const MIXED = {
  playbook: {
    slots: { age: { ask: "Age?", type: "number" }, name: { ask: "Name?", type: "text" } },
    start: "hello",
    states: { bye: { go: "@end" }, hello: { go: "bye", collect: ["name", "age"], say: "Hi" }, alone: { go: "@end" } },
    interrupts: [{ go: "@end", when: { match: ["stop"] } }],
  },
  engine: "playbook",
};

test("members stand in the order of the language, states as one comes to them, slots as they are asked for", () => {
  const content = inOrder(MIXED) as typeof MIXED;
  expect(Object.keys(content)).toEqual(["engine", "playbook"]);
  expect(Object.keys(content.playbook)).toEqual(["start", "slots", "interrupts", "states"]);
  expect(Object.keys(content.playbook.states)).toEqual(["hello", "bye", "alone"]);
  expect(Object.keys(content.playbook.states.hello)).toEqual(["say", "collect", "go"]);
  expect(Object.keys(content.playbook.slots)).toEqual(["name", "age"]);
  expect(Object.keys(content.playbook.interrupts[0] ?? {})).toEqual(["when", "go"]);
  expect(content).toEqual(MIXED);
});

test("values are the same whatever their order, and not when a member differs", () => {
  expect(sameValue(MIXED, inOrder(MIXED))).toBe(true);
  expect(sameValue(MIXED, { ...MIXED, engine: "llm" })).toBe(false);
  expect(sameValue({ a: [1, 2] }, { a: [2, 1] })).toBe(false);
  expect(sameValue({ a: 1 }, { b: 1 })).toBe(false);
});
