import { fail } from "../../../../kernel/errors.ts";
import type { Account } from "../../../accounts/custom-fields/index.ts";
import { type Pipeline, type Stage, stageNamed } from "../../../accounts/pipelines/index.ts";
import { type Deal, type DealFields, refuseField, type Standing } from "../model.ts";

type RequestedStage = { stage_id?: string; stage?: string };

/** The stage that is asked for by its id or by its name, undefined when none is. */
export function requestedStage(pipeline: Pipeline, { stage_id, stage }: RequestedStage): Stage | undefined {
  if (stage_id !== undefined && stage !== undefined) refuseField("stage", "not_both", "Send stage_id or stage, not both.");
  const meant = stage_id ?? stage;
  return meant === undefined ? undefined : (stageNamed(pipeline, meant) ?? refuseStage(pipeline, meant));
}

function refuseStage(pipeline: Pipeline, meant: string): never {
  const stages = pipeline.stages.map(({ name }) => name);
  fail("stage_not_in_pipeline", {
    detail: `There is no ${meant.slice(0, 100)} in ${pipeline.name}. Its stages are ${stages.join(", ")}.`,
    meta: { pipeline_id: pipeline.id, stages },
  });
}

/** Refuses a move of a deal that is no longer where the caller saw it. */
export function requireExpectedStage(deal: Deal, expected: string | undefined): void {
  if (expected === undefined || expected === deal.stage_id || expected.toLowerCase() === deal.stage.toLowerCase()) return;
  fail("stage_conflict", {
    detail: `The deal is in ${deal.stage} by now.`,
    meta: { stage_id: deal.stage_id, stage: deal.stage },
  });
}

/**
 * A deal as it stands in a stage from now on. The clock of a machine may go back, but the times of a deal do not: where one stage
 * ends the next begins.
 */
export function standingIn(
  pipeline: Pipeline,
  stage: Stage,
  lost_reason: string | null,
  now: Date,
  before: Deal | null,
): Standing {
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

/** What a sale must have to be won: the client, its plan and its price are made of it. */
const WON_SALE = ["company", "plan", "mrr_cents"];

type Violation = { rule: string; fields?: string[]; detail: string };
type Entering = DealFields & Pick<Standing, "lost_reason"> & Pick<Deal, "sale">;

/** Refuses what the rules of a pipeline do not allow, with all that is in the way. `from` is null for a deal from elsewhere. */
export function checkStageRules(pipeline: Pipeline, from: string | null, to: Stage, deal: Entering, account: Account): void {
  const { rules, archived } = pipeline;
  const violations: Violation[] = [];
  if (archived) violations.push({ rule: "pipeline_archived", detail: `${pipeline.name} is archived and takes no deals.` });
  if (rules.no_skip && skips(pipeline, from, to))
    violations.push({ rule: "no_skip", detail: `${to.name} is not the next stage.` });
  if (rules.no_way_back && goesBack(pipeline, from, to))
    violations.push({ rule: "no_way_back", detail: `${to.name} comes before where the deal is.` });
  if (rules.require_lost_reason && to.type === "lost" && deal.lost_reason === null)
    violations.push({
      rule: "require_lost_reason",
      fields: ["lost_reason"],
      detail: "A deal is lost for a reason: send lost_reason.",
    });
  const needed = new Set([...to.required_fields, ...(deal.sale && to.type === "won" ? WON_SALE : [])]);
  const fields = [...needed].filter((field) => isMissing(deal, field, account));
  if (fields.length > 0) violations.push({ rule: "required_fields", fields, detail: `${to.name} needs ${fields.join(", ")}.` });
  if (violations.length === 0) return;
  fail("stage_rule_violation", { detail: violations.map(({ detail }) => detail).join(" "), meta: { violations } });
}

/** Forward means one open stage after the other, and a win from the last; a deal can be lost from anywhere. */
function skips({ stages }: Pipeline, from: string | null, to: Stage): boolean {
  const open = stages.filter(({ type }) => type === "open");
  const at = open.findIndex(({ id }) => id === from);
  if (at < 0 || to.type === "lost") return false;
  return to.type === "won" ? at < open.length - 1 : open.indexOf(to) > at + 1;
}

function goesBack({ stages }: Pipeline, from: string | null, to: Stage): boolean {
  const at = stages.findIndex(({ id }) => id === from);
  return at >= 0 && to.type === "open" && (stages[at]?.type !== "open" || stages.indexOf(to) < at);
}

/** A field of the account that is archived takes no values any more, so nobody can be asked for one. */
function isMissing(deal: Entering, field: string, { fields }: Account): boolean {
  const key = /^custom\.(.+)$/.exec(field)?.[1];
  if (key !== undefined && fields.find((one) => one.key === key)?.archived !== false) return false;
  const value = key === undefined ? deal[field as keyof DealFields] : deal.custom[key];
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
}
