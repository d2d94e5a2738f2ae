import { fail, notFound } from "../../../kernel/errors.ts";
import { actorOf } from "../../../kernel/principal.ts";
import { followProgress } from "../../../platform/http/progress.ts";
import type { Result } from "../../../platform/http/route.ts";
import type { Context } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { cancelMembers, requeueMembers } from "../deployments/index.ts";
import { requireCapacity } from "./create.commands.ts";
import { rolloutEnded } from "./events.ts";
import { ACTIVE, type Action, mayAct, phaseOf, withMoves } from "./model.ts";
import {
  excludeBatches,
  membersPage,
  paceOf,
  type Rollout,
  rolloutForUpdateOrNull,
  rolloutOrNull,
  rolloutsPage,
  saveRollout,
} from "./queries.ts";
import type { ResumeBody, RetryBody, RolloutDeploymentsQuery, RolloutListQuery } from "./schema.ts";

export async function getRollout(ctx: Context, id: string): Promise<Rollout> {
  return (await rolloutOrNull(ctx.db.byKey, ctx.scope.partner_id, id)) ?? notFound(id);
}

export function listRollouts(ctx: Context, query: RolloutListQuery): Promise<Result> {
  return rolloutsPage(ctx.db, ctx.scope, query);
}

export async function listDeployments(ctx: Context, id: string, query: RolloutDeploymentsQuery): Promise<Result> {
  return membersPage(ctx.db, await getRollout(ctx, id), query);
}

export async function getPace(ctx: Context, id: string): Promise<Result> {
  return paceOf(ctx.db, await getRollout(ctx, id));
}

/** Streams the progress of a rollout until it ends or waits for somebody. */
export function followRollout(ctx: Context, id: string): Promise<Result> {
  return followProgress(
    ctx,
    () => getRollout(ctx, id),
    ({ status }) => !ACTIVE.includes(status),
  );
}

/**
 * Does something to a rollout that nobody works on meanwhile: the batches under way have ended, and the next ones wait. An action that
 * changes nothing is not recorded.
 */
function act(ctx: Context, id: string, action: Action, change: (tx: Tx, rollout: Rollout) => Promise<Rollout>): Promise<Rollout> {
  return ctx.tx(async (tx) => {
    await excludeBatches(tx, id);
    const current = (await rolloutForUpdateOrNull(tx, ctx.scope.partner_id, id)) ?? notFound(id);
    if (!mayAct(current, action)) return current;
    const next = await change(tx, current);
    if (next === current) return current;
    const saved = await saveRollout(tx, next);
    recordRollout(tx, action, current, saved);
    return saved;
  });
}

/** Records a change of a rollout's status in the audit log, and tells that it has ended or was stopped. */
export function recordRollout(tx: Tx, verb: string, before: Rollout, after: Rollout): void {
  const told = TOLD.includes(after.status) && after.status !== before.status && !after.dry_run;
  const { status_reason } = after;
  const changes = {
    status: { from: before.status, to: after.status },
    ...(status_reason === null ? {} : { status_reason: { from: before.status_reason, to: status_reason } }),
  };
  record(tx, after, told ? [rolloutEnded(after)] : [], {
    action: `rollouts.${verb}`,
    target: after.id,
    client_id: null,
    changes,
  });
}

const TOLD: readonly string[] = ["completed", "completed_with_errors", "halted", "cancelled", "rolled_back"];

/** Pauses a rollout. Idempotent. */
export function pauseRollout(ctx: Context, id: string): Promise<Rollout> {
  return act(ctx, id, "pause", async (_tx, rollout) => ({ ...rollout, status: "paused", status_reason: null }));
}

/** Goes on with a rollout that is paused or halted. From now on it works for the caller. Idempotent. */
export function resumeRollout(ctx: Context, id: string, { max_failure_percent }: ResumeBody): Promise<Rollout> {
  return act(ctx, id, "resume", async (tx, rollout) => {
    await requireCapacity(tx, ctx.scope.partner_id);
    const bound = max_failure_percent ?? rollout.max_failure_percent;
    return { ...takenOver(ctx, rollout), max_failure_percent: bound, status: phaseOf(rollout) };
  });
}

const takenOver = (ctx: Context, rollout: Rollout): Rollout => ({
  ...rollout,
  status_reason: null,
  finished_at: null,
  worked_for: actorOf(ctx.principal).id,
});

/** Ends a rollout. What it has deployed stays. Idempotent. */
export function cancelRollout(ctx: Context, id: string): Promise<Rollout> {
  return act(ctx, id, "cancel", async (tx, rollout) => ({
    ...(await withoutQueued(tx, rollout)),
    status: "cancelled",
    status_reason: null,
    finished_at: tx.now,
  }));
}

async function withoutQueued(tx: Tx, rollout: Rollout): Promise<Rollout> {
  const { counts, canary_counts } = rollout;
  if (counts.queued === 0) return rollout;
  await cancelMembers(tx, rollout);
  const move = { from: "queued", to: "cancelled" } as const;
  return withMoves(rollout, [
    { ...move, canary: true, count: canary_counts.queued },
    { ...move, canary: false, count: counts.queued - canary_counts.queued },
  ]);
}

/** Queues again what has failed, and what was skipped if that is wanted. A rollout that is paused stays so. */
export function retryRollout(ctx: Context, id: string, { include_skipped = false }: RetryBody): Promise<Rollout> {
  return act(ctx, id, "retry", async (tx, rollout) => {
    const again = await requeueMembers(tx, rollout, include_skipped ? ["failed", "skipped"] : ["failed"]);
    if (again.length === 0) return rollout;
    if (!ACTIVE.includes(rollout.status)) await requireCapacity(tx, ctx.scope.partner_id);
    const moves = again.map(({ status, canary, count }) => ({ from: status, to: "queued", canary, count }) as const);
    const next = withMoves(takenOver(ctx, rollout), moves);
    return { ...next, status: rollout.status === "paused" ? "paused" : phaseOf(next) };
  });
}

/** Starts to roll back every deployment of a rollout. Those that are queued are cancelled. Idempotent. */
export function rollBackRollout(ctx: Context, id: string): Promise<Rollout> {
  return act(ctx, id, "rollback", async (tx, rollout) => {
    if (rollout.dry_run) refuseDryRun();
    const rest = await withoutQueued(tx, rollout);
    return { ...takenOver(ctx, rest), status: "rolling_back", rolled_back_at: tx.now };
  });
}

function refuseDryRun(): never {
  const detail = "The rollout is a dry run: there is nothing to roll back.";
  fail("deployment_not_revertible", { detail, meta: { reason: "dry_run" } });
}
