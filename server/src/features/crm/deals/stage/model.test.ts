import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../../test/harness/refusal.ts";
import type { Account } from "../../../accounts/custom-fields/index.ts";
import type { Pipeline, Stage } from "../../../accounts/pipelines/index.ts";
import type { Deal } from "../model.ts";
import { checkExpectedStage, checkStageRules, requestedStage, stageStateIn } from "./model.ts";

const stage = (id: string, type: Stage["type"], required_fields: string[] = []): Stage => ({
  id,
  name: id.toUpperCase(),
  type,
  probability: 50,
  required_fields,
  target_days: null,
});
const STAGES = {
  a: stage("a", "open"),
  b: stage("b", "open"),
  c: stage("c", "open"),
  won: stage("won", "won"),
  paid: stage("paid", "won"),
  lost: stage("lost", "lost"),
};
type Name = keyof typeof STAGES;
const RULES = { no_skip: false, no_way_back: false, require_lost_reason: false };
const pipeline = (rules: Partial<Pipeline["rules"]> = {}, archived = false) =>
  ({ id: "ppl_1", name: "Sales", stages: Object.values(STAGES), rules: { ...RULES, ...rules }, archived }) as Pipeline;

const DEAL = { sale: false, lost_reason: null, company: null, plan: null, mrr_cents: null, tags: [], custom: {} };
type Entering = Parameters<typeof checkStageRules>[3];
const entering = (fields: object = {}) => ({ ...DEAL, ...fields }) as unknown as Entering;
const account = (...fields: { key: string; archived: boolean }[]) => ({ fields }) as unknown as Account;

/** The rules that a move breaks, with the fields that are missing. */
function broken(of: Pipeline, from: Name | null, to: Stage, deal = entering(), into = account()) {
  const refused = refusalOf(() => checkStageRules(of, from, to, deal, into));
  if (refused === null) return [];
  expect(refused.code).toBe("stage_rule_violation");
  return (refused.meta.violations as { rule: string; fields?: string[] }[]).map(({ rule, fields = [] }) =>
    [rule, ...fields].join(" "),
  );
}

describe("the stage of a request", () => {
  test("is named by its id or its name, or not at all", () => {
    expect(requestedStage(pipeline(), { stage_id: "b" })?.id).toBe("b");
    expect(requestedStage(pipeline(), { stage: "Lost" })?.id).toBe("lost");
    expect(requestedStage(pipeline(), {})).toBeUndefined();
  });

  test("is named in one way, and must be in the pipeline", () => {
    expect(refusalOf(() => requestedStage(pipeline(), { stage_id: "b", stage: "B" }))).toMatchObject({
      code: "validation_failed",
      faults: ["#/stage not_both"],
    });
    const refused = refusalOf(() => requestedStage(pipeline(), { stage: "z".repeat(200) }));
    expect(refused).toMatchObject({
      code: "stage_not_in_pipeline",
      meta: { pipeline_id: "ppl_1", stages: ["A", "B", "C", "WON", "PAID", "LOST"] },
    });
    expect(refused?.message).toContain(` ${"z".repeat(100)} was not found in Sales`);
    expect(refused?.message).toContain("A, B, C, WON, PAID, LOST");
  });
});

test("a deal moves from the stage that the caller expects, by its id or by its name in any case", () => {
  const deal = { stage_id: "stg_1", stage: "New" } as Deal;
  for (const expected of [undefined, "stg_1", "new", "New"])
    expect(refusalOf(() => checkExpectedStage(deal, expected))).toBeNull();
  expect(refusalOf(() => checkExpectedStage(deal, "Won"))).toMatchObject({
    code: "stage_conflict",
    meta: { stage_id: "stg_1", stage: "New" },
  });
  expect(refusalOf(() => checkExpectedStage(deal, "STG_1"))?.code).toBe("stage_conflict");
});

describe("the state of a deal in a stage", () => {
  const now = new Date("2026-11-02T09:30:00.000Z");
  const [at, later] = [now.toISOString(), "2026-11-03T00:00:00.000Z"];
  const common = {
    pipeline_id: "ppl_1",
    stage_entered_at: at,
    lost_reason: null,
    won_at: null,
    lost_at: null,
    first_won_at: null,
  };

  test("has the times and the reason of its type", () => {
    expect(stageStateIn(pipeline(), STAGES.a, "dear", now, null)).toEqual({ ...common, stage_id: "a", status: "open" });
    expect(stageStateIn(pipeline(), STAGES.won, "dear", now, null)).toEqual({
      ...common,
      stage_id: "won",
      status: "won",
      won_at: at,
      first_won_at: at,
    });
    expect(stageStateIn(pipeline(), STAGES.lost, "dear", now, null)).toEqual({
      ...common,
      stage_id: "lost",
      status: "lost",
      lost_reason: "dear",
      lost_at: at,
    });
  });

  test("keeps the time of its first win", () => {
    const before = { stage_entered_at: at, first_won_at: "2026-01-01T00:00:00.000Z" } as Deal;
    expect(stageStateIn(pipeline(), STAGES.won, null, now, before)).toMatchObject({
      won_at: at,
      first_won_at: "2026-01-01T00:00:00.000Z",
    });
    expect(stageStateIn(pipeline(), STAGES.a, null, now, before).first_won_at).toBe("2026-01-01T00:00:00.000Z");
  });

  test("never begins before the previous one, even if the clock goes back", () => {
    const before = { stage_entered_at: later, first_won_at: null } as Deal;
    expect(stageStateIn(pipeline(), STAGES.won, null, now, before)).toMatchObject({ stage_entered_at: later, won_at: later });
  });
});

