import { fail } from "../../../../kernel/errors.ts";
import type { Context } from "../../../../platform/record/context.ts";
import { recordChange, type Tx } from "../../../../platform/record/tx.ts";
import { lockLink } from "../change.commands.ts";
import { isOpen } from "../model.ts";
import { type PaymentLink, saveLink } from "../queries.ts";
import type { Remind, Send } from "../schema.ts";
import { deliver, type Occasion, type Sending } from "./deliver.commands.ts";
import { MESSAGES_MAX, REMIND_AGAIN_MS } from "./model.ts";

/** Sends a link to the customer, again if it was sent before. */
export function sendLink(ctx: Context, id: string, input: Send): Promise<PaymentLink> {
  return ctx.tx(async (tx) => {
    const link = await lockLink(ctx, tx, id);
    requireSendable(link);
    return sendNow(ctx, tx, link, input, "request");
  });
}

/** Reminds the customer now, where the link was sent before or where the caller says. */
export function remindLink(ctx: Context, id: string, { channels, template_id }: Remind = {}): Promise<PaymentLink> {
  return ctx.tx(async (tx) => {
    const link = await lockLink(ctx, tx, id);
    requireSendable(link);
    requireRest(link, tx.now);
    const sending = { ...reminding(link), ...(channels && { channels }), ...(template_id && { template_id }) };
    if (sending.channels.length === 0)
      fail("channel_required", {
        detail: "The link was not sent yet: say on which channels to remind.",
        meta: { channel: null },
      });
    return sendNow(ctx, tx, link, sending, "reminder");
  });
}

/** How a payer is reminded: as the link says, else on the channels that it was sent on. */
export function reminding({ remind, deliveries }: PaymentLink): Sending {
  const channels = remind?.channels ?? [...new Set(deliveries.map(({ channel }) => channel))];
  return { channels, template_id: remind?.template_id };
}

/** Sends a locked link and tells of it. */
export async function sendNow(
  ctx: Context,
  tx: Tx,
  link: PaymentLink,
  sending: Sending,
  occasion: Occasion,
): Promise<PaymentLink> {
  await deliver(ctx, tx, link, sending, occasion);
  const saved = await saveLink(tx, ctx.scope, { ...link, version: link.version + 1 }, ctx.settings.baseUrl());
  const action = occasion === "request" ? "payment_links.send" : "payment_links.remind";
  const changes = { channels: { from: null, to: [...sending.channels] } };
  recordChange(tx, ctx.scope, { resource: "payment_link", change: "updated", ...saved }, { action, changes });
  return saved;
}

function requireSendable({ status, deliveries }: PaymentLink): void {
  if (!isOpen(status)) {
    const detail = `A payment link that is ${status.replace("_", " ")} cannot be sent.`;
    fail("invalid_state_transition", { detail, meta: { from: status, allowed: [] } });
  }
  if (deliveries.length >= MESSAGES_MAX)
    fail("send_limit_reached", { detail: `The link was sent ${MESSAGES_MAX} times already.`, meta: { next_at: null } });
}

/** Nobody is reminded twice a day. */
function requireRest({ deliveries }: PaymentLink, now: Date): void {
  const last = deliveries.findLast(({ reminder }) => reminder);
  const next_ms = last === undefined ? 0 : Date.parse(last.created_at) + REMIND_AGAIN_MS;
  if (next_ms <= now.getTime()) return;
  const next_at = new Date(next_ms).toISOString();
  fail("send_limit_reached", { detail: `The customer was reminded already, and can be again at ${next_at}.`, meta: { next_at } });
}
