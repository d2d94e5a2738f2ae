import { pollStatement, type Queryable } from "../../../platform/db/statement.ts";

export type Due = { partner_id: string; id: string };

const snoozesStatement = pollStatement(`
  -- all partners: every minute, by an index of what is snoozed.
  select partner_id, id from conversations where status = 'snoozed' and snoozed_until <= $1 order by snoozed_until limit $2`);
const returnsStatement = pollStatement(`
  -- all partners: every minute, by an index of what is to be returned.
  select partner_id, id from conversations where return_at <= $1 order by return_at limit $2`);

/** Conversations whose snooze is over. */
export function snoozesDue(db: Queryable, now: Date, limit: number): Promise<Due[]> {
  return db.query(snoozesStatement, [now, limit]);
}

/** Conversations that go back to their agent. */
export function returnsDue(db: Queryable, now: Date, limit: number): Promise<Due[]> {
  return db.query(returnsStatement, [now, limit]);
}
