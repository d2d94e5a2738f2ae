import { Refusal } from "../../../kernel/errors.ts";
import { isRetryable, isUnreachable } from "../../../platform/db/connection.ts";
import { type Context, createContext, type Services } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import {
  claimMember,
  claimMembers,
  countAttempt,
  type Failure,
  type RolloutMember,
  settleMembers,
} from "../deployments/index.ts";
import { type NextRollout, plansFound } from "./batch.queries.ts";
import { recordRollout } from "./commands.ts";
import { workMembers } from "./members.commands.ts";
import { ATTEMPTS_MAX, advanced, type Move, phaseOf, withMoves } from "./model.ts";
import { excludeBatches, type Rollout, rolloutForUpdateOrNull, rolloutOrNull, saveRollout, shareRollout } from "./queries.ts";

/** The members of a batch: more would be hardly faster, and would hold their locks longer. */
const BATCH = 50;

/** The rollout was stopped while a batch was under way: the batch is undone. */
class Stopped extends Error {}

type Step = {
  claim(tx: Tx, rollout: Rollout): Promise<RolloutMember[]>;
  work(tx: Tx, rollout: Rollout, members: readonly RolloutMember[]): Promise<Move[]>;
};

/**
 * Does the next batch of a rollout in one transaction with its counts: after a crash, it is either done or not. Any number of processes
 * do this at once. False when there was nothing to do.
 */
export async function workRollout(services: Services, next: NextRollout, failed: (error: unknown) => void): Promise<boolean> {
  const ctx = createContext(services, { principal: { type: "system", partner_id: next.partner_id } });
  if (next.status === "queued") return startRollout(ctx, next);
  let claimed: RolloutMember[] = [];
  const step: Step = {
    async claim(tx, rollout) {
      claimed = await claimMembers(tx, rollout, phaseOf(rollout), BATCH);
      return claimed;
    },
    work: (tx, rollout, members) => workMembers(ctx, tx, rollout, members),
  };
  try {
    if (await runStep(services, ctx, next, step)) return true;
    return next.status === "rolling_back" && finishRollback(ctx, next);
  } catch (error) {
    if (isTransient(error) || claimed.length === 0) throw error;
    failed(error);
  }
  for (const { id } of claimed) await workAlone(services, ctx, next, id, failed);
  return true;
}

const isTransient = (error: unknown) => isUnreachable(error) || isRetryable(error);

/** Does one member of a batch that failed as a whole. What keeps failing fails the member. */
async function workAlone(
  services: Services,
  ctx: Context,
  next: NextRollout,
  id: string,
  failed: (error: unknown) => void,
): Promise<void> {
  const claim: Step["claim"] = (tx, rollout) => claimMember(tx, rollout, id, phaseOf(rollout));
  try {
    await runStep(services, ctx, next, { claim, work: (tx, rollout, members) => workMembers(ctx, tx, rollout, members) });
  } catch (error) {
    if (isTransient(error)) throw error;
    const refused = error instanceof Refusal;
    if (!refused && (await countAttempt(ctx.db, next, id)) < ATTEMPTS_MAX) return;
    if (!refused) failed(error);
    const { code, message } = refused ? error : new Refusal("internal_error");
    await runStep(services, ctx, next, {
      claim,
      work: (tx, rollout, members) => giveUp(tx, rollout, members, { code, detail: message }),
    });
  }
}

async function giveUp(
  tx: Tx,
  { partner_id, status }: Rollout,
  members: readonly RolloutMember[],
  failure: Failure,
): Promise<Move[]> {
  const reverting = status === "rolling_back";
  await settleMembers(
    tx,
    partner_id,
    members.map(({ id }) => ({ id, status: reverting ? null : ("failed" as const), failure })),
  );
  return reverting ? [] : members.map(({ canary }) => ({ from: "queued", to: "failed", canary }));
}

/**
 * One transaction: admission, the rollout's lock, members, their work, the counts. The counts come last, because the row that they are in
 * is the one that all batches of a rollout write.
 */
async function runStep(services: Services, ctx: Context, next: NextRollout, { claim, work }: Step): Promise<boolean> {
  const { partner_id, id, worked_for } = next;
  const run = async (tx: Tx): Promise<boolean> => {
    // Before the rollout's lock, as a request has it: in the other order a pause, a revocation and a batch could deadlock.
    const refusal = worked_for === "system" ? null : await admission(services, tx, next);
    const [, rollout] = await Promise.all([shareRollout(tx, id), rolloutOrNull(tx, partner_id, id)]);
    if (rollout === null || rollout.status !== next.status || rollout.worked_for !== worked_for) return false;
    if (refusal !== null) return halt(tx, rollout, refusal);
    const members = await claim(tx, rollout);
    if (members.length === 0) return false;
    await count(tx, rollout, await work(tx, rollout, members));
    return true;
  };
  return ctx.tx(run).catch((error: unknown) => {
    if (error instanceof Stopped) return true;
    throw error;
  });
}

/** Why the key or user that asked for a rollout may no longer have it worked on. */
async function admission(services: Services, tx: Tx, { partner_id, worked_for }: NextRollout): Promise<Refusal | null> {
  const work = { partner_id, by: worked_for, scope: "snapshots:deploy", accounts: "all" } as const;
  try {
    await services.admitWork(tx, work, tx.now);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

async function rolloutForStep(tx: Tx, { partner_id, id, status }: Rollout): Promise<Rollout> {
  const current = await rolloutForUpdateOrNull(tx, partner_id, id);
  if (current === null || current.status !== status) throw new Stopped();
  return current;
}

async function halt(tx: Tx, rollout: Rollout, { code }: Refusal): Promise<boolean> {
  const current = await rolloutForStep(tx, rollout);
  const saved = await saveRollout(tx, { ...current, status: "halted", status_reason: code });
  recordRollout(tx, "halt", current, saved);
  return true;
}

/** Adds what a batch has moved to the counts, and takes the rollout where they lead. */
async function count(tx: Tx, rollout: Rollout, moves: readonly Move[]): Promise<void> {
  const current = await rolloutForStep(tx, rollout);
  if (current.status === "rolling_back") {
    await saveRollout(tx, withMoves(current, moves));
    return;
  }
  const next = advanced(current, moves);
  const over = next.counts.queued === 0;
  const plans = over && next.dry_run ? await plansFound(tx, next) : null;
  const saved = await saveRollout(tx, over ? { ...next, finished_at: tx.now } : next, plans);
  if (over) recordRollout(tx, "complete", current, saved);
  else if (saved.status === "halted") recordRollout(tx, "halt", current, saved);
}

function startRollout(ctx: Context, { partner_id, id }: NextRollout): Promise<boolean> {
  return ctx.tx(async (tx) => {
    const rollout = await rolloutForUpdateOrNull(tx, partner_id, id);
    if (rollout?.status === "queued") await saveRollout(tx, { ...rollout, status: phaseOf(rollout) });
    return true;
  });
}

/** Ends a rollback that has nothing left to do, once no batch is under way. */
function finishRollback(ctx: Context, { partner_id, id }: NextRollout): Promise<boolean> {
  return ctx.tx(async (tx) => {
    await excludeBatches(tx, id);
    const rollout = await rolloutForUpdateOrNull(tx, partner_id, id);
    if (rollout?.status !== "rolling_back") return true;
    if ((await claimMembers(tx, rollout, "rolling_back", 1)).length > 0) return true;
    const saved = await saveRollout(tx, { ...rollout, status: "rolled_back", finished_at: tx.now });
    recordRollout(tx, "complete_rollback", rollout, saved);
    return true;
  });
}
