import { Refusal } from "../../../kernel/errors.ts";
import { isId } from "../../../kernel/ids.ts";
import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { withTags } from "../../accounts/clients/index.ts";
import { accountForChange } from "../../accounts/custom-fields/index.ts";
import { changeContact, lockContact } from "../../crm/contacts/index.ts";
import { dealOrNull, lockDeal, moveDeal } from "../../crm/deals/index.ts";
import { addOutgoing, lockConversation } from "../../inbox/conversations/index.ts";
import { giveBack, recordCharges, recordRefund, refundedBy } from "../../money/charges/index.ts";
import type { PaymentLink } from "../payment-links/index.ts";
import { isProgrammeProvider } from "../providers/index.ts";
import { chargedCents, lostCents, type PaidAction } from "./model.ts";
import { type Payment, savePaid } from "./queries.ts";
import type { PaymentShown } from "./schema.ts";

type Result = PaymentShown["on_paid_results"][number];

/** The service itself does it, whoever has paid or recorded the payment. */
function asSystem(ctx: Context): Context {
  const { partner_id } = ctx.scope;
  return {
    ...ctx,
    principal: { type: "system", partner_id },
    scope: { partner_id, clients: "all" },
    expected_version: null,
  };
}

/** Does a part of what a payment sets off. A refusal undoes that part alone, never the payment, and is told. */
async function refusable(tx: Tx, action: PaidAction, part: () => Promise<unknown>): Promise<Result> {
  try {
    await tx.savepoint(part);
    return { action, status: "done", code: null, detail: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { action, status: "refused", code: error.explanation.faults?.[0]?.code ?? error.code, detail: error.message };
  }
}

/** Does what is to happen once a link is paid, then charges the client. `completed`: the payment has paid the link in full. */
export async function runPaid(ctx: Context, tx: Tx, link: PaymentLink, payment: Payment, completed: boolean): Promise<Payment> {
  const own = asSystem(ctx);
  const results: Result[] = [];
  const actions = completed && link.on_paid !== null ? actionsOf(own, tx, link, link.on_paid) : [];
  for (const [action, part] of actions) results.push(await refusable(tx, action, part));
  const charged = await charge(own, tx, link, payment);
  if (charged !== null) results.push(charged.result);
  if (results.length === 0) return payment;
  return savePaid(tx, ctx.scope, { ...payment, on_paid_results: results, charge: charged?.charge ?? null });
}

type Action = [PaidAction, () => Promise<unknown>];

function actionsOf(ctx: Context, tx: Tx, link: PaymentLink, on_paid: NonNullable<PaymentLink["on_paid"]>): Action[] {
  const { move_deal, add_tags, send_message } = on_paid;
  const { deal_id, contact_id, conversation_id } = link;
  const actions: Action[] = [];
  if (move_deal !== undefined && deal_id !== null) actions.push(["move_deal", () => movesDeal(ctx, tx, deal_id, move_deal)]);
  if (add_tags !== undefined && contact_id !== null) actions.push(["add_tags", () => addsTags(ctx, tx, contact_id, add_tags)]);
  if (send_message !== undefined && conversation_id !== null)
    actions.push(["send_message", () => writes(ctx, tx, conversation_id, send_message.text)]);
  return actions;
}

async function movesDeal(ctx: Context, tx: Tx, id: string, { stage, pipeline_id }: { stage: string; pipeline_id?: string }) {
  const deal = await lockDeal(ctx, tx, id);
  const account = await accountForChange(ctx, tx, "deal", deal.account_id);
  const named = isId("stage", stage) ? { stage_id: stage } : { stage };
  await moveDeal(ctx, tx, account, deal, { ...named, ...(pipeline_id === undefined ? {} : { pipeline_id }) });
}

async function addsTags(ctx: Context, tx: Tx, id: string, tags: readonly string[]): Promise<void> {
  const contact = await lockContact(ctx, tx, id);
  const account = await accountForChange(ctx, tx, "contact", contact.account_id);
  await changeContact(ctx, tx, account, contact, { tags: withTags(contact.tags, tags) });
}

async function writes(ctx: Context, tx: Tx, conversation_id: string, text: string): Promise<void> {
  const conversation = await lockConversation(ctx, tx, conversation_id);
  await addOutgoing(ctx, tx, conversation, { text, purpose: "transactional", automatic: true });
}

type Charged = { result: Result; charge: Payment["charge"] };

/**
 * Records a payment as a charge of a client. Only money that the operator has received is one: otherwise a partner could print
 * commissions.
 */
async function charge(ctx: Context, tx: Tx, link: PaymentLink, payment: Payment): Promise<Charged | null> {
  if (link.charge === null || payment.provider_id === null) return null;
  if (!(await isProgrammeProvider(tx, payment.provider_id))) return null;
  const { deal_id } = link;
  const deal = deal_id === null ? null : await dealOrNull(tx, ctx.scope, deal_id, tx.now);
  const client_id = link.charge.client_id ?? deal?.client_id ?? null;
  if (client_id === null) {
    const detail = "The deal has no client yet: the operator records the charge.";
    return { result: { action: "charge", status: "refused", code: "client_missing", detail }, charge: null };
  }
  const amount_cents = chargedCents(link, payment.amount_cents);
  const result = await refusable(tx, "charge", async () => {
    const report = { client_id, external_id: payment.id, amount_cents, currency: payment.currency, months: 1, plan: null };
    const [recorded] = await recordCharges(ctx, tx, [{ ...report, charged_at: new Date(payment.paid_at) }], "billing");
    if (recorded instanceof Refusal) throw recorded;
  });
  return { result, charge: result.status === "done" ? { client_id, amount_cents } : null };
}

/** What was taken from a payment, or came back: a refund, or a dispute that was lost. */
export type Taken = { id: string; reason: string };

/** Takes a charge back as far as its payment was returned or lost, and gives back what a refund that failed had taken. */
export async function runTaken(ctx: Context, tx: Tx, payment: Payment, { id, reason }: Taken): Promise<Payment> {
  const { charge, refunds, disputes } = payment;
  if (charge === null) return payment;
  const own = asSystem(ctx);
  const taken_cents = await refundedBy(
    tx,
    own.scope.partner_id,
    [...refunds, ...disputes].map((one) => one.id),
  );
  const amount_cents = lostCents(payment) - taken_cents;
  if (amount_cents < 0) await giveBack(own, tx, id, -amount_cents);
  if (amount_cents <= 0) return payment;
  const result = await refusable(tx, "charge_refund", () =>
    recordRefund(own, tx, {
      client_id: charge.client_id,
      charge_external_id: payment.id,
      external_id: id,
      amount_cents,
      reason,
      refunded_at: tx.now,
    }),
  );
  return savePaid(tx, ctx.scope, { ...payment, on_paid_results: [...payment.on_paid_results, result] });
}
