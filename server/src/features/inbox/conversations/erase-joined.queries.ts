import type { ChangeDraft } from "../../../kernel/changes.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { changesQuery } from "../../../platform/record/changes.ts";
import { deleteAttachments } from "./attachments/queries.ts";

/**
 * What some people wrote in the conversations of others, which only mail has: `from` of a message is an address that is not the
 * conversation's. No index has the authors, so the mail of the account is read since the people are known, conversation by conversation
 * (`offset 0` keeps the planner from reading all messages instead). The day is for clocks of processes that differ.
 */
const joinedStatement = statement(`
  with people as (
    select k.account_id, k.created_at from contacts k where k.partner_id = $1 and k.id = any ($2)
    union all
    select l.account_id, l.created_at from leads l where l.partner_id = $1 and l.id = any ($2)
  )
  select j.id from channels h
  join conversations c on c.partner_id = $1 and c.channel_id = h.id
  cross join lateral (
    select m.id from messages m
    where m.partner_id = $1 and m.conversation_id = c.id and m.direction = 'in' and m.author_id = any ($2) and m.detail ? 'from'
    offset 0) j
  where h.partner_id = $1 and h.kind = 'email' and h.account_id in (select p.account_id from people p)
    and c.last_inbound_at >= (select min(p.created_at) from people p) - interval '1 day'`);
const filesOf = statement("select a.id from attachments a where a.partner_id = $1 and a.message_id = any ($2)");
const eraseMessages = statement(`
  update messages set text = '', html = null, subject = null, detail = null, provider_id = null, version = version + 1
  where partner_id = $1 and id = any ($2)
  returning id, account_id, version`);

type Row = Pick<ChangeDraft, "id" | "account_id" | "version">;

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

/** Erases what some people wrote in the conversations of others, with its files. The conversations stay. */
export async function eraseJoined(db: Queryable, partner_id: string, record_ids: readonly string[], now: Date): Promise<void> {
  const ids = idsOf(await db.query<{ id: string }>(joinedStatement, [partner_id, record_ids]));
  if (ids.length === 0) return;
  await deleteAttachments(db, partner_id, idsOf(await db.query<{ id: string }>(filesOf, [partner_id, ids])));
  const erased = await db.query<Row>(eraseMessages, [partner_id, ids]);
  const changes = erased.map((message) => ({ resource: "message", change: "erased", ...message }) as const);
  const { statement: told, values } = changesQuery(partner_id, changes, now);
  await db.query(told, values);
}
