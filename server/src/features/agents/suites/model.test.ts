import { expect, test } from "vitest";
import type { SandboxRunShown } from "../sandbox/index.ts";
import { comparable, hasPassed, toldBy } from "./model.ts";

const run = {
  id: "sbx_1",
  status: "failed",
  error: null,
  slots: { size: 5 },
  transcript: [
    { role: "contact", text: "Hi", turn: 1 },
    { role: "agent", text: "Hello", turn: 1 },
    { role: "event", text: "@end: completed", turn: 1 },
  ],
  tool_calls: [
    { turn: 1, name: "add_tag", args: { tag: "x" }, valid: true, source: "simulated", result: { ok: true, value: {} } },
  ],
  effects: [{ kind: "contact.update", target: "con_1", before: { tags: [] }, after: { tags: ["x"] } }],
  assertions: [
    { assertion: { type: "handed_off", value: true }, passed: false },
    { assertion: { type: "slot", slot: "size", value: 5 }, passed: true },
  ],
} as unknown as SandboxRunShown;

test("a test tells what the agent said and did, and what did not hold", () => {
  const told = toldBy(run);
  const compared = {
    status: "failed",
    slots: { size: 5 },
    said: ["Hello", "@end: completed"],
    tools: [{ name: "add_tag", args: { tag: "x" } }],
    effects: [{ kind: "contact.update", after: { tags: ["x"] } }],
  };
  expect(told).toEqual({ ...compared, run_id: "sbx_1", error: null, failures: [{ type: "handed_off", value: true }] });
  expect(comparable(told)).toEqual(compared);
});

test("a test has passed if its assertions hold, or if it came to its end without any", () => {
  const statuses = ["passed", "completed", "failed", "error", "queued", "running"];
  expect(statuses.filter((status) => hasPassed({ status: status as never }))).toEqual(["passed", "completed"]);
});
