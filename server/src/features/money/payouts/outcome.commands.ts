import { fail, notFound, Refusal } from "../../../kernel/errors.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { record } from "../../../platform/record/tx.ts";
import { Journal, payClaim, releaseClaim } from "../commissions/index.ts";
import { payoutPaid, payoutScheduled } from "./events.ts";
import { payoutDetail } from "./list.queries.ts";
import { currentMethod } from "./methods/queries.ts";
import { blockersOf, checkTransition, type Status } from "./model.ts";
import {
  attemptOf,
  endAttempt,
  insertAttempt,
  type Payout,
  partnerState,
  partnersOfPayouts,
  payoutRows,
  savePayout,
} from "./queries.ts";
import { attemptWith } from "./run.commands.ts";
import type { PaidBody, PayoutOutcomes } from "./schema.ts";

/** A payout in a locked book. */
type Locked = { journal: Journal; payout: Payout };

/** Saves a payout in another state, and tells of it. */
export async function moveTo({ journal, payout }: Locked, to: Partial<Payout> & { status: Status }): Promise<Payout> {
  const { tx } = journal;
  const { id, partner_id, status: from } = payout;
  const moved = { ...payout, ...to, updated_at: tx.now, version: payout.version + 1 };
  await savePayout(tx, moved);
  const account_id = journal.partner(partner_id).house_account_id;
  const detail = { from, to: moved.status, reason: null };
  const change = { resource: "payout", id, version: moved.version, account_id, change: "moved", detail } as const;
  record(tx, { partner_id }, [], {
    action: `payouts.${ACTIONS[to.status]}`,
    target: id,
    client_id: null,
    changes: { status: { from, to: moved.status } },
  });
  tx.tell(partner_id, { changes: [change] });
  return moved;
}

const ACTIONS: Record<Status, string> = {
  scheduled: "retry",
  processing: "export",
  paid: "pay",
  failed: "fail",
  cancelled: "cancel",
};

/** Marks a payout as paid. Repeating it changes nothing. */
async function pay(locked: Locked, { paid_at, reference }: PaidBody): Promise<boolean> {
  const { journal, payout } = locked;
  if (payout.status === "paid") return false;
  checkTransition(payout.status, "paid");
  const { tx } = journal;
  const { partner_id, id, currency, net_cents } = payout;
  const time = paid_at === undefined ? tx.now : new Date(paid_at);
  if (time > tx.now) refuseFuture();
  const attempt = await attemptOf(tx, payout);
  await endAttempt(tx, payout, null, tx.now);
  await payClaim(journal, partner_id, id);
  journal.post(partner_id, {
    debit: "scheduled",
    credit: "cash",
    currency,
    amount_cents: net_cents,
    fact: "paid",
    payout_id: id,
  });
  const paid = await moveTo(locked, { status: "paid", paid_at: time, reference: reference ?? null });
  tx.tell(partner_id, { events: [payoutPaid({ ...paid, paid_at: time }, attempt)] });
  return true;
}

function refuseFuture(): never {
  const detail = "A payout cannot have been paid in the future. Send the time when the money left, or leave paid_at out for now.";
  fail("validation_failed", { detail, faults: [{ in: "body", pointer: "#/paid_at", code: "future", detail }] });
}

/** Marks a payout as failed: it is still owed. Repeating it changes nothing. */
async function failPayout(locked: Locked, failure: string): Promise<boolean> {
  const { journal, payout } = locked;
  if (payout.status === "failed") return false;
  checkTransition(payout.status, "failed");
  await endAttempt(journal.tx, payout, failure, journal.tx.now);
  await moveTo(locked, { status: "failed" });
  return true;
}

/** Tries a failed payout again, with the payout method of now. */
async function retry(locked: Locked): Promise<boolean> {
  const { journal, payout } = locked;
  checkTransition(payout.status, "scheduled");
  const { tx } = journal;
  const { partner_id, currency } = payout;
  const [state, method] = await Promise.all([partnerState(tx, partner_id), currentMethod(tx, partner_id)]);
  if (state === null) notFound(payout.id);
  const due = { ...payout, count: payout.commission_count, first_at: payout.period_from };
  // A minimum that was raised since does not concern a payout that was scheduled once.
  const blockers = blockersOf(state, currency, due).filter(({ code }) => code !== "below_minimum");
  const [blocker] = blockers;
  if (blocker !== undefined || method === null)
    fail("payout_blocked", {
      detail: blocker?.detail ?? "There is no payout method.",
      meta: { blockers: blockers.map(({ code }) => code) },
    });
  const again = await moveTo(locked, { status: "scheduled", attempt: payout.attempt + 1 });
  await insertAttempt(tx, attemptWith(again, method, tx.now));
  tx.tell(partner_id, { events: [payoutScheduled(again)] });
  return true;
}

