import { expect, test } from "vitest";
import { playbookFaults } from "./check.model.ts";
import { QUALIFY_LEADS } from "./example.demo.ts";
import type { Playbook, State } from "./model.ts";

const faultsOf = (playbook: object) => playbookFaults(playbook as Playbook).map(({ pointer, code }) => `${pointer} ${code}`);
const withState = (state: object): object => ({
  start: "a",
  slots: { n: { type: "number", ask: "?" } },
  states: { a: { go: "@end", ...state } },
});

test("the example is valid", () => {
  expect(faultsOf(QUALIFY_LEADS)).toEqual([]);
});

test("every name that does not exist is told, all at once", () => {
  const playbook = {
    start: "nowhere",
    slots: { c: { type: "choice", ask: "{{slot.x}}?" } },
    states: {
      a: {
        say: ["fine", "{{contact.age}}"],
        collect: ["c", "gone"],
        do: [{ tool: "fly" }, { tool: "add_tag", args: { label: "x" } }, { tool: "move_deal", args: { stage: "" } }],
        branch: [{ when: { slot: "gone", op: "=", value: 1 }, go: "gone" }],
        go: "@nowhere",
      },
    },
    interrupts: [{ when: { match: ["*"] }, go: "constructor" }],
    fallback: { say: "{{", max: 1, go: "b" },
  };
  expect(faultsOf(playbook)).toEqual([
    "#/start unknown_state",
    "#/slots/c/choices required",
    "#/slots/c/ask unknown_placeholder",
    "#/states/a/say/1 unknown_placeholder",
    "#/states/a/collect/1 unknown_slot",
    "#/states/a/do/0/tool unknown_tool",
    "#/states/a/do/1/args required",
    "#/states/a/do/1/args/label unknown_argument",
    "#/states/a/do/2/args/stage invalid_argument",
    "#/states/a/branch/0/when/slot unknown_slot",
    "#/states/a/branch/0/go unknown_state",
    "#/states/a/go unknown_state",
    "#/interrupts/0/when/match/0 invalid_phrase",
    "#/interrupts/0/go unknown_state",
    "#/fallback/say unknown_placeholder",
    "#/fallback/go unknown_state",
  ]);
});

test("conditions have one form each", () => {
  const when = (condition: unknown) => faultsOf(withState({ branch: [{ when: condition, go: "@end" }] }));
  const path = "#/states/a/branch/0/when";
  expect(when({})).toEqual([`${path} invalid_condition`]);
  expect(when({ match: ["a"], hours: "open" })).toEqual([`${path} invalid_condition`]);
  expect(when({ match: "a" })).toEqual([`${path} invalid_condition`]);
  expect(when({ hours: "late" })).toEqual([`${path} invalid_condition`]);
  expect(when({ not: { any: [null] } })).toEqual([`${path}/not/any/0 invalid_condition`]);
  expect(when({ slot: "n", op: "~", value: 1 })).toEqual([`${path}/op invalid_condition`]);
  expect(when({ slot: "n", op: "in", value: 1 })).toEqual([`${path}/value invalid_condition`]);
  expect(when({ slot: "n", op: "=", value: 1, extra: 1 })).toEqual([`${path} invalid_condition`]);
  const deep = Array.from({ length: 6 }).reduce((inner: object) => ({ not: inner }), { hours: "open" });
  expect(when(deep)).toEqual([`${path}/not/not/not/not/not invalid_condition`]);
  expect(when({ all: [{ slot: "n", op: "filled" }, { not: { hours: "open" } }] })).toEqual([]);
});

test("states that nothing leads to and loops without a question are refused", () => {
  const states = (of: Record<string, State>) => faultsOf({ start: "a", slots: { n: { type: "number", ask: "?" } }, states: of });
  expect(states({ a: { go: "@end" }, b: { go: "@end" } })).toEqual(["#/states/b unreachable_state"]);
  expect(states({ a: { go: "b" }, b: { go: "a" } })).toEqual(["#/states/a endless_loop", "#/states/b endless_loop"]);
  expect(states({ a: { collect: ["n"], go: "b" }, b: { go: "a" } })).toEqual([]);
  expect(states({ a: { branch: [{ when: { match: ["x"] }, go: "@end" }], go: "a" } })).toEqual([]);
});
