import { fail, notFound } from "../../../kernel/errors.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { accountForChange } from "../../accounts/custom-fields/index.ts";
import { familyOf } from "../../crm/contacts/index.ts";
import { linkForUpdateOrNull, linkOrNull, payableCents, refuseMember, seenBy } from "../payment-links/index.ts";
import { attemptsPage, insertAttempt } from "./attempts.queries.ts";
import { type Payment, paymentOrNull, paymentsPage } from "./queries.ts";
import type { AttemptListQuery, PaymentListQuery, RecordBody } from "./schema.ts";
import { receiveMoney } from "./settle.commands.ts";

export async function getPayment(ctx: Context, id: string): Promise<Payment> {
  return (await paymentOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
}

export async function listPayments(ctx: Context, query: PaymentListQuery): Promise<{ json: string }> {
  const { contact_id } = query;
  const contacts = contact_id === undefined ? null : await familyOf(ctx.db, ctx.scope, contact_id);
  return paymentsPage(ctx.db, ctx.scope, query, contacts);
}

export async function listAttempts(ctx: Context, link_id: string, query: AttemptListQuery): Promise<{ json: string }> {
  if ((await linkOrNull(ctx.db.byKey, ctx.scope, link_id, seenBy(ctx))) === null) notFound(link_id);
  return attemptsPage(ctx.db, ctx.scope, link_id, query);
}

/** Records money that came another way, within what nobody has paid or is paying. */
export function recordByHand(ctx: Context, link_id: string, input: RecordBody): Promise<Payment> {
  return ctx.tx(async (tx) => {
    const link = (await linkForUpdateOrNull(tx, ctx.scope, link_id, { ...seenBy(ctx), now: tx.now })) ?? notFound(link_id);
    requireVersion(ctx, link);
    await accountForChange(ctx, tx, "contact", link.account_id);
    const paid_at = input.paid_at === undefined ? tx.now : new Date(input.paid_at);
    if (paid_at > tx.now) refuseMember("paid_at", "in_future", "paid_at is in the future.");
    const payable_cents = payableCents(link);
    const { amount_cents } = input;
    const whole = link.usage === "multi" && amount_cents !== payable_cents;
    if (amount_cents > payable_cents || whole)
      fail("amount_not_due", { detail: `${payable_cents} can be paid now.`, meta: { payable_cents } });
    const id = tx.newId("payment_attempt");
    const attempt = await insertAttempt(tx, {
      partner_id: ctx.scope.partner_id,
      id,
      account_id: link.account_id,
      link_id,
      provider_id: null,
      provider_kind: "manual",
      provider_ref: null,
      redirect: null,
      amount_cents,
      tip_cents: 0,
      currency: link.currency,
      // Nothing was reserved for it.
      state: "succeeded",
      failure: null,
      payer: { name: link.customer.name, email: link.customer.email, answers: {} },
      language: null,
      form_nonce: null,
    });
    const money = { ref: id, method: input.method, method_hint: null, live: true, paid_at, note: input.note ?? null };
    return receiveMoney(ctx, tx, link, attempt, money);
  });
}
