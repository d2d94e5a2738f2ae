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

test("phrases, ranges and words are checked wherever they are", () => {
  const slot = (given: object) =>
    faultsOf({ start: "a", slots: { n: { ask: "?", ...given } }, states: { a: { collect: ["n"], go: "@end" } } });
  expect(slot({ type: "number", min: 2, max: 1 })).toEqual(["#/slots/n/min empty_range"]);
  expect(slot({ type: "number", min: 2, max: 2 })).toEqual([]);
  expect(slot({ type: "number", min: 2 })).toEqual([]);
  expect(slot({ type: "number", max: 2 })).toEqual([]);
  expect(slot({ type: "number", retry: ["fine", "{{x}}"] })).toEqual(["#/slots/n/retry/1 unknown_placeholder"]);
  expect(slot({ type: "choice", choices: ["ok", "*", "x".repeat(101), "x".repeat(100), 7] })).toEqual([
    "#/slots/n/choices/1 invalid_phrase",
    "#/slots/n/choices/2 invalid_phrase",
    "#/slots/n/choices/4 invalid_phrase",
  ]);
});

test("placeholders stand for slots, results, values and variables", () => {
  const say = (text: string) => faultsOf({ ...withState({ say: text }) });
  const known = [
    "agent.name",
    "account.name",
    "contact.first_name",
    "slot.n",
    "result.http_request.body.x",
    "vars.day",
    "contact.custom.size_2",
    "slot.n|none",
  ];
  for (const name of known) expect(say(`{{${name}}}`), name).toEqual([]);
  const unknown = [
    "slot",
    "slot.x",
    "slot.constructor",
    "result.fly",
    "vars.Day",
    "vars.day.x",
    "contact.custom.2",
    "xvars.day",
    "contact.age",
  ];
  for (const name of unknown) expect(say(`{{${name}}}`), name).toEqual(["#/states/a/say unknown_placeholder"]);
  expect(say(`{{vars.${"x".repeat(40)}}}{{vars.${"x".repeat(41)}}}`)).toEqual(["#/states/a/say unknown_placeholder"]);
});

test("arguments with placeholders are known when they are used, names and fixed values now", () => {
  const use = (tool: string, args?: object) => faultsOf(withState({ do: [{ tool, args }] }));
  const path = "#/states/a/do/0/args";
  expect(use("add_tag", { tag: "{{slot.n}}" })).toEqual([]);
  expect(use("add_tag", { tag: "{{slot.x}}" })).toEqual([`${path}/tag unknown_placeholder`]);
  expect(use("add_tag")).toEqual([`${path} required`]);
  expect(use("add_tag", { tag: "" })).toEqual([`${path}/tag invalid_argument`]);
  expect(use("add_tag", { tag: "x", "a/b~c": 1 })).toEqual([`${path}/a~1b~0c unknown_argument`]);
  expect(use("http_request", { name: "t", body: { a: ["{{slot.x}}", { "b/c": "{{slot.y}}" }], n: null, m: 7 } })).toEqual([
    `${path}/body/a/0 unknown_placeholder`,
    `${path}/body/a/1/b~1c unknown_placeholder`,
  ]);
  expect(use("create_payment_link", { amount_cents: "{{slot.n}}", description: "x" })).toEqual([]);
  expect(use("create_payment_link", { amount_cents: 0, description: "x" })).toEqual([`${path}/amount_cents invalid_argument`]);
});

test("comparisons have values that fit", () => {
  const when = (condition: object) => faultsOf(withState({ branch: [{ when: { slot: "n", ...condition }, go: "@end" }] }));
  const value = ["#/states/a/branch/0/when/value invalid_condition"];
  for (const fits of [1, "x", true]) expect(when({ op: "=", value: fits })).toEqual([]);
  for (const none of [undefined, null, [1], {}]) expect(when({ op: ">", value: none })).toEqual(value);
  expect(when({ op: "in", value: [1, "x", true] })).toEqual([]);
  expect(when({ op: "in", value: [1, null] })).toEqual(value);
  expect(when({ op: "filled", value: 1 })).toEqual(value);
});

test("lists of conditions and phrases have 1 to 50 items, nested at most five deep", () => {
  const when = (condition: object) => faultsOf(withState({ branch: [{ when: condition, go: "@end" }] }));
  const path = "#/states/a/branch/0/when";
  const times = (count: number, item: unknown) => Array.from({ length: count }, () => item);
  expect(when({ match: times(50, "x") })).toEqual([]);
  expect(when({ match: times(51, "x") })).toEqual([`${path} invalid_condition`]);
  expect(when({ any: [] })).toEqual([`${path} invalid_condition`]);
  expect(when({ all: [{ match: ["x"] }, { any: [{ hours: "late" }] }] })).toEqual([`${path}/all/1/any/0 invalid_condition`]);
  const deep = (levels: number) => times(levels, null).reduce<object>((inner) => ({ all: [inner] }), { hours: "open" });
  expect(when(deep(4))).toEqual([]);
  expect(when(deep(5))).toEqual([`${path}/all/0/all/0/all/0/all/0/all/0 invalid_condition`]);
});

test("all faults are told, but no more than fifty", () => {
  const states = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`s${index}`, { go: "nowhere" }]));
  expect(faultsOf({ start: "s0", states })).toHaveLength(50);
});

test("states are reached from the start, by interrupts and by the fallback", () => {
  const end = { go: "@end" };
  const reached = { start: "a", states: { a: end, b: end, "c/d": end }, interrupts: [{ when: { match: ["b"] }, go: "b" }] };
  expect(faultsOf(reached)).toEqual(["#/states/c~1d unreachable_state"]);
  expect(faultsOf({ ...reached, fallback: { say: "?", max: 1, go: "c/d" } })).toEqual([]);
  expect(faultsOf({ start: "a", states: { a: { branch: [{ when: { hours: "open" }, go: "b" }], go: "@end" }, b: end } })).toEqual(
    [],
  );
});

test("a loop through a branch, or through others, is found where it is", () => {
  const open = { when: { hours: "open" } };
  expect(faultsOf({ start: "a", states: { a: { branch: [{ ...open, go: "a" }], go: "@end" } } })).toEqual([
    "#/states/a endless_loop",
  ]);
  expect(faultsOf({ start: "a", states: { a: { go: "b" }, b: { go: "c" }, c: { go: "b" } } })).toEqual([
    "#/states/b endless_loop",
    "#/states/c endless_loop",
  ]);
  expect(faultsOf({ start: "a", states: { a: { go: "b" }, b: { faq: { min_score: 0 }, go: "a" } } })).toEqual([]);
  expect(faultsOf({ start: "a", states: { a: { go: "@handoff" } } })).toEqual([]);
});

test("a rule may say something, and ends only where rules end", () => {
  expect(faultsOf(withState({ branch: [{ when: { hours: "open" }, say: "{{x}}", go: "@end" }] }))).toEqual([
    "#/states/a/branch/0/say unknown_placeholder",
  ]);
  expect(faultsOf({ start: "@end", states: { a: { go: "@end" } } })).toEqual(["#/start unknown_state"]);
});
