import type { ChangeDraft } from "../../../kernel/changes.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { changesQuery } from "../../../platform/record/changes.ts";
import { deleteAttachments } from "./attachments/queries.ts";

const lockOfPeople = statement(`
  select c.id from conversations c where c.partner_id = $1 and c.person_id = any ($2) order by c.id for update`);
const ofPeople = statement("select c.id from conversations c where c.partner_id = $1 and c.person_id = any ($2)");
const filesOf = statement(`
  select a.id from attachments a
  where a.partner_id = $1 and a.message_id in (select m.id from messages m where m.partner_id = $1 and m.conversation_id = any ($2))`);
const forgetSends = statement("delete from message_sends where partner_id = $1 and conversation_id = any ($2)");
const eraseMessages = statement(`
  update messages set text = '', html = null, subject = null, detail = null, error = null, provider_id = null,
    status = case when status in ('scheduled', 'queued') then 'cancelled' when status = 'sending' then 'failed' else status end,
    version = version + 1
  where partner_id = $1 and conversation_id = any ($2)
  returning id, account_id, version`);
/** A provider may repeat an address or a text in what it says of an attempt. */
const eraseAttempts = statement(`
  update message_attempts set detail = null
  where partner_id = $1 and detail is not null
    and message_id in (select m.id from messages m where m.partner_id = $1 and m.conversation_id = any ($2))`);
const eraseRows = statement(`
  update conversations set address = 'erased_' || id, subject = null, tags = '{}', status = 'closed', snoozed_until = null,
    closed_at = coalesce(closed_at, $3), archived_at = coalesce(archived_at, $3), owner_kind = 'none', owner_id = null,
    owner_token = owner_token + 1, return_at = null, waiting_since = null, unread = 0, updated_at = $3, version = version + 1
  where partner_id = $1 and id = any ($2)
  returning id, account_id, version`);

type Erased = Pick<ChangeDraft, "id" | "account_id" | "version">;

const idsOf = async (rows: Promise<{ id: string }[]>) => (await rows).map(({ id }) => id);

/**
 * Erases what was written with some people, with its files. What waits to be sent is not sent, and what is being sent counts as failed unless it is
 * reported as delivered: nobody tries it again. Ids and times stay. Whoever follows the changes is told: copies elsewhere are to be erased, too.
 */
export async function eraseConversations(
  db: Queryable,
  partner_id: string,
  record_ids: readonly string[],
  now: Date,
): Promise<void> {
  // Whatever is being written is erased, too: the locks wait for it, and a later statement sees what was begun meanwhile.
  const people = [partner_id, record_ids];
  const [, ids] = await Promise.all([db.query(lockOfPeople, people), idsOf(db.query(ofPeople, people))]);
  if (ids.length === 0) return;
  await deleteAttachments(db, partner_id, await idsOf(db.query(filesOf, [partner_id, ids])));
  await db.query(forgetSends, [partner_id, ids]);
  await db.query(eraseAttempts, [partner_id, ids]);
  const messages = await db.query<Erased>(eraseMessages, [partner_id, ids]);
  const conversations = await db.query<Erased>(eraseRows, [partner_id, ids, now]);
  const changes = [
    ...messages.map((one) => ({ resource: "message", change: "erased", ...one }) as const),
    ...conversations.map((one) => ({ resource: "conversation", change: "erased", ...one }) as const),
  ];
  const { statement: told, values } = changesQuery(partner_id, changes, now);
  await db.query(told, values);
}

const anyWith = statement("select 1 as found from conversations c where c.partner_id = $1 and c.person_id = $2 limit 1");

/** Whether there is a conversation with a contact. */
export async function contactInUse(tx: Queryable, partner_id: string, contact_id: string): Promise<boolean> {
  return (await tx.query(anyWith, [partner_id, contact_id])).length > 0;
}
