import { type Queryable, statement } from "../db/statement.ts";

/**
 * An e-mail that waits to be sent: its kind, and what it is about, such as the id of a user. The text is made when it is sent, so the
 * queue holds no secret.
 */
export type QueuedMail = { kind: string; about: string; now: Date; expires_at: Date };

const insertStatement = statement(`
  insert into outgoing_mail (kind, about, created_at, due_at, expires_at) values ($1, $2, $3, $3, $4)`);

/** Queues an e-mail. In a transaction it is sent if that commits. */
export async function queueMail(tx: Queryable, { kind, about, now, expires_at }: QueuedMail): Promise<void> {
  await tx.query(insertStatement, [kind, about, now, expires_at]);
}

export type ClaimedMail = { id: string; kind: string; about: string; attempts: number; expires_at: Date };

const claimStatement = statement(`
  update outgoing_mail m set attempts = m.attempts + 1, due_at = $2
  where m.id in (
    select d.id from outgoing_mail d where d.due_at <= $1 order by d.due_at, d.id limit $3 for update skip locked
  )
  returning m.id, m.kind, m.about, m.attempts, m.expires_at`);

/** Claims what is due until `until`: when this process dies, another one sends it then. */
export function claimMail(
  db: Queryable,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<ClaimedMail[]> {
  return db.query<ClaimedMail>(claimStatement, [now, until, limit]);
}

const doneStatement = statement("delete from outgoing_mail where id = $1");

export async function forgetMail(db: Queryable, id: string): Promise<void> {
  await db.query(doneStatement, [id]);
}

const retryStatement = statement("update outgoing_mail set due_at = $2, last_error = $3 where id = $1");

export async function retryMail(db: Queryable, id: string, due_at: Date, error: string): Promise<void> {
  await db.query(retryStatement, [id, due_at, error]);
}