describe("a pipeline without skipping", () => {
  test.each<[Name | null, Name, boolean]>([
    ["a", "b", true],
    ["a", "c", false],
    ["a", "won", false],
    ["b", "won", false],
    ["c", "won", true],
    ["c", "a", true],
    ["a", "lost", true],
    ["c", "lost", true],
    ["lost", "c", true],
    ["lost", "won", false],
    ["won", "paid", true],
    ["won", "c", true],
    [null, "c", true],
    [null, "won", true],
  ])("takes a deal from %j to %s: %j", (from, to, allowed) => {
    expect(broken(pipeline({ no_skip: true }), from, STAGES[to])).toEqual(allowed ? [] : ["no_skip"]);
    expect(broken(pipeline(), from, STAGES[to])).toEqual([]);
  });
});

describe("a pipeline without a way back", () => {
  test.each<[Name | null, Name, boolean]>([
    ["b", "a", false],
    ["b", "b", true],
    ["b", "c", true],
    ["c", "a", false],
    ["won", "a", false],
    ["lost", "c", false],
    ["won", "lost", true],
    ["lost", "won", true],
    ["c", "won", true],
    [null, "a", true],
  ])("takes a deal from %j to %s: %j", (from, to, allowed) => {
    expect(broken(pipeline({ no_way_back: true }), from, STAGES[to])).toEqual(allowed ? [] : ["no_way_back"]);
    expect(broken(pipeline(), from, STAGES[to])).toEqual([]);
  });
});

describe("a stage", () => {
  test("is lost with a reason, where the pipeline requires one", () => {
    const strict = pipeline({ require_lost_reason: true });
    expect(broken(strict, "a", STAGES.lost)).toEqual(["require_lost_reason lost_reason"]);
    expect(broken(strict, "a", STAGES.lost, entering({ lost_reason: "dear" }))).toEqual([]);
    expect(broken(strict, "a", STAGES.b)).toEqual([]);
    expect(broken(pipeline(), "a", STAGES.lost)).toEqual([]);
  });

  test.each([null, undefined, "", []])("lacks a field that is %j", (value) => {
    expect(broken(pipeline(), null, stage("x", "open", ["notes"]), entering({ notes: value }))).toEqual([
      "required_fields notes",
    ]);
  });

  test.each(["text", 0, false, ["a"]])("has a field that is %j", (value) => {
    expect(broken(pipeline(), null, stage("x", "open", ["notes"]), entering({ notes: value }))).toEqual([]);
  });

  test("requires custom fields that accept values", () => {
    const needing = stage("x", "open", ["custom.live", "custom.old", "custom.gone"]);
    const into = account({ key: "old", archived: true }, { key: "live", archived: false });
    expect(broken(pipeline(), null, needing, entering(), into)).toEqual(["required_fields custom.live"]);
    expect(broken(pipeline(), null, needing, entering({ custom: { live: 1 } }), into)).toEqual([]);
  });

  test("that wins a sale requires what its client is created from, each field once", () => {
    const sale = entering({ sale: true, plan: "Growth" });
    expect(broken(pipeline(), null, STAGES.won, sale)).toEqual(["required_fields company mrr_cents"]);
    expect(broken(pipeline(), null, stage("x", "won", ["company"]), sale)).toEqual(["required_fields company mrr_cents"]);
    expect(broken(pipeline(), null, STAGES.a, sale)).toEqual([]);
    expect(broken(pipeline(), null, STAGES.won, entering())).toEqual([]);
  });

  test("of an archived pipeline takes no deal, and every violation is told at once", () => {
    const strict = pipeline({ no_skip: true, no_way_back: true }, true);
    expect(broken(strict, "a", STAGES.c)).toEqual(["pipeline_archived", "no_skip"]);
    const refused = refusalOf(() => checkStageRules(strict, "a", STAGES.c, entering(), account()));
    expect(refused?.message).toContain("Sales is archived");
    expect(refused?.message).toContain(". C is not the next stage.");
  });
});