/** Cancels a payout: its commissions are approved again, and in the next run. Repeating it changes nothing. */
async function cancel(locked: Locked): Promise<boolean> {
  const { journal, payout } = locked;
  if (payout.status === "cancelled") return false;
  checkTransition(payout.status, "cancelled");
  const { partner_id, id, currency, net_cents } = payout;
  if (payout.status === "scheduled") await endAttempt(journal.tx, payout, null, journal.tx.now);
  await releaseClaim(journal, partner_id, id);
  journal.post(partner_id, {
    debit: "scheduled",
    credit: "approved",
    currency,
    amount_cents: net_cents,
    fact: "cancelled",
    payout_id: id,
  });
  await moveTo(locked, { status: "cancelled" });
  return true;
}

/** Changes a payout at the expected version, under the lock of its book. */
async function change(ctx: Context, id: string, act: (locked: Locked) => Promise<boolean>) {
  return ctx.tx(async (tx) => {
    const partner_id = (await partnersOfPayouts(tx, [id])).get(id) ?? notFound(id);
    const journal = await Journal.open(ctx, tx, [partner_id]);
    const [payout] = await payoutRows(tx, partner_id, [id]);
    if (payout === undefined) notFound(id);
    requireVersion(ctx, payout);
    await act({ journal, payout });
    await journal.save();
    journal.tell();
    return { id, ...(await payoutDetail(tx, partner_id, "operator", id)) };
  });
}

export const markPaid = (ctx: Context, id: string, body: PaidBody) => change(ctx, id, (locked) => pay(locked, body));
export const markFailed = (ctx: Context, id: string, failure: string) => change(ctx, id, (locked) => failPayout(locked, failure));
export const retryPayout = (ctx: Context, id: string) => change(ctx, id, retry);
export const cancelPayout = (ctx: Context, id: string) => change(ctx, id, cancel);

type Outcome = PayoutOutcomes["outcomes"][number];

/** Applies outcomes of any payouts, each as if it were alone, with a result each. A dry run takes all of it back. */
export function applyOutcomes(ctx: Context, { outcomes, dry_run = false }: PayoutOutcomes): Promise<{ json: string }> {
  return ctx.tx(async (tx) => {
    const owners = await partnersOfPayouts(tx, [...new Set(outcomes.map(({ payout_id }) => payout_id))]);
    const journal = await Journal.open(ctx, tx, [...new Set(owners.values())]);
    const data = await tx.savepoint(
      () => resultsOf(journal, owners, outcomes),
      () => !dry_run,
    );
    if (!dry_run) {
      await journal.save();
      journal.tell();
    }
    const count = (status: Result["status"]) => data.filter((item) => item.status === status).length;
    return { json: JSON.stringify({ data, changed: count("changed"), unchanged: count("unchanged"), failed: count("error") }) };
  });
}

type Result = { payout_id: string; status: "changed" | "unchanged" | "error"; error?: { code: string; detail: string } };

async function resultsOf(journal: Journal, owners: ReadonlyMap<string, string>, outcomes: readonly Outcome[]): Promise<Result[]> {
  const data: Result[] = [];
  for (const outcome of outcomes) {
    const { payout_id } = outcome;
    // An outcome is refused before anything of it is written.
    const result = await applyOutcome(journal, owners.get(payout_id), outcome).catch((error: unknown) => {
      if (error instanceof Refusal) return error;
      throw error;
    });
    if (result instanceof Refusal)
      data.push({ payout_id, status: "error", error: { code: result.code, detail: result.message } });
    else data.push({ payout_id, status: result ? "changed" : "unchanged" });
  }
  return data;
}

async function applyOutcome(journal: Journal, partner_id: string | undefined, outcome: Outcome): Promise<boolean> {
  const { payout_id, failure, version } = outcome;
  if (partner_id === undefined) notFound(payout_id);
  const [payout] = await payoutRows(journal.tx, partner_id, [payout_id]);
  if (payout === undefined) notFound(payout_id);
  if (version !== undefined && version !== payout.version)
    fail("version_mismatch", {
      detail: `The payout has the version ${payout.version}.`,
      meta: { current_version: payout.version },
    });
  const locked = { journal, payout };
  return outcome.outcome === "paid" ? pay(locked, outcome) : failPayout(locked, failure ?? refuseWithoutReason());
}

function refuseWithoutReason(): never {
  const detail = "failure is required where the outcome is failed: say why, since the partner reads it.";
  fail("validation_failed", { detail });
}
