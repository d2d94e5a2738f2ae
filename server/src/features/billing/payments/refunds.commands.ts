import { fail, notFound } from "../../../kernel/errors.ts";
import { actorOf } from "../../../kernel/principal.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { accountForChange } from "../../accounts/custom-fields/index.ts";
import { adapterOf, type ProviderKind, type RefundOutcome, type Returned } from "../providers/index.ts";
import { netOf, onlineOf } from "./attempts.commands.ts";
import { LOOK_AGAIN_MS, refundableCents, statusOfPayment } from "./model.ts";
import { runTaken } from "./paid.commands.ts";
import { type Payment, paymentForUpdate, paymentOrNull, savePayment } from "./queries.ts";
import {
  askLater,
  decideRefund,
  insertRefund,
  type Refund,
  refundByRefOrNull,
  refundOrNull,
  refundsDue,
} from "./refunds.queries.ts";
import type { RefundBody } from "./schema.ts";
import { lockedLink, recordPayment, saveAmounts } from "./settle.commands.ts";

/** Refunds a payment: noted first, then the provider is asked. The reply shows what was noted; of a manual payment, it is done. */
export async function refundPayment(ctx: Context, id: string, body: RefundBody): Promise<Payment> {
  const noted = await ctx.tx((tx) => noteRefund(ctx, tx, id, body));
  if (noted.provider_id !== null) await carryOutRefund(ctx.afterwards(), noted.refund_id);
  return noted;
}

type Noted = Payment & { refund_id: string };

async function noteRefund(ctx: Context, tx: Tx, id: string, { amount_cents, reason }: RefundBody): Promise<Noted> {
  const { payment_link_id, account_id } = (await paymentOrNull(tx, ctx.scope, id)) ?? notFound(id);
  await lockedLink(ctx, tx, payment_link_id);
  await accountForChange(ctx, tx, "contact", account_id);
  const payment = await paymentForUpdate(tx, ctx.scope, id);
  requireVersion(ctx, payment);
  const refundable_cents = payment.status === "disputed" || payment.status === "lost" ? 0 : refundableCents(payment);
  const wanted = amount_cents ?? refundable_cents;
  if (wanted === 0 || wanted > refundable_cents)
    fail("payment_not_refundable", {
      detail: `${refundable_cents} of the payment can still be refunded.`,
      meta: { refundable_cents },
    });
  const { online } = adapterOf(payment.provider as ProviderKind);
  if (online?.supports(wanted, payment.currency) === false) fail("amount_not_supported");
  const { refund, noted } = await addRefund(ctx, tx, payment, wanted, reason);
  // Money that came by hand goes back by hand.
  const done =
    payment.provider_id === null ? await settleRefund(ctx, tx, refund, { status: "succeeded", provider_ref: null }) : noted;
  return { ...done, refund_id: refund.id };
}

/** Notes that a part of a locked payment goes back. */
async function addRefund(ctx: Context, tx: Tx, payment: Payment, amount_cents: number, reason: string) {
  const { id: payment_id, account_id } = payment;
  const id = tx.newId("payment_refund");
  const refund = { partner_id: ctx.scope.partner_id, id, payment_id, amount_cents, reason, status: "pending" as const };
  await insertRefund(tx, { ...refund, account_id, created_by: actorOf(ctx.principal).id });
  const noted = await savePayment(tx, ctx.scope, { ...payment, refunding_cents: payment.refunding_cents + amount_cents });
  recordPayment(ctx, tx, noted, "updated", "payments.refund", { amount_cents });
  return { refund, noted };
}

/** Asks the provider to return money, under the id of the refund: asked again, it answers the same. */
export async function carryOutRefund(ctx: Context, refund_id: string): Promise<void> {
  const refund = await refundOrNull(ctx.db, ctx.scope.partner_id, refund_id);
  const payment = refund === null ? null : await paymentOrNull(ctx.db, ctx.scope, refund.payment_id);
  if (refund?.status !== "pending" || payment?.provider_id == null) return;
  const provider = await onlineOf(ctx, payment.provider_id);
  if (provider === null) return;
  const { partner_id, id, amount_cents } = refund;
  const call = { partner_id, id, payment_ref: payment.provider_ref, amount_cents, currency: payment.currency };
  const outcome = await provider.online.refund(provider.open, call, netOf(ctx));
  if (outcome.status !== "pending") await ctx.tx((tx) => settleRefund(ctx, tx, refund, outcome));
}

