import { expect, test } from "vitest";
import { BOARD, FIELD, SCORING } from "../../../../../test/harness/snapshots/synthetic-assets.ts";
import type { Spec } from "../../../accounts/configuring/index.ts";
import { isMadeHere, keyed, listsOf, madeHere, partsOf, plain, sameKeyed, valueIn } from "./keyed.model.ts";

const stage = (name: string) => ({ name, kind: "open", needs: [] });
const rule = (name: string, points: number) => ({ name, field: "mail", points });
const FIELD_A: Spec = { label: "A", kind: "text", options: ["x", "y"], groups: [] };

test("what was made here has a key that nothing of a snapshot has", () => {
  expect([madeHere(3), isMadeHere("~#3"), isMadeHere("#3"), isMadeHere("offer~#")]).toEqual(["~#3", true, false, false]);
});

test("the lists of a type are found once, and the one with parts among them", () => {
  expect(listsOf(FIELD).map(([member]) => member)).toEqual(["options"]);
  expect(listsOf(FIELD)).toBe(listsOf(FIELD));
  expect([partsOf(BOARD)?.[0], partsOf(FIELD)]).toEqual(["stages", undefined]);
});

test("parts have the keys that they came with, or those of the manifest", () => {
  const spec = { name: "B", is_default: true, stages: [{ key: "new", ...stage("New") }, stage("Own")] };
  expect(keyed(BOARD, spec, ["fresh", "~#1"])).toEqual({
    values: { name: "B", is_default: true },
    lists: {
      stages: [
        { key: "fresh", value: stage("New") },
        { key: "~#1", value: stage("Own") },
      ],
    },
  });
  expect(keyed(BOARD, { ...spec, stages: [spec.stages[0]] } as Spec).lists.stages).toMatchObject([{ key: "new" }]);
});

test("other items have their names as keys, fit for paths; each further one of a name was made here", () => {
  const keys = (...names: string[]) => keyed(SCORING, { rules: names.map((name) => rule(name, 1)) }).lists.rules;
  expect(keys("A/b~c", "D", "d", "D")?.map(({ key }) => key)).toEqual(["a~1b~0c", "d", "~#1/d", "~#2/d"]);
});

test("what was stored before its type had a member has the default of that member, and no other default", () => {
  expect(keyed(FIELD, { label: "A", options: [], groups: ["g"] })).toEqual({
    values: { label: "A", kind: "text", groups: ["g"] },
    lists: { options: [] },
  });
  expect(keyed(FIELD, { label: "A", kind: "number", options: [], groups: ["z", "a"] }).values).toEqual({
    label: "A",
    kind: "number",
    groups: ["z", "a"],
  });
});

test("the spec comes back, with the keys of its parts, and with those that were made here on request", () => {
  const stages = [
    { key: "new", ...stage("New") },
    { key: "~#1", ...stage("Own") },
  ];
  const spec: Spec = { name: "B", is_default: false, stages };
  expect(plain(BOARD, keyed(BOARD, spec), true)).toEqual(spec);
  expect(plain(BOARD, keyed(BOARD, spec), false)).toEqual({ ...spec, stages: [stages[0], stage("Own")] });
  expect(plain(FIELD, keyed(FIELD, FIELD_A), true)).toEqual(FIELD_A);
  expect(plain(FIELD, { values: { label: "A" }, lists: {} }, true)).toEqual({ label: "A", options: [] });
});

test("a list without an order is in that of its canonical form, and one with an order as it is", () => {
  const [a, b] = [rule("A", 1), rule("B", 1)];
  expect(plain(SCORING, keyed(SCORING, { rules: [b, a] }), true)).toEqual({ rules: [a, b] });
  expect(plain(FIELD, keyed(FIELD, { ...FIELD_A, options: ["y", "x"] }), true).options).toEqual(["y", "x"]);
});

test("two specs are the same by their values and by the keys of their items, and by the order where it counts", () => {
  const same = (left: Spec, right: Spec) => sameKeyed(FIELD, keyed(FIELD, left), keyed(FIELD, right));
  expect(same(FIELD_A, { ...FIELD_A })).toBe(true);
  for (const other of [{ label: "B" }, { options: ["y", "x"] }, { options: ["x"] }, { options: ["x", "y", "z"] }])
    expect(same(FIELD_A, { ...FIELD_A, ...other })).toBe(false);
  const rules = (...list: Spec[]) => keyed(SCORING, { rules: list });
  const [a, b] = [rule("A", 1), rule("B", 1)];
  expect(sameKeyed(SCORING, rules(a, b), rules(b, a))).toBe(true);
  expect(sameKeyed(SCORING, rules(a, b), rules(a))).toBe(false);
  expect(sameKeyed(SCORING, rules(a), rules(a, b))).toBe(false);
  expect(sameKeyed(SCORING, rules(a, b), rules(a, rule("B", 2)))).toBe(false);
  expect(sameKeyed(SCORING, rules(a), rules(b))).toBe(false);
  expect(sameKeyed(SCORING, rules(), { values: {}, lists: {} })).toBe(true);
});

test("an item is found by its key", () => {
  const items = [{ key: "a", value: 1 }];
  expect([valueIn(items, "a"), valueIn(items, "b")]).toEqual([1, undefined]);
});
