import { actorOf } from "../../../../kernel/principal.ts";
import { changesBetween } from "../../../../platform/record/audit.ts";
import type { Context } from "../../../../platform/record/context.ts";
import { recordChange, type Tx } from "../../../../platform/record/tx.ts";
import { type Account, accountForChange } from "../../../accounts/custom-fields/index.ts";
import { pipelineFor, type Stage } from "../../../accounts/pipelines/index.ts";
import { getDeal, lockDeal } from "../commands.ts";
import { AUDITED, type Deal, type Move, PERSONAL, refuseField } from "../model.ts";
import { saveDeal } from "../queries.ts";
import { checkNotClosed } from "../registration/model.ts";
import { moveSale, recordWin } from "../sale.commands.ts";
import { dealStageChanged } from "../sale.events.ts";
import { checkExpectedStage, checkStageRules, requestedStage, stageStateIn } from "./model.ts";
import { enterStage, historyPage } from "./queries.ts";
import type { StageMove } from "./schema.ts";

export function changeStage(ctx: Context, id: string, move: StageMove): Promise<Deal> {
  return ctx.tx(async (tx) => {
    const before = await lockDeal(ctx, tx, id);
    const account = await accountForChange(ctx, tx, "deal", before.account_id);
    return moveDeal(ctx, tx, account, before, move);
  });
}

/** Moves a locked deal to another stage; the same object when it is already there. */
export async function moveDeal(ctx: Context, tx: Tx, account: Account, before: Deal, move: StageMove): Promise<Deal> {
  const { pipeline_id = before.pipeline_id, expected_stage, lost_reason = null, note = null, dry_run = false } = move;
  checkExpectedStage(before, expected_stage);
  const pipeline = await pipelineFor(ctx, tx, account.id, pipeline_id);
  const stage = requestedStage(pipeline, move) ?? refuseField("stage", "stage_or_stage_id", "stage or stage_id is required.");
  if (stage.id === before.stage_id) return before;
  checkNotClosed(before.registration);
  const after = { ...before, ...stageStateIn(pipeline, stage, lost_reason, tx.now, before), stage: stage.name };
  checkStageRules(pipeline, before.stage_id, stage, after, account);
  if (dry_run) return previewMove(after, stage);
  const detail = describeMove(before, after);
  if (account.house) recordMove(ctx, tx, before, after, detail);
  const saved = await saveMove(ctx, tx, before, before.sale ? await moveSale(ctx, tx, before, after) : after);
  if (saved.sale) await recordWin(ctx, tx, before, saved);
  await enterStage(tx, ctx.scope, saved, actorOf(ctx.principal).id, note);
  const changes = changesBetween(before, saved, AUDITED, PERSONAL);
  recordChange(tx, ctx.scope, { resource: "deal", change: "moved", ...saved, detail }, { action: "deals.move", changes });
  return saved;
}

/** Moves in the house account are events; those in a client's account are the client's own business. */
function recordMove(ctx: Context, tx: Tx, before: Deal, after: Deal, move: Move): void {
  const { partner_id } = ctx.scope;
  const next = { ...after, version: before.version + 1 };
  tx.tell(partner_id, { events: [dealStageChanged(partner_id, next, move, actorOf(ctx.principal).id)] });
}

function describeMove(before: Deal, after: Deal): Move {
  return {
    pipeline_id: after.pipeline_id,
    from_stage_id: before.stage_id,
    from_stage: before.stage,
    to_stage_id: after.stage_id,
    to_stage: after.stage,
    stage_type: after.status,
    days_in_stage: before.days_in_stage,
  };
}

/** A deal as a move would leave it, except for its version. */
function previewMove(after: Deal, { name, type, probability }: Stage): Deal {
  const { pipeline_id, stage_id, status, stage_entered_at, lost_reason, won_at, lost_at } = after;
  const state = { pipeline_id, stage_id, stage: name, stage_type: type, status, probability, stage_entered_at };
  const shown = { ...JSON.parse(after.json), ...state, days_in_stage: 0, lost_reason, won_at, lost_at };
  return { ...after, json: JSON.stringify(shown) };
}

async function saveMove(ctx: Context, tx: Tx, before: Deal, after: Deal): Promise<Deal> {
  const saved = await saveDeal(tx, ctx.scope, before, after);
  if (saved === null) throw new Error("a move does not change the external id");
  return saved;
}

export async function getHistory(ctx: Context, id: string, paging: { limit?: number; cursor?: string }) {
  await getDeal(ctx, id);
  return historyPage(ctx.db, ctx.scope, id, ctx.clock.now(), paging);
}
