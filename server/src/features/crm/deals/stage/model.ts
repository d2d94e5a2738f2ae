import { fail } from "../../../../kernel/errors.ts";
import type { Account } from "../../../accounts/custom-fields/index.ts";
import { type Pipeline, type Stage, stageNamed } from "../../../accounts/pipelines/index.ts";
import { type Deal, type DealFields, refuseField, type StageState } from "../model.ts";

type RequestedStage = { stage_id?: string; stage?: string };

/** The stage that a request names by its id or its name; undefined when it names none. */
export function requestedStage(pipeline: Pipeline, { stage_id, stage }: RequestedStage): Stage | undefined {
  if (stage_id !== undefined && stage !== undefined) refuseField("stage", "not_both", "Send stage_id or stage, not both.");
  const requested = stage_id ?? stage;
  return requested === undefined ? undefined : (stageNamed(pipeline, requested) ?? refuseStage(pipeline, requested));
}

function refuseStage(pipeline: Pipeline, requested: string): never {
  const stages = pipeline.stages.map(({ name }) => name);
  fail("stage_not_in_pipeline", {
    detail: `The stage ${requested.slice(0, 100)} was not found in ${pipeline.name}. Its stages are ${stages.join(", ")}.`,
    meta: { pipeline_id: pipeline.id, stages },
  });
}

/** Refuses to move a deal that is no longer in the stage that the caller expects. */
export function checkExpectedStage(deal: Deal, expected: string | undefined): void {
  if (expected === undefined || expected === deal.stage_id || expected.toLowerCase() === deal.stage.toLowerCase()) return;
  fail("stage_conflict", {
    detail: `The deal is now in ${deal.stage}.`,
    meta: { stage_id: deal.stage_id, stage: deal.stage },
  });
}

/**
 * The state of a deal that enters a stage now. The clock of a machine may go back, but the times of a deal do not: each stage begins
 * when the previous one ends.
 */
export function stageStateIn(
  pipeline: Pipeline,
  stage: Stage,
  lost_reason: string | null,
  now: Date,
  before: Deal | null,
): StageState {
  const entered = new Date(Math.max(now.getTime(), Date.parse(before?.stage_entered_at ?? "") || 0)).toISOString();
  const won_at = stage.type === "won" ? entered : null;
  return {
    pipeline_id: pipeline.id,
    stage_id: stage.id,
    status: stage.type,
    stage_entered_at: entered,
    lost_reason: stage.type === "lost" ? lost_reason : null,
    won_at,
    lost_at: stage.type === "lost" ? entered : null,
    first_won_at: before?.first_won_at ?? won_at,
  };
}

/** The fields that a won sale requires, because its client is created from them. */
const REQUIRED_BY_WIN = ["company", "plan", "mrr_cents"];

type Violation = { rule: string; fields?: string[]; detail: string };
type Entering = DealFields & Pick<StageState, "lost_reason"> & Pick<Deal, "sale">;

/** Refuses a move that breaks the rules of a pipeline, with every violation. `from` is null for a new deal. */
export function checkStageRules(pipeline: Pipeline, from: string | null, to: Stage, deal: Entering, account: Account): void {
  const { rules, archived } = pipeline;
  const violations: Violation[] = [];
  if (archived) violations.push({ rule: "pipeline_archived", detail: `${pipeline.name} is archived and accepts no deals.` });
  if (rules.no_skip && skips(pipeline, from, to))
    violations.push({ rule: "no_skip", detail: `${to.name} is not the next stage.` });
  if (rules.no_way_back && goesBack(pipeline, from, to))
    violations.push({ rule: "no_way_back", detail: `${to.name} comes before the current stage.` });
  if (rules.require_lost_reason && to.type === "lost" && deal.lost_reason === null)
    violations.push({
      rule: "require_lost_reason",
      fields: ["lost_reason"],
      detail: "lost_reason is required to lose a deal.",
    });
  const needed = new Set([...to.required_fields, ...(deal.sale && to.type === "won" ? REQUIRED_BY_WIN : [])]);
  const fields = [...needed].filter((field) => isMissing(deal, field, account));
  if (fields.length > 0)
    violations.push({ rule: "required_fields", fields, detail: `${to.name} requires ${fields.join(", ")}.` });
  if (violations.length === 0) return;
  fail("stage_rule_violation", { detail: violations.map(({ detail }) => detail).join(" "), meta: { violations } });
}

/** Without skipping, a deal goes through the open stages one by one and is won from the last; it can be lost from any stage. */
function skips({ stages }: Pipeline, from: string | null, to: Stage): boolean {
  const current = stages.find(({ id }) => id === from);
  if (current === undefined || to.type === "lost") return false;
  const open = stages.filter(({ type }) => type === "open");
  if (to.type === "won") return current.type !== "won" && current !== open.at(-1);
  return current.type === "open" && open.indexOf(to) > open.indexOf(current) + 1;
}

function goesBack({ stages }: Pipeline, from: string | null, to: Stage): boolean {
  const at = stages.findIndex(({ id }) => id === from);
  return at >= 0 && to.type === "open" && (stages[at]?.type !== "open" || stages.indexOf(to) < at);
}

/** An archived custom field accepts no values, so it is never missing. */
function isMissing(deal: Entering, field: string, { fields }: Account): boolean {
  const key = /^custom\.(.+)$/.exec(field)?.[1];
  if (key !== undefined && fields.find((one) => one.key === key)?.archived !== false) return false;
  if (key !== undefined && !Object.hasOwn(deal.custom, key)) return true;
  const value = key === undefined ? deal[field as keyof DealFields] : deal.custom[key];
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
}
