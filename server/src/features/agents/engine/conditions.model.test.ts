import { describe, expect, test } from "vitest";
import { holds, listens, readsText } from "./conditions.model.ts";
import type { Condition, Operator, SlotValue, State } from "./model.ts";
import { phraseWords, wordsOf } from "./words.model.ts";

const situation = (text = "", slots: Record<string, SlotValue> = {}, open = true) => ({
  words: wordsOf(text),
  open,
  memory: { slots },
});

describe("a condition", () => {
  test("by words holds where one of its phrases occurs", () => {
    const when: Condition = { match: ["real person", "human"] };
    expect(holds(when, situation("A human, please"))).toBe(true);
    expect(holds(when, situation("A real, live person"))).toBe(false);
    expect(holds(when, situation())).toBe(false);
  });

  test("by hours, of all, of any, of none", () => {
    const [open, closed]: Condition[] = [{ hours: "open" }, { hours: "closed" }];
    const is = (when: Condition, isOpen = true) => holds(when, situation("", {}, isOpen));
    expect([
      is(open as Condition),
      is(closed as Condition),
      is(open as Condition, false),
      is(closed as Condition, false),
    ]).toEqual([true, false, false, true]);
    expect([is({ all: [] }), is({ any: [] })]).toEqual([true, false]);
    expect(is({ all: [open as Condition, closed as Condition] })).toBe(false);
    expect(is({ any: [open as Condition, closed as Condition] })).toBe(true);
    expect(is({ not: open as Condition })).toBe(false);
  });

  test.each<[SlotValue | undefined, Operator, unknown, boolean]>([
    [5, "=", 5, true],
    [5, "=", "5", false],
    [5, "!=", 5, false],
    [5, "!=", 6, true],
    [undefined, "!=", 5, true],
    [undefined, "=", undefined, true],
    [5, ">", 4, true],
    [5, ">", 5, false],
    [5, ">=", 5, true],
    [5, ">=", 6, false],
    [5, "<", 6, true],
    [5, "<", 5, false],
    [5, "<=", 5, true],
    [5, "<=", 4, false],
    ["b", ">", "a", true],
    ["5", ">", 4, false],
    [5, ">", "4", false],
    [undefined, "<", 4, false],
    [undefined, ">", undefined, false],
    ["a", "in", ["a", "b"], true],
    ["c", "in", ["a", "b"], false],
    ["a", "in", "abc", false],
    [undefined, "filled", undefined, false],
    [false, "filled", undefined, true],
  ])("of a slot: %j %s %j is %s", (value, op, wanted, expected) => {
    const slots = value === undefined ? {} : { s: value };
    expect(holds({ slot: "s", op, value: wanted }, situation("", slots))).toBe(expected);
  });

  test("sees only slots that were filled", () => {
    expect(holds({ slot: "constructor", op: "filled" }, situation())).toBe(false);
  });
});

test("conditions read what the person wrote if anything in them does", () => {
  const [text, hours]: [Condition, Condition] = [{ match: ["x"] }, { hours: "open" }];
  expect(
    [text, { all: [hours, text] }, { any: [hours, text] }, { not: text }, { not: { any: [text] } }].map((one) =>
      readsText(one as Condition),
    ),
  ).toEqual([true, true, true, true, true]);
  expect(
    [hours, { all: [hours] }, { any: [hours] }, { not: hours }, { slot: "s", op: "filled" }].map((one) =>
      readsText(one as Condition),
    ),
  ).toEqual([false, false, false, false, false]);
});

test("a state listens that answers or chooses by words, once it has asked everything", () => {
  const state = (rest: Partial<State>): State => ({ go: "@end", ...rest });
  const branch = [{ when: { match: ["x"] }, go: "@end" }];
  expect(listens(state({ branch }))).toBe(true);
  expect(listens(state({ faq: { min_score: 0.1 } }))).toBe(true);
  expect(listens(state({ branch, collect: ["s"] }))).toBe(false);
  expect(listens(state({ branch: [{ when: { hours: "open" }, go: "@end" }] }))).toBe(false);
  expect(listens(state({}))).toBe(false);
});

test("words have no case and no accents, and phrases keep their stars", () => {
  expect(wordsOf("  Über—uns: ½ 3rd! ")).toEqual(["uber", "uns", "1", "2", "3rd"]);
  expect(phraseWords("a  * Café-Bar")).toEqual(["a", "*", "cafe", "bar"]);
  expect(phraseWords("**")).toEqual([]);
});
