import { expect, test } from "vitest";
import { flowOf } from "./flow.ts";
import { readContent } from "./playbook.ts";

const PLAYBOOK = {
  start: "hello",
  slots: { budget: { type: "number" } },
  interrupts: [{ when: { match: ["human"] }, go: "@handoff" }],
  states: {
    hello: { collect: ["budget"], go: "save" },
    save: { do: [{ tool: "add_tag" }], branch: [{ when: { slot: "budget", op: ">=", value: 500 }, go: "good" }], go: "hello" },
    good: { say: "Fine", go: "@handoff" },
    lost: { go: "@end" },
  },
};

test("states stand in rows by their distance from the start, ends below all", () => {
  const { nodes } = flowOf(readContent({ playbook: PLAYBOOK }));
  const y = Object.fromEntries(nodes.map(({ id, y }) => [id, y]));
  expect(y["any message"]).toBe(y.hello);
  expect([y.hello, y.save, y.good, y.lost, y["@handoff"], y["@end"]]).toEqual([0, 80, 160, 240, 320, 320]);
});

test("a way says when it is taken, and one that leads back is known as such", () => {
  const { edges } = flowOf(readContent({ playbook: PLAYBOOK }));
  expect(edges.find(({ id }) => id === "save → good")).toMatchObject({ when: "budget >= 500", back: false });
  expect(edges.find(({ id }) => id === "save → hello")).toMatchObject({ when: "else", back: true });
  expect(edges.find(({ id }) => id === "any message → @handoff")).toMatchObject({ when: "human", any: true });
});

test.each([null, "text", [], { playbook: { states: [1], slots: "x", interrupts: {} } }, { playbook: { states: { a: null } } }])(
  "%j, as it is while it is written, draws what is there",
  (content) => {
    const { nodes, height } = flowOf(readContent(content));
    expect(nodes.length).toBeLessThan(2);
    expect(height).toBeGreaterThan(0);
  },
);
