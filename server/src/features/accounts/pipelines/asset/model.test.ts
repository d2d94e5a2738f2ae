import { describe, expect, test } from "vitest";
import type { Spec } from "../../configuring/index.ts";
import { type PipelineSpec, pipelineRules } from "./model.ts";

type Given = { key?: string; name: string; type: string; probability?: number; required_fields?: string[] };
const CLOSED: Given[] = [
  { key: "won", name: "Won", type: "won" },
  { key: "lost", name: "Lost", type: "lost" },
];
const of = (...stages: Given[]): PipelineSpec =>
  pipelineRules.complete({ name: "Sales", stages: [...stages, ...CLOSED] } as Spec);
const faultsOf = (spec: Spec, previous: Spec | null = null) =>
  pipelineRules.validate(spec, previous).map(({ pointer, code }) => `${pointer} ${code}`);

const NEW: Given = { key: "new", name: "New", type: "open" };

describe("a pipeline of a snapshot", () => {
  test("has every member, and required fields in one order", () => {
    const { stages, ...rest } = of({ ...NEW, required_fields: ["tags", "company"] });
    expect(rest).toEqual({
      name: "Sales",
      is_default: false,
      rules: { no_skip: false, no_way_back: false, require_lost_reason: false },
    });
    expect(stages).toEqual([
      { ...NEW, probability: 50, required_fields: ["company", "tags"], target_days: null },
      { ...CLOSED[0], probability: 100, required_fields: [], target_days: null },
      { ...CLOSED[1], probability: 0, required_fields: [], target_days: null },
    ]);
  });

  test("is valid with one stage of each type, also where one that was made in an account has no key", () => {
    expect(faultsOf(of(NEW))).toEqual([]);
    expect(faultsOf(of(NEW, { name: "Own", type: "open" }, { name: "Other", type: "open" }))).toEqual([]);
    expect(pipelineRules.builtin.map((spec) => faultsOf(spec))).toEqual([[]]);
    expect(faultsOf(of())).toEqual(["/stages stage_missing"]);
  });

  test("has each key and each name once, and stages keep their types from version to version", () => {
    expect(faultsOf(of(NEW, { ...NEW, name: "NEW" }))).toEqual(["/stages/1/name duplicate_stage", "/stages/1/key duplicate_key"]);
    expect(faultsOf(of(NEW), of({ ...NEW, name: "Old" }))).toEqual([]);
    const [first, won, lost] = of({ ...NEW, key: "won" }).stages;
    const spec = { ...of(NEW), stages: [first, { ...won, key: "done" }, lost] } as Spec;
    expect(faultsOf(spec, of(NEW))).toEqual(["/stages/0/type type_stays"]);
  });

  test("refers to custom fields of deals, and leaves an account without what only sales have", () => {
    const spec = of({ ...NEW, required_fields: ["plan", "custom.budget", "mrr_cents"] });
    expect(pipelineRules.references(spec)).toEqual([
      { pointer: "/stages/0/required_fields/0", type: "custom_field", key: "deal.budget" },
    ]);
    expect(faultsOf(spec)).toEqual(["/stages/0/required_fields/1 only_of_sales", "/stages/0/required_fields/2 only_of_sales"]);
    const { spec: kept, left_out } = pipelineRules.portable(spec);
    expect(kept).toEqual(of({ ...NEW, required_fields: ["custom.budget"] }));
    expect(left_out).toEqual([
      "The stage New requires mrr_cents, which only sales of the partner have.",
      "The stage New requires plan, which only sales of the partner have.",
    ]);
  });

  test("is told apart by its name in any case, and so are its stages", () => {
    expect(pipelineRules.natural(of(NEW))).toBe("sales");
    expect(pipelineRules.merge.stages.name(of(NEW).stages[0] ?? null)).toBe("new");
  });
});