/**
 * Makes a refund what the provider says it is, once. One that has succeeded may still fail: a bank may send the money back days later.
 * A refund never opens its link again.
 */
export async function settleRefund(
  ctx: Context,
  tx: Tx,
  refund: Refund,
  outcome: Exclude<RefundOutcome, { status: "pending" }>,
): Promise<Payment> {
  const { payment_link_id } = (await paymentOrNull(tx, ctx.scope, refund.payment_id)) ?? notFound(refund.payment_id);
  const link = await lockedLink(ctx, tx, payment_link_id);
  const payment = await paymentForUpdate(tx, ctx.scope, refund.payment_id);
  const { status: before } = (await refundOrNull(tx, ctx.scope.partner_id, refund.id)) ?? notFound(refund.id);
  const { status } = outcome;
  if (before === status || before === "failed") return payment;
  const failure = outcome.status === "failed" ? outcome.failure : null;
  const provider_ref = outcome.status === "succeeded" ? outcome.provider_ref : null;
  await decideRefund(tx, refund, { status, failure, provider_ref });
  const amountIf = (is: boolean) => (is ? refund.amount_cents : 0);
  const returned = amountIf(status === "succeeded") - amountIf(before === "succeeded");
  const after = {
    ...payment,
    refunding_cents: payment.refunding_cents - amountIf(before === "pending"),
    refunded_cents: payment.refunded_cents + returned,
  };
  const changed = await savePayment(tx, ctx.scope, { ...after, status: statusOfPayment(after) });
  if (returned !== 0) await saveAmounts(ctx, tx, { ...link, refunded_cents: link.refunded_cents + returned });
  const saved = returned === 0 ? changed : await runTaken(ctx, tx, changed, refund);
  recordPayment(ctx, tx, saved, "updated", `payments.refund_${status}`, { amount_cents: refund.amount_cents });
  return saved;
}

/** Asks the provider what was returned of a payment, and settles each refund: those that were made at the provider, too. */
export async function lookAtRefunds(ctx: Context, payment: Payment): Promise<void> {
  const provider = await onlineOf(ctx, payment.provider_id);
  if (provider === null) return;
  const { provider_ref: payment_ref, currency } = payment;
  const found =
    (await provider.online.refunds(provider.open, { payment_ref, currency }, netOf(ctx))) ?? fail("service_unavailable");
  for (const returned of found) await ctx.tx((tx) => settleReturned(ctx, tx, payment, returned));
}

async function settleReturned(ctx: Context, tx: Tx, { id, payment_link_id }: Payment, returned: Returned): Promise<void> {
  const { outcome, amount_cents, provider_ref, refund_id } = returned;
  if (outcome.status === "pending") return;
  await lockedLink(ctx, tx, payment_link_id);
  const payment = await paymentForUpdate(tx, ctx.scope, id);
  const known =
    refund_id === null
      ? await refundByRefOrNull(tx, ctx.scope.partner_id, id, provider_ref)
      : await refundOrNull(tx, ctx.scope.partner_id, refund_id);
  if (known !== null) {
    if (known.payment_id === id) await settleRefund(ctx, tx, known, outcome);
    return;
  }
  // What nobody here has asked for counts once the money is gone.
  if (outcome.status !== "succeeded" || amount_cents > refundableCents(payment)) return;
  const { refund } = await addRefund(ctx, tx, payment, amount_cents, "Refunded at the provider");
  await settleRefund(ctx, tx, refund, outcome);
}

/** Asks again about refunds that are not decided. Returns how many. */
export async function reconcileRefunds(
  ctx: Pick<Context, "db" | "clock">,
  contextOf: (partner_id: string) => Context,
  limit: number,
): Promise<number> {
  const now = ctx.clock.now();
  const due = await refundsDue(ctx.db, now, limit);
  for (const refund of due) {
    await askLater(ctx.db, refund, new Date(now.getTime() + LOOK_AGAIN_MS));
    await carryOutRefund(contextOf(refund.partner_id), refund.id);
  }
  return due.length;
}
