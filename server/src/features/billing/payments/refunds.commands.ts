import { fail, notFound } from "../../../kernel/errors.ts";
import { actorOf } from "../../../kernel/principal.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { accountForChange } from "../../accounts/custom-fields/index.ts";
import { adapterOf, openProviderOrNull, type RefundOutcome } from "../providers/index.ts";
import { netOf } from "./attempts.commands.ts";
import { LOOK_AGAIN_MS, refundableCents, statusOfPayment } from "./model.ts";
import { type Payment, paymentForUpdate, paymentOrNull, savePayment } from "./queries.ts";
import { askLater, decideRefund, insertRefund, type Refund, refundOrNull, refundsDue } from "./refunds.queries.ts";
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
  const { partner_id } = ctx.scope;
  const refund_id = tx.newId("payment_refund");
  const refund = { partner_id, id: refund_id, payment_id: id, amount_cents: wanted, status: "pending" as const };
  await insertRefund(tx, { ...refund, account_id, reason, created_by: actorOf(ctx.principal).id });
  const noted = await savePayment(tx, ctx.scope, { ...payment, refunding_cents: payment.refunding_cents + wanted });
  recordPayment(ctx, tx, noted, "updated", "payments.refund", { amount_cents: wanted });
  // Money that came by hand goes back by hand.
  const done =
    payment.provider_id === null ? await settleRefund(ctx, tx, refund, { status: "succeeded", provider_ref: null }) : noted;
  return { ...done, refund_id };
}

/** Asks the provider to return money, under the id of the refund: asked again, it answers the same. */
export async function carryOutRefund(ctx: Context, refund_id: string): Promise<void> {
  const refund = await refundOrNull(ctx.db, ctx.scope.partner_id, refund_id);
  const payment = refund === null ? null : await paymentOrNull(ctx.db, ctx.scope, refund.payment_id);
  if (refund?.status !== "pending" || payment?.provider_id == null) return;
  const provider = await openProviderOrNull(ctx.db, ctx.scope.partner_id, payment.provider_id);
  const online = provider === null ? null : adapterOf(provider.kind).online;
  if (provider === null || online === null) return;
  const { partner_id, id, amount_cents } = refund;
  const call = { partner_id, id, payment_ref: payment.provider_ref, amount_cents, currency: payment.currency };
  const outcome = await online.refund(provider, call, netOf(ctx));
  if (outcome.status !== "pending") await ctx.tx((tx) => settleRefund(ctx, tx, refund, outcome));
}

/** Makes a refund what the provider says it is, once. A refund never opens its link again. */
export async function settleRefund(
  ctx: Context,
  tx: Tx,
  refund: Refund,
  outcome: Exclude<RefundOutcome, { status: "pending" }>,
): Promise<Payment> {
  const { payment_link_id } = (await paymentOrNull(tx, ctx.scope, refund.payment_id)) ?? notFound(refund.payment_id);
  const link = await lockedLink(ctx, tx, payment_link_id);
  const payment = await paymentForUpdate(tx, ctx.scope, refund.payment_id);
  const { status } = outcome;
  const failure = outcome.status === "failed" ? outcome.failure : null;
  const provider_ref = outcome.status === "succeeded" ? outcome.provider_ref : null;
  if (!(await decideRefund(tx, refund, { status, failure, provider_ref }))) return payment;
  const returned = status === "succeeded" ? refund.amount_cents : 0;
  const after = {
    ...payment,
    refunding_cents: payment.refunding_cents - refund.amount_cents,
    refunded_cents: payment.refunded_cents + returned,
  };
  const saved = await savePayment(tx, ctx.scope, { ...after, status: statusOfPayment(payment.status, after) });
  if (returned > 0) await saveAmounts(ctx, tx, { ...link, refunded_cents: link.refunded_cents + returned });
  recordPayment(ctx, tx, saved, "updated", `payments.refund_${status}`, { amount_cents: refund.amount_cents });
  return saved;
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
