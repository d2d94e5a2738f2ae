import { expect, test } from "vitest";
import { createFlow, FLOW_RULES } from "./flow.ts";

type Flow = ReturnType<typeof createFlow>;

function fill(flow: Flow, max: number, now_ms = 0): number[] {
  const tickets: number[] = [];
  while (flow.hasRoom(max)) tickets.push(flow.begin(now_ms));
  return tickets;
}

test("each success allows one more at a time, up to the endpoint's own limit", () => {
  const flow = createFlow(FLOW_RULES);
  const first = fill(flow, 16);
  expect(first).toHaveLength(4);
  for (const ticket of first) flow.end(ticket, "success", 1);
  expect(fill(flow, 16)).toHaveLength(8);
  expect(createFlowWithRoom(6)).toBe(6);
});

function createFlowWithRoom(max: number): number {
  const flow = createFlow(FLOW_RULES);
  for (const ticket of fill(flow, 4)) flow.end(ticket, "success", 1);
  return fill(flow, max).length;
}

test("a sign of overload halves, down to one, and a plain failure changes nothing", () => {
  const flow = createFlow(FLOW_RULES);
  const [first = 0, second = 0, third = 0, fourth = 0] = fill(flow, 16);
  flow.end(first, "overload", 1);
  flow.end(second, "overload", 1);
  flow.end(third, "overload", 1);
  flow.end(fourth, "failure", 1);
  expect(fill(flow, 16)).toHaveLength(1);
});

test("from a new start it doubles with every round trip", () => {
  const flow = createFlow(FLOW_RULES);
  flow.restart();
  const sizes = [1, 2, 3, 4].map(() => {
    const tickets = fill(flow, 64);
    for (const ticket of tickets) flow.end(ticket, "success", 1);
    return tickets.length;
  });
  expect(sizes).toEqual([1, 2, 4, 8]);
});

test("one long answer in twenty makes an endpoint slow, and so does one that is still awaited", () => {
  const flow = createFlow(FLOW_RULES);
  const answer = (duration_ms: number) => flow.end(flow.begin(0), "success", duration_ms);
  for (let turn = 0; turn < 39; turn += 1) answer(10);
  answer(5_000);
  expect(flow.isSlow(0)).toBe(false);
  answer(5_000);
  expect(flow.isSlow(0)).toBe(true);
  for (let turn = 0; turn < 40; turn += 1) answer(10);
  expect(flow.isSlow(0)).toBe(false);
  flow.begin(1_000);
  expect(flow.isSlow(4_000)).toBe(false);
  expect(flow.isSlow(4_001)).toBe(true);
});
