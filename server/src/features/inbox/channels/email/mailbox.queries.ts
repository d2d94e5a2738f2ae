import { pollStatement, type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Position } from "../../../../platform/mail/mailbox.ts";

type Named = { partner_id: string; id: string };

const keepStatement = statement(`
  insert into mailboxes (partner_id, channel_id) values ($1, $2)
  on conflict (partner_id, channel_id) do update set owner = null, lease_until = null, uid_validity = null, last_uid = 0`);

/** Has the mailbox of a channel read from now on. */
export async function insertMailbox(tx: Queryable, { partner_id, id }: Named): Promise<void> {
  await tx.query(keepStatement, [partner_id, id]);
}

const deleteStatement = statement("delete from mailboxes m where m.partner_id = $1 and m.channel_id = $2");

export async function deleteMailbox(tx: Queryable, { partner_id, id }: Named): Promise<void> {
  await tx.query(deleteStatement, [partner_id, id]);
}

export type ClaimedMailbox = Position & { partner_id: string; channel_id: string };

const dueStatement = pollStatement(`
  select m.partner_id, m.channel_id from mailboxes m where m.lease_until is null or m.lease_until <= $1
  order by m.lease_until nulls first limit $2`);
const claimStatement = statement(`
  update mailboxes m set owner = $3, lease_until = $5
  where m.partner_id = $1 and m.channel_id = $2 and (m.lease_until is null or m.lease_until <= $4)
  returning m.partner_id, m.channel_id, m.uid_validity, m.last_uid`);

export type Lease = { owner: string; now: Date; until: Date };

/** Claims mailboxes of all partners whose turn it is: until the lease ends, nobody else reads them. */
export async function claimMailboxes(db: Queryable, { owner, now, until }: Lease, limit: number): Promise<ClaimedMailbox[]> {
  const due = await db.query<{ partner_id: string; channel_id: string }>(dueStatement, [now, limit]);
  const claims = due.map(({ partner_id, channel_id }) =>
    db.query<ClaimedMailbox>(claimStatement, [partner_id, channel_id, owner, now, until]),
  );
  return (await Promise.all(claims)).flat();
}

const reachedStatement = statement(`
  update mailboxes m set uid_validity = $4, last_uid = $5
  where m.partner_id = $1 and m.channel_id = $2 and m.owner = $3
  returning 1 as held`);

/** Notes how far a mailbox is read; false once another process has it. */
export async function savePosition(
  db: Queryable,
  { partner_id, channel_id }: ClaimedMailbox,
  owner: string,
  { uid_validity, last_uid }: Position,
): Promise<boolean> {
  return (await db.query(reachedStatement, [partner_id, channel_id, owner, uid_validity, last_uid])).length > 0;
}

const releaseStatement = statement(`
  update mailboxes m set owner = null, lease_until = $4 where m.partner_id = $1 and m.channel_id = $2 and m.owner = $3`);

/** Gives a mailbox back, to be read again at a time. */
export async function releaseMailbox(
  db: Queryable,
  { partner_id, channel_id }: ClaimedMailbox,
  owner: string,
  next_at: Date,
): Promise<void> {
  await db.query(releaseStatement, [partner_id, channel_id, owner, next_at]);
}
