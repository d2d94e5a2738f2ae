import type { TenantScope } from "../../../../kernel/principal.ts";
import { pollStatement, type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";

const insertMessage = statement(`
  insert into payment_messages (partner_id, link_id, message_id, channel, reminder, created_at) values ($1, $2, $3, $4, $5, $6)`);

/** Notes that a link was sent with a message. */
export async function insertDelivery(
  tx: Tx,
  { partner_id }: TenantScope,
  delivery: { link_id: string; message_id: string; channel: string; reminder: boolean },
): Promise<void> {
  const { link_id, message_id, channel, reminder } = delivery;
  await tx.query(insertMessage, [partner_id, link_id, message_id, channel, reminder, tx.now]);
}

const conversationStatement = statement(`
  select m.conversation_id from payment_messages d join messages m on m.partner_id = $1 and m.id = d.message_id
  where d.partner_id = $1 and d.link_id = $2 and d.channel = $3
  order by d.message_id desc limit 1`);

/** The conversation that a link was sent in before, on a channel. */
export async function conversationOfDelivery(
  tx: Queryable,
  { partner_id }: TenantScope,
  link_id: string,
  channel: string,
): Promise<string | null> {
  const [row] = await tx.query<{ conversation_id: string }>(conversationStatement, [partner_id, link_id, channel]);
  return row?.conversation_id ?? null;
}

const deletePlanned = statement("delete from payment_reminders where partner_id = $1 and link_id = $2 and state = 'planned'");
const insertReminder = statement(`
  insert into payment_reminders (partner_id, link_id, at) values ($1, $2, $3) on conflict do nothing`);

/** Plans the reminders of a link anew. What was sent or skipped stays, and is not planned again. */
export async function replaceReminders(
  tx: Tx,
  { partner_id }: TenantScope,
  link_id: string,
  times: readonly Date[],
): Promise<void> {
  await Promise.all([
    tx.query(deletePlanned, [partner_id, link_id]),
    ...times.map((at) => tx.query(insertReminder, [partner_id, link_id, at])),
  ]);
}

export type Reminder = { partner_id: string; link_id: string; at: Date };

const dueStatement = pollStatement(`
  -- all partners: every minute, by an index of what is planned.
  select partner_id, link_id, at from payment_reminders where state = 'planned' and at <= $1 order by at limit $2`);

/** Reminders whose time has come. */
export function remindersDue(db: Queryable, now: Date, limit: number): Promise<Reminder[]> {
  return db.query(dueStatement, [now, limit]);
}

const takeStatement = statement(`
  select true as found from payment_reminders c
  where c.partner_id = $1 and c.link_id = $2 and c.at = $3 and c.state = 'planned' for update`);

/** Whether a reminder is still planned; whoever asks has it alone. Its link is locked before. */
export async function takeReminder(tx: Queryable, { partner_id, link_id, at }: Reminder): Promise<boolean> {
  return (await tx.query(takeStatement, [partner_id, link_id, at])).length > 0;
}

const endStatement = statement(`
  update payment_reminders set state = $4, reason = $5 where partner_id = $1 and link_id = $2 and at = $3`);

/** Notes what became of a reminder: it was sent, or why not. */
export async function endReminder(tx: Queryable, { partner_id, link_id, at }: Reminder, reason: string | null): Promise<void> {
  await tx.query(endStatement, [partner_id, link_id, at, reason === null ? "sent" : "skipped", reason]);
}
