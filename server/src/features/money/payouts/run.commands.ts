import { fail, notFound } from "../../../kernel/errors.ts";
import { actorOf } from "../../../kernel/principal.ts";
import { isLockedOut, isRetryable, isUnreachable, StaleRead } from "../../../platform/db/connection.ts";
import type { Queryable } from "../../../platform/db/statement.ts";
import { takeTurn } from "../../../platform/db/turn.ts";
import { followProgress } from "../../../platform/http/progress.ts";
import type { Result } from "../../../platform/http/route.ts";
import { type Context, createContext, type Services } from "../../../platform/record/context.ts";
import { record, type Tx, unlessTaken } from "../../../platform/record/tx.ts";
import {
  approveDue,
  type Claimed,
  claim,
  claimableOf,
  countPayable,
  type Due,
  Journal,
  type LastRun,
  payablePartners,
} from "../commissions/index.ts";
import { takeStatements } from "../ledger/index.ts";
import { payoutScheduled } from "./events.ts";
import { currentMethod, type PayoutMethod } from "./methods/queries.ts";
import { type BlockerCode, blockersOf, netOf, type PartnerState } from "./model.ts";
import { insertAttempt, insertPayout, type Payout, partnerState, payoutsOfRun } from "./queries.ts";
import { insertRun, isToDo, type Run, runBefore, runningRun, runOrNull, saveProgress, scheduledBetween } from "./run.queries.ts";

/** When a run was asked for: by a person or a key, or by the schedule. */
export type NewRun = { cutoff: Date; scheduled_for: Date; slot: string | null };

/** Starts a run. One runs at a time; a slot of the schedule has one run at most. */
export async function openRun(ctx: Context, tx: Tx, { cutoff, scheduled_for, slot }: NewRun): Promise<string | null> {
  const id = tx.newId("payout_run");
  const partners_total = await countPayable(tx, cutoff);
  const run = { id, slot: slot ?? id, cutoff, scheduled_for, created_by: actorOf(ctx.principal).id, created_at: tx.now };
  const opened = await unlessTaken(tx, async () => {
    await insertRun(tx, { ...run, partners_total });
    return true;
  });
  return opened === null ? null : id;
}

/** Starts a run by hand. */
export function startRun(ctx: Context, input: { cutoff?: string; scheduled_for?: string }): Promise<string> {
  return ctx.tx(async (tx) => {
    const cutoff = input.cutoff === undefined ? tx.now : new Date(input.cutoff);
    if (cutoff > tx.now) refuseFuture();
    const scheduled_for = input.scheduled_for === undefined ? tx.now : new Date(input.scheduled_for);
    const id = await openRun(ctx, tx, { cutoff, scheduled_for, slot: null });
    if (id === null) return refuseSecond(tx);
    record(tx, ctx.scope, [], { action: "payout_runs.start", target: id, client_id: null });
    return id;
  });
}

async function refuseSecond(tx: Tx): Promise<never> {
  const running = await runningRun(tx);
  if (running === null) throw new StaleRead("the run that was in progress has finished");
  fail("payout_run_in_progress", { meta: { run_id: running.id } });
}

export function refuseFuture(): never {
  const detail = "The cutoff must not be in the future: what becomes due later is in the next run.";
  fail("validation_failed", { detail, faults: [{ in: "body", pointer: "#/cutoff", code: "future", detail }] });
}

export async function getRun(ctx: Context, id: string) {
  return (await runOrNull(ctx.db.byKey, id)) ?? notFound(id);
}

/** Streams the progress of a run until it has finished. */
export function followRun(ctx: Context, id: string): Promise<Result> {
  return followProgress(
    ctx,
    () => getRun(ctx, id),
    ({ state }) => state === "finished",
  );
}

const STEP = 100;
const AT_ONCE = 8;

/**
 * Runs the next step of the current run, if there is one: a transaction for each of the next partners, then the progress. A step that
 * is repeated, after a crash or by another process, finds what it has done and pays nobody again.
 */
