import type { Context } from "../../../platform/record/context.ts";
import { recordChange, type Tx } from "../../../platform/record/tx.ts";
import { isOpen, linkForUpdateOrNull, type PaymentLink, saveLink, statusWith } from "../payment-links/index.ts";
import type { Outcome } from "../providers/index.ts";
import { type Attempt, attemptForUpdate, saveAttempt } from "./attempts.queries.ts";
import { mayStillSucceed, receiptNumber } from "./model.ts";
import { runPaid } from "./paid.commands.ts";
import { insertPayment, nextReceiptNumber, type Payment } from "./queries.ts";

/** How the money of an attempt came. */
export type Money = {
  ref: string;
  method: string;
  method_hint: string | null;
  live: boolean;
  paid_at: Date;
  note: string | null;
};

/** A link, locked. Everything that changes its amounts locks it first: then its attempt, its payment, the counter of receipts. */
export async function lockedLink(ctx: Context, tx: Tx, link_id: string): Promise<PaymentLink> {
  const link = await linkForUpdateOrNull(tx, ctx.scope, link_id, { now: tx.now, base_url: ctx.settings.baseUrl() });
  if (link === null) throw new Error(`no payment link ${link_id}`);
  return link;
}

/** Saves changed amounts of a locked link and tells of it. */
export async function saveAmounts(ctx: Context, tx: Tx, link: PaymentLink): Promise<void> {
  const saved = await saveLink(tx, ctx.scope, { ...link, version: link.version + 1 }, ctx.settings.baseUrl());
  recordChange(tx, ctx.scope, { resource: "payment_link", change: "updated", ...saved }, null);
}

/**
 * Makes an attempt what the provider says it is: the one way in, whoever asked. The order of what is told and copies of it do not
 * matter: money counts once, and a reservation ends once the attempt can no longer succeed.
 */
export async function settle(
  ctx: Context,
  tx: Tx,
  { id, link_id }: Pick<Attempt, "id" | "link_id">,
  outcome: Outcome,
  live: boolean,
): Promise<void> {
  const link = await lockedLink(ctx, tx, link_id);
  const attempt = await attemptForUpdate(tx, ctx.scope.partner_id, id);
  if (attempt.state === "succeeded") return;
  if (outcome.state === "succeeded") {
    const { ref, method, method_hint } = outcome;
    await receiveMoney(ctx, tx, link, attempt, { ref, method, method_hint, live, paid_at: tx.now, note: null });
    return;
  }
  if (!mayStillSucceed(attempt.state)) return;
  if (!("failure" in outcome)) {
    if (outcome.state === "processing" && attempt.state !== "processing")
      await saveAttempt(tx, { ...attempt, state: "processing" });
    return;
  }
  await saveAttempt(tx, { ...attempt, state: outcome.state, failure: outcome.failure });
  const reserved_cents = link.reserved_cents - attempt.amount_cents;
  await saveLink(tx, ctx.scope, { ...link, reserved_cents }, ctx.settings.baseUrl());
}

/** Counts the money of an attempt, whatever the link is by now: one payment with the next receipt. */
export async function receiveMoney(ctx: Context, tx: Tx, link: PaymentLink, attempt: Attempt, money: Money): Promise<Payment> {
  const { amount_cents, tip_cents } = attempt;
  const after: PaymentLink = {
    ...link,
    paid_cents: link.paid_cents + amount_cents,
    tips_cents: link.tips_cents + tip_cents,
    reserved_cents: link.reserved_cents - (mayStillSucceed(attempt.state) ? amount_cents : 0),
  };
  after.status = statusWith(link.status, after);
  if (after.status === "paid" && link.paid_at === null) after.paid_at = money.paid_at.toISOString();
  const overpaid = after.limit_cents !== null && after.paid_cents > after.limit_cents;
  const number = await nextReceiptNumber(tx, attempt.partner_id, attempt.account_id, money.live);
  const { partner_id, account_id, link_id, provider_id, provider_kind, currency, payer } = attempt;
  const received = await insertPayment(tx, {
    ...{ partner_id, account_id, link_id, provider_id, provider_kind, currency, payer, amount_cents, tip_cents },
    id: tx.newId("payment"),
    attempt_id: attempt.id,
    contact_id: link.contact_id,
    provider_ref: money.ref,
    method: money.method,
    method_hint: money.method_hint,
    receipt_number: receiptNumber(money.live, number),
    live: money.live,
    flag: overpaid ? "overpaid" : isOpen(link.status) ? null : "late",
    note: money.note,
    paid_at: money.paid_at,
  });
  await saveAttempt(tx, { ...attempt, state: "succeeded", failure: null });
  await saveAmounts(ctx, tx, after);
  const completed = link.usage === "multi" || (after.status === "paid" && link.status !== "paid");
  const payment = await runPaid(ctx, tx, after, received, completed);
  recordPayment(ctx, tx, payment, "created", "payments.receive", { amount_cents, tip_cents });
  return payment;
}

/** Tells of a payment. Its audit entry is about the contact, if there is one, so that it is on the contact's timeline. */
export function recordPayment(
  ctx: Context,
  tx: Tx,
  payment: Payment,
  change: "created" | "updated",
  action: string,
  amounts: Record<string, number>,
): void {
  const { id, account_id, version, contact_id, currency } = payment;
  const told = { payment: id, currency, ...amounts };
  const changes = Object.fromEntries(Object.entries(told).map(([name, to]) => [name, { from: null, to }]));
  tx.tell(ctx.scope.partner_id, {
    changes: [{ resource: "payment", change, id, account_id, version }],
    audits: [{ action, target: contact_id ?? id, client_id: account_id, changes }],
  });
}
