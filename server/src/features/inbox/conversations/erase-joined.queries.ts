import type { ChangeDraft } from "../../../kernel/changes.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { changesQuery } from "../../../platform/record/changes.ts";
import { deleteAttachments } from "./attachments/queries.ts";

/** What some people wrote in the conversations of others, which only mail has: `from` of a message is an address that is not the conversation's. */
const joinedStatement = statement(`
  select m.id from messages m
  where m.partner_id = $1 and m.author_id = any ($2) and m.direction = 'in' and m.detail ? 'from'`);
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
