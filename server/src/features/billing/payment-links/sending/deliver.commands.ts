import { fail } from "../../../../kernel/errors.ts";
import { amountText } from "../../../../kernel/money.ts";
import { dayIn } from "../../../../kernel/schedule.ts";
import type { Context } from "../../../../platform/record/context.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import type { Consent } from "../../../inbox/channels/index.ts";
import { type Draft, personForShareOrNull, type Recipient, writeTo } from "../../../inbox/conversations/index.ts";
import { refuseMember } from "../model.ts";
import { type PaymentLink, sellerOf } from "../queries.ts";
import { filled } from "../texts.model.ts";
import { conversationOfDelivery, insertDelivery } from "./queries.ts";
import { MESSAGE_TEXTS } from "./texts.model.ts";

/** How a link is sent: on which channels, and in whose words. */
export type Sending = { channels: readonly Consent[]; template_id?: string | undefined };

/** Why it is sent. */
export type Occasion = "request" | "reminder";

/**
 * Sends a locked link to whoever is to pay it, on each of some channels: a message for each, stored and queued in this transaction.
 * What the person does not want is refused, as with any message.
 */
export async function deliver(ctx: Context, tx: Tx, link: PaymentLink, sending: Sending, occasion: Occasion): Promise<void> {
  const draft = await draftOf(ctx, tx, link, sending, occasion);
  for (const channel of sending.channels) {
    const sent = await writeTo(ctx, tx, channel, await recipientOf(ctx, tx, link, channel), draft);
    if ("message" in sent) {
      const reminder = occasion === "reminder";
      await insertDelivery(tx, ctx.scope, { link_id: link.id, message_id: sent.message.id, channel, reminder });
    } else if (sent.missing === "channel") {
      fail("channel_required", { detail: `The account has no channel in use for ${channel}.`, meta: { channel } });
    } else refuseMember("channels", "unreachable", `There is no address of the customer for ${channel}.`);
  }
}

/** The contact as it is now; somebody who is none, or lacks an address, as the link has it. */
async function recipientOf(ctx: Context, tx: Tx, link: PaymentLink, channel: Consent): Promise<Recipient> {
  const { contact_id, account_id, customer } = link;
  const contact = contact_id === null ? null : await personForShareOrNull(tx, ctx.scope, contact_id);
  return {
    account_id,
    person_id: contact?.contact_id ?? null,
    phone: contact?.phone ?? customer.phone,
    email: contact?.email ?? customer.email,
    conversation_id: (await conversationOfDelivery(tx, ctx.scope, link.id, channel)) ?? link.conversation_id,
  };
}

/** The message, the same for all channels. It leaves the conversation to whoever owns it. */
async function draftOf(ctx: Context, tx: Tx, link: PaymentLink, { template_id }: Sending, occasion: Occasion): Promise<Draft> {
  const { company } = await sellerOf(tx, ctx.scope.partner_id, link.account_id);
  const language = link.language ?? "en";
  const amount = amountText(link.amount_due_cents, link.currency, language);
  const day = link.due_on === null ? "" : new Intl.DateTimeFormat(language, DAY_STYLE).format(new Date(link.due_on));
  const values = { seller: company, amount, day, url: link.url };
  const texts = MESSAGE_TEXTS[language];
  const common = { purpose: "transactional", keep_owner: true, automatic: occasion === "reminder" } as const;
  const subject = filled(texts.subject, values);
  if (template_id !== undefined)
    return { ...common, template_id, values: { "link.url": link.url, "link.amount": amount, "link.due_on": day || null } };
  const lines = [filled(texts[sentence(link, occasion, tx.now)], values), link.description, filled(texts.pay_here, values)];
  return { ...common, subject, text: lines.filter((line) => line !== null).join("\n") };
}

const DAY_STYLE = { dateStyle: "long", timeZone: "UTC" } as const;

function sentence({ due_on, timezone }: PaymentLink, occasion: Occasion, now: Date) {
  if (due_on === null) return occasion;
  if (occasion === "request") return "request_due";
  return dayIn(timezone, now) <= due_on ? "reminder_due" : "overdue";
}
