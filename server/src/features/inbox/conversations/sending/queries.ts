import { insertValues, valuesOf } from "../../../../platform/db/columns.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";

const COLUMNS = ["partner_id", "message_id", "account_id", "conversation_id", "channel_id", "ordinal", "next_at"] as const;
const insertSend = statement(`insert into message_sends ${insertValues(COLUMNS)}`);

export async function insertSendRow(tx: Queryable, row: Record<(typeof COLUMNS)[number], unknown>): Promise<void> {
  await tx.query(insertSend, valuesOf(row, COLUMNS));
}

const cancelStatement = statement(`
  update messages set status = 'cancelled', status_at = $3, version = version + 1
  where partner_id = $1 and id = $2 and status in ('scheduled', 'queued')
  returning id, account_id, version`);
const deleteSend = statement("delete from message_sends where partner_id = $1 and message_id = $2");

export async function cancelRow(tx: Queryable & { now: Date }, partner_id: string, id: string) {
  const [row] = await tx.query<{ id: string; account_id: string; version: number }>(cancelStatement, [partner_id, id, tx.now]);
  if (row !== undefined) await tx.query(deleteSend, [partner_id, id]);
  return row ?? null;
}
