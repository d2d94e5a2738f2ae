import { Refusal } from "../../../../kernel/errors.ts";
import { type Context, createContext, type Services } from "../../../../platform/record/context.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { accountForChange } from "../../../accounts/custom-fields/index.ts";
import { isOpen, payableCents } from "../model.ts";
import { linkForUpdateOrNull, type PaymentLink } from "../queries.ts";
import { reminding, sendNow } from "./commands.ts";
import { MISSED_AFTER_MS } from "./model.ts";
import { endReminder, type Reminder, remindersDue, takeReminder } from "./queries.ts";

const BATCH = 500;

/** Sends the reminders whose time has come, each at most once, whoever else does the same. Returns how many were sent. */
export async function sendReminders(services: Services): Promise<number> {
  let sent = 0;
  for (const reminder of await remindersDue(services.db, services.clock.now(), BATCH)) {
    const ctx = createContext(services, { principal: { type: "system", partner_id: reminder.partner_id } });
    sent += await ctx.tx((tx) => sendReminder(ctx, tx, reminder));
  }
  return sent;
}

async function sendReminder(ctx: Context, tx: Tx, reminder: Reminder): Promise<number> {
  const link = await linkForUpdateOrNull(tx, ctx.scope, reminder.link_id, { now: tx.now, base_url: ctx.settings.baseUrl() });
  if (link === null || !(await takeReminder(tx, reminder))) return 0;
  const reason = reasonAgainst(link, reminder.at, tx.now) ?? (await remind(ctx, tx, link));
  await endReminder(tx, reminder, reason);
  return reason === null ? 1 : 0;
}

/** Why a reminder would be wrong by now; null if it is not. */
function reasonAgainst(link: PaymentLink, at: Date, now: Date): string | null {
  if (!isOpen(link.status)) return link.status;
  if (payableCents(link) === 0) return "being_paid";
  return at.getTime() + MISSED_AFTER_MS <= now.getTime() ? "missed" : null;
}

/** Reminds on each channel that takes it. Returns the last refusal if none does. */
async function remind(ctx: Context, tx: Tx, link: PaymentLink): Promise<string | null> {
  const { channels, ...words } = reminding(link);
  let now = link;
  let reason = "not_sent";
  for (const channel of channels) {
    try {
      now = await tx.savepoint(async () => {
        await accountForChange(ctx, tx, "contact", link.account_id);
        return sendNow(ctx, tx, now, { ...words, channels: [channel] }, "reminder");
      });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      reason = error.explanation.faults?.[0]?.code ?? error.code;
    }
  }
  return now === link ? reason : null;
}
