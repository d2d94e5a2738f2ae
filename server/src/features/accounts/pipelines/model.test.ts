import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../test/harness/refusal.ts";
import type { CustomField } from "../custom-fields/index.ts";
import {
  FIRST_STAGES,
  NO_RULES,
  type Pipeline,
  REQUIRABLE,
  STAGE_TYPES,
  type Stage,
  type StageInput,
  stageNamed,
  stagesAfter,
  validateStages,
} from "./model.ts";

const stage = (id: string, type: Stage["type"], more: Partial<Stage> = {}): Stage => ({
  id,
  name: id,
  type,
  probability: 50,
  required_fields: [],
  target_days: null,
  ...more,
});
const CURRENT = [stage("a", "open", { target_days: 5 }), stage("w", "won"), stage("l", "lost")];
const CLOSED: StageInput[] = [
  { name: "Won", type: "won" },
  { name: "Lost", type: "lost" },
];

let made = 0;
const makeId = () => `new${++made}`;
const field = (key: string): CustomField => ({ key, type: "text", options: [], required: false, archived: false });
const faultsOf = (input: StageInput[], current: Stage[] = [], keys: string[] = []) => {
  const refused = refusalOf(() => validateStages(current, input, keys.map(field)));
  if (refused === null) return [];
  expect([refused.code, refused.faults.length > 0]).toEqual(["validation_failed", true]);
  return refused.faults;
};

describe("stages after a change", () => {
  test("are in the order of the input; one with an id keeps its settings, one without is new", () => {
    const after = stagesAfter(CURRENT, [{ name: "B", type: "open" }, { id: "a", name: "A", type: "open" }, ...CLOSED], makeId);
    expect(after.map(({ name }) => name)).toEqual(["B", "A", "Won", "Lost"]);
    expect(after[1]).toEqual(stage("a", "open", { name: "A", target_days: 5 }));
    expect(after[0]).toEqual({ id: "new1", name: "B", type: "open", probability: 33, required_fields: [], target_days: null });
    expect(new Set(after.map(({ id }) => id)).size).toBe(4);
  });

  test("rise in equal steps to a win, unless a probability is given", () => {
    const open = (name: string): StageInput => ({ name, type: "open" });
    const after = stagesAfter([], [open("1"), ...CLOSED, open("2"), { ...open("3"), probability: 5 }], makeId);
    expect(after.map(({ probability }) => probability)).toEqual([25, 100, 0, 50, 5]);
  });
});

describe("a list of stages", () => {
  test("is valid with one stage of each type, as the first pipeline of an account is", () => {
    expect(faultsOf(FIRST_STAGES)).toEqual([]);
    expect(new Set(FIRST_STAGES.map(({ type }) => type))).toEqual(new Set(STAGE_TYPES));
    expect(faultsOf([{ name: "New", type: "open" }, ...CLOSED])).toEqual([]);
  });

  test.each(STAGE_TYPES)("needs an %s stage", (type) => {
    expect(faultsOf(FIRST_STAGES.filter((one) => one.type !== type))).toEqual(["#/stages stage_missing"]);
  });

  test("has no name twice, whatever its case, and no id twice", () => {
    expect(faultsOf([{ name: "won", type: "open" }, ...CLOSED])).toEqual(["#/stages/1/name duplicate_stage"]);
    const twice = { id: "a", type: "open" } as const;
    expect(faultsOf([{ ...twice, name: "A" }, { ...twice, name: "B" }, ...CLOSED], CURRENT)).toEqual([
      "#/stages/1/id duplicate_stage",
    ]);
  });

  test("has only ids of the pipeline, with the types they have", () => {
    expect(faultsOf([{ id: "z", name: "A", type: "open" }, ...CLOSED], CURRENT)).toEqual(["#/stages/0/id unknown_stage"]);
    expect(faultsOf([{ id: "a", name: "A", type: "won" }, { name: "B", type: "open" }, ...CLOSED], CURRENT)).toEqual([
      "#/stages/0/type type_stays",
    ]);
  });

  test.each([
    ["won", 100, []],
    ["won", 99, ["#/stages/1/probability fixed_by_type"]],
    ["lost", 0, []],
    ["lost", 1, ["#/stages/1/probability fixed_by_type"]],
    ["open", 1, []],
  ] as const)("has a %s stage with the probability %d: faults %j", (type, probability, faults) => {
    expect(faultsOf([{ name: "A", type: "open" }, { name: "B", type, probability }, ...CLOSED])).toEqual(faults);
  });

  test("requires fields of deals and custom fields that are there", () => {
    const needing = (...required_fields: string[]): StageInput[] => [{ name: "A", type: "open", required_fields }, ...CLOSED];
    expect(faultsOf(needing("plan", ...REQUIRABLE, "custom.budget"), [], ["budget", "other"])).toEqual([]);
    expect(faultsOf(needing("custom.budget", "custom.other"), [], ["other"])).toEqual([
      "#/stages/0/required_fields unknown_custom_field",
    ]);
  });

  test("is refused with at most fifty faults, the first as its detail", () => {
    const many = Array.from({ length: 60 }, (): StageInput => ({ name: "Same", type: "open" }));
    expect(faultsOf([...many, ...CLOSED])).toHaveLength(50);
    const refused = refusalOf(() => validateStages([], [...many, ...CLOSED], []));
    expect(refused?.message).toContain("Same");
  });
});

test("a field that a stage can require is named once", () => {
  expect(REQUIRABLE).toContain("amount_cents");
  expect(new Set(REQUIRABLE).size).toBe(REQUIRABLE.length);
});

test("no rule holds in a new pipeline", () => {
  expect(NO_RULES).toEqual({ no_skip: false, no_way_back: false, require_lost_reason: false });
});

test("a stage is found by its id, or by its name in any case", () => {
  const pipeline = { stages: [stage("stg_1", "open", { name: "New" }), stage("stg_2", "won", { name: "Won" })] } as Pipeline;
  expect(stageNamed(pipeline, "stg_2")?.name).toBe("Won");
  expect(stageNamed(pipeline, "WON")?.id).toBe("stg_2");
  expect(stageNamed(pipeline, "STG_2")).toBeUndefined();
  expect(stageNamed(pipeline, "Lost")).toBeUndefined();
});
