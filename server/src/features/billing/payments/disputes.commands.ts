import { fail, notFound } from "../../../kernel/errors.ts";
import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { Disputed } from "../providers/index.ts";
import { netOf, onlineOf } from "./attempts.commands.ts";
import { decideDispute, disputeByRefOrNull, disputeOrNull, disputesPage, insertDispute } from "./disputes.queries.ts";
import type { DisputeListQuery } from "./disputes.schema.ts";
import { statusOfPayment } from "./model.ts";
import { runTaken } from "./paid.commands.ts";
import { type Payment, paymentForUpdate, paymentOrNull, savePayment } from "./queries.ts";
import { lockedLink, recordPayment } from "./settle.commands.ts";

export async function getDispute(ctx: Context, id: string): Promise<{ json: string }> {
  return (await disputeOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
}

export function listDisputes(ctx: Context, query: DisputeListQuery): Promise<{ json: string }> {
  return disputesPage(ctx.db, ctx.scope, query);
}

/** Asks the provider which disputes there are of a payment, and settles each. */
export async function lookAtDisputes(ctx: Context, payment: Payment): Promise<void> {
  const provider = await onlineOf(ctx, payment.provider_id);
  if (provider === null) return;
  const { partner_id } = ctx.scope;
  const { attempt_id, provider_ref: payment_ref, amount_cents, tip_cents, currency } = payment;
  const paid = { partner_id, attempt_id, payment_ref, amount_cents: amount_cents + tip_cents, currency };
  const found = (await provider.online.disputes(provider.open, paid, netOf(ctx))) ?? fail("service_unavailable");
  for (const disputed of found) await ctx.tx((tx) => settleDispute(ctx, tx, payment.id, disputed));
}

/** Makes a dispute what the provider says it is, once: one that is decided stays so. */
export async function settleDispute(ctx: Context, tx: Tx, payment_id: string, seen: Disputed): Promise<void> {
  const { scope } = ctx;
  const { payment_link_id, account_id } = (await paymentOrNull(tx, scope, payment_id)) ?? notFound(payment_id);
  await lockedLink(ctx, tx, payment_link_id);
  await paymentForUpdate(tx, scope, payment_id);
  const known = await disputeByRefOrNull(tx, scope, payment_id, seen.provider_ref);
  const { status, amount_cents } = seen;
  if (known !== null && (known.status === status || known.status !== "open")) return;
  const id = known?.id ?? tx.newId("payment_dispute");
  if (known === null) await insertDispute(tx, scope, { ...seen, id, account_id, payment_id });
  else await decideDispute(tx, scope, id, status);
  const disputed = await paymentForUpdate(tx, scope, payment_id);
  const after = await savePayment(tx, scope, { ...disputed, status: statusOfPayment(disputed) });
  const taken = { id, amount_cents, reason: `Dispute: ${seen.reason}` };
  const saved = status === "lost" ? await runTaken(ctx, tx, after, taken) : after;
  recordPayment(ctx, tx, saved, "updated", `payments.dispute_${status}`, { amount_cents });
}