export async function workRun(services: Services, stopping: AbortSignal, failed: (error: unknown) => void): Promise<boolean> {
  const run = await runningRun(services.db);
  if (run === null) return false;
  const partners = await payablePartners(services.db, run.cursor, run.cutoff, STEP);
  const before = await runBefore(services.db, run.id, run.created_at);
  const blocked = { ...run.blocked };
  const queue = partners.values();
  const work = async () => {
    for (const { partner_id, pending } of queue) {
      if (stopping.aborted) return;
      for (const code of await payPartner(services, run, before, partner_id, pending, failed))
        blocked[code] = (blocked[code] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (stopping.aborted) return false;
  const done = partners.map(({ partner_id }) => partner_id);
  const finished_at = done.length === 0 ? services.clock.now() : null;
  await services.db.transaction(() => ({
    open: (tx) => takeTurn(tx, run.id),
    run: async (tx) => saveProgress(tx, run, { ...(await progressOf(tx, run, done)), blocked }, finished_at),
    close: () => [],
  }));
  return true;
}

/**
 * How far a run is after some partners; after none, at its end. What a step had scheduled before it was broken off is counted, too:
 * such partners have nothing due, and are not among those of the next step.
 */
async function progressOf(tx: Queryable, run: Run, done: readonly string[]): Promise<Run> {
  const last = done.at(-1) ?? null;
  const made = await scheduledBetween(tx, run.id, run.cursor, last);
  const scheduled = { ...run.scheduled };
  for (const { currency, net_cents } of made) {
    const known = scheduled[currency] ?? { payouts: 0, net_cents: 0 };
    scheduled[currency] = { payouts: known.payouts + 1, net_cents: known.net_cents + net_cents };
  }
  const { size } = new Set([...done, ...made.map(({ partner_id }) => partner_id)]);
  return { ...run, cursor: last ?? run.cursor, partners_done: run.partners_done + size, scheduled };
}

/**
 * Schedules the payouts of a partner, and gives what blocked it. What may pass by itself ends the step, which is then repeated; a partner
 * whose payout fails for another reason is left for the next run.
 */
async function payPartner(
  services: Services,
  run: Run,
  before: LastRun | null,
  partner_id: string,
  pending: boolean,
  failed: (error: unknown) => void,
): Promise<(BlockerCode | "internal_error")[]> {
  const ctx = createContext(services, { principal: { type: "system", partner_id } });
  try {
    if (pending) await approveDue(ctx, partner_id, run.cutoff);
    return await ctx.tx((tx) => schedulePayouts(ctx, tx, run, before, partner_id));
  } catch (error) {
    if (isUnreachable(error) || isRetryable(error) || isLockedOut(error)) throw error;
    failed(error);
    return ["internal_error"];
  }
}

async function schedulePayouts(
  ctx: Context,
  tx: Tx,
  run: Run,
  before: LastRun | null,
  partner_id: string,
): Promise<BlockerCode[]> {
  // In one flight: what is read is read after the book was locked.
  const [journal, to_do, state, method, dues, made] = await Promise.all([
    Journal.open(ctx, tx, [partner_id]),
    isToDo(tx, run, partner_id),
    partnerState(tx, partner_id),
    currentMethod(tx, partner_id),
    claimableOf(tx, partner_id, run.cutoff, before),
    payoutsOfRun(tx, partner_id, run.id),
  ]);
  if (!to_do) return [];
  if (state === null) throw new Error(`the book of ${partner_id} is missing`);
  const codes = new Set<BlockerCode>();
  const payable: Due[] = [];
  for (const due of dues) {
    if (made.some(({ currency }) => currency === due.currency)) continue;
    const blockers = blockersOf(state, due.currency, due);
    if (blockers.length === 0) payable.push(due);
    else for (const { code } of blockers) codes.add(code);
  }
  if (payable.length > 0 && method !== null) await insertPayouts(journal, run, before, state, method, payable);
  return [...codes];
}

async function insertPayouts(
  journal: Journal,
  run: Run,
  before: LastRun | null,
  { partner_id, statement_seq }: PartnerState,
  method: PayoutMethod,
  dues: readonly Due[],
): Promise<void> {
  const { tx } = journal;
  const payouts = dues.map((due, index) => newPayout(tx, run, before, partner_id, due, statement_seq + index + 1));
  const claims = await Promise.all([
    ...payouts.map(async (payout) => {
      const { currency, id } = payout;
      const [, , claimed] = await Promise.all([
        insertPayout(tx, payout),
        insertAttempt(tx, attemptWith(payout, method, tx.now)),
        claim(journal, partner_id, { currency, cutoff: run.cutoff, payout_id: id }),
      ]);
      return { payout, claimed };
    }),
    takeStatements(tx, partner_id, payouts.length),
  ]);
  for (const one of claims) if (one !== undefined) checkClaim(one.payout, one.claimed);
  for (const payout of payouts) tellScheduled(journal, payout);
  await journal.save();
}

function newPayout(tx: Tx, run: Run, before: LastRun | null, partner_id: string, due: Due, statement_seq: number): Payout {
  const { currency, count, first_at, ...amounts } = due;
  return {
    ...amounts,
    partner_id,
    id: tx.newId("payout"),
    run_id: run.id,
    currency,
    statement_seq,
    net_cents: netOf(amounts),
    commission_count: count,
    period_from: before !== null && before.cutoff < first_at ? before.cutoff : first_at,
    period_to: run.cutoff,
    scheduled_for: run.scheduled_for,
    created_at: tx.now,
    status: "scheduled",
    attempt: 1,
    paid_at: null,
    reference: null,
    updated_at: tx.now,
    version: 1,
  };
}

/** Nothing can change between the sums and the claim under the lock of the book. */
function checkClaim({ id, net_cents, commission_count }: Payout, claimed: readonly Claimed[]): void {
  const claimed_cents = claimed.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  if (claimed_cents !== net_cents || claimed.length !== commission_count)
    throw new Error(`the payout ${id} of ${net_cents} claims ${claimed_cents}`);
}

function tellScheduled(journal: Journal, payout: Payout): void {
  const { tx } = journal;
  const { id, partner_id, currency, net_cents } = payout;
  journal.post(partner_id, {
    debit: "approved",
    credit: "scheduled",
    currency,
    amount_cents: net_cents,
    fact: "scheduled",
    payout_id: id,
  });
  const account_id = journal.partner(partner_id).house_account_id;
  tx.tell(partner_id, {
    events: [payoutScheduled(payout)],
    changes: [{ resource: "payout", id, version: 1, account_id, change: "created" }],
  });
  const changes = { net_cents: { from: null, to: net_cents }, currency: { from: null, to: currency } };
  record(tx, { partner_id }, [], { action: "payouts.schedule", target: id, client_id: null, changes });
}

/** An attempt keeps the details of the method as they are now. */
export function attemptWith(
  { partner_id, id, attempt }: Payout,
  { id: method_id, kind, holder, details, hint }: PayoutMethod,
  now: Date,
) {
  return { partner_id, payout_id: id, attempt, method_id, kind, holder, details, hint, started_at: now };
}
