import { fail } from "../../../kernel/errors.ts";
import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { adapterOf, providersFor, supportedByAll } from "../providers/index.ts";
import { refuseMember } from "./model.ts";
import { isClient, type PaymentLink } from "./queries.ts";

type Planned = Pick<
  PaymentLink,
  | "account_id"
  | "contact_id"
  | "deal_id"
  | "conversation_id"
  | "on_paid"
  | "charge"
  | "tip"
  | "provider_id"
  | "total_cents"
  | "currency"
>;

/** Refuses what could not be done once the link is paid, and an amount that its provider cannot take. */
export async function checkPaid(ctx: Context, tx: Tx, link: Planned, house: boolean): Promise<void> {
  checkActions(link);
  if (link.charge !== null) await checkCharge(ctx, tx, link, house);
  if (link.charge === null && supportedByAll(link.total_cents, link.currency)) return;
  const providers = await providersFor(tx, ctx.scope, link);
  if (link.charge !== null && providers.length === 0)
    refuseMember("charge", "no_provider", "The operator has no payment provider at the moment.");
  const online = providers.map(({ kind }) => adapterOf(kind).online).find((found) => found !== null);
  if (online?.supports(link.total_cents, link.currency) === false) fail("amount_not_supported");
}

function checkActions({ on_paid, deal_id, contact_id, conversation_id }: Planned): void {
  const needs = [
    ["move_deal", "deal", deal_id],
    ["add_tags", "contact", contact_id],
    ["send_message", "conversation", conversation_id],
  ] as const;
  for (const [action, subject, id] of needs)
    if (on_paid?.[action] !== undefined && id === null)
      refuseMember(`on_paid/${action}`, `${subject}_required`, `${action} takes a link with a ${subject}.`);
}

/** A client pays the operator: only where the partner sells, and nothing that is no charge. */
async function checkCharge(ctx: Context, tx: Tx, { charge, tip, provider_id }: Planned, house: boolean): Promise<void> {
  if (!house) refuseMember("charge", "house_only", "charge is for links of the partner's own account.");
  if (tip !== null) refuseMember("tip", "no_tip_with_charge", "A link with a charge takes no tips.");
  if (provider_id !== null)
    refuseMember("provider_id", "not_with_charge", "A link with a charge is paid by a provider of the operator.");
  const client_id = charge?.client_id;
  if (client_id !== undefined && !(await isClient(tx, ctx.scope, client_id)))
    refuseMember("charge/client_id", "unknown_client", `The client ${client_id} was not found.`);
}
