import { Refusal } from "../../../../kernel/errors.ts";
import type { Context } from "../../../../platform/record/context.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { noteConsent } from "../../../crm/contacts/index.ts";
import { type Adapter, adapterOf, type OpenChannel, optedOutAt, optOut } from "../../channels/index.ts";
import { checkConsent, type Purpose, windowUntil } from "../messages/model.ts";
import { personOrNull } from "../people.queries.ts";
import type { DueSend } from "./claim.queries.ts";
import { automaticRefusal } from "./model.ts";
import { automaticBefore, type MessageError, recipientOf, type StatusRow } from "./queries.ts";

/**
 * Why a message that was queued may not be sent any more: the person has withdrawn since, the reply window has closed, or a machine
 * would answer a machine.
 */
export async function refusalOf(
  ctx: Context,
  tx: Tx,
  channel: OpenChannel,
  { capabilities }: Adapter,
  message: DueSend,
): Promise<MessageError | null> {
  const { consent: kind, window_hours } = capabilities;
  const { address, person_id, last_inbound_at, detail } = message;
  const until = windowUntil(window_hours, last_inbound_at);
  if (window_hours !== null && !(until !== null && until > tx.now) && detail?.template === undefined)
    return { code: "reply_window_closed", detail: "The reply window of the channel closed before the message could be sent." };
  if (kind === null) return null;
  if (message.automatic && channel.kind === "email") {
    const refusal = automaticRefusal(await automaticBefore(tx, message, address, tx.now));
    if (refusal !== null) return refusal;
  }
  const { partner_id, account_id } = channel;
  const person = person_id === null ? null : await personOrNull(tx, ctx.scope, person_id);
  const opted_out_at = await optedOutAt(tx, ctx.signer, { partner_id, account_id, kind, address });
  try {
    checkConsent(person?.consent[kind], { opted_out_at, kind, purpose: message.purpose as Purpose, last_inbound_at });
    return null;
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, detail: error.message };
    throw error;
  }
}

/** Notes that a provider refuses messages to a person because the person does not want them. */
export async function denyRecipient(ctx: Context, tx: Tx, message: StatusRow): Promise<void> {
  const { partner_id, account_id } = message;
  const recipient = await recipientOf(tx, message);
  const kind = adapterOf(recipient.channel_kind).capabilities.consent;
  if (kind === null) return;
  await optOut(tx, ctx.signer, { partner_id, account_id, kind, address: recipient.address });
  const person = recipient.person_id === null ? null : await personOrNull(tx, ctx.scope, recipient.person_id);
  if (person?.contact_id != null)
    await noteConsent(ctx, tx, person.contact_id, kind, "denied", "The provider reported an opt-out");
}
