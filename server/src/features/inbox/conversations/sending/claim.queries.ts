import { pollStatement, type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { MessageKey } from "./queries.ts";

/** So many due messages are looked at. Where there are more, the channels are asked one by one. */
export const LOOK_MAX = 500;

/** A channel with messages that are due, and how many were seen. */
export type DueChannel = { partner_id: string; channel_id: string; due: number };

/** Channels that are paused or in error, and accounts and partners that are not active, keep their messages. */
const SENDABLE = `c.archived_at is not null or (
    c.status = 'active' and a.status not in ('suspended', 'churned') and p.status = 'active')`;
const OWNERS = `
  join clients a on a.partner_id = c.partner_id and a.id = c.account_id
  join partners p on p.id = c.partner_id`;

/** One scan of an index, whose cost does not depend on how much waits for later. */
const dueStatement = pollStatement(`
  select d.partner_id, d.channel_id, count(*)::int as due, bool_and(${SENDABLE}) as sendable
  from (select s.partner_id, s.channel_id from message_sends s where s.next_at <= $1 order by s.next_at limit ${LOOK_MAX}) d
  join channels c on c.partner_id = d.partner_id and c.id = d.channel_id ${OWNERS}
  group by d.partner_id, d.channel_id`);

/** What waits in one channel, such as one that is paused, must not hide the messages of another. */
const backlogStatement = pollStatement(`
  select c.partner_id, c.id as channel_id, ${LOOK_MAX} as due
  from channels c ${OWNERS} cross join lateral (
    select from message_sends s where s.partner_id = c.partner_id and s.channel_id = c.id and s.next_at <= $1 limit 1
  ) d
  where ${SENDABLE}`);

export async function dueChannels(db: Queryable, now: Date): Promise<DueChannel[]> {
  const due = await db.query<DueChannel & { sendable: boolean }>(dueStatement, [now]);
  const seen = due.reduce((sum, one) => sum + one.due, 0);
  return seen < LOOK_MAX ? due.filter(({ sendable }) => sendable) : db.query<DueChannel>(backlogStatement, [now]);
}

const shareStatement = statement("select from channels c where c.partner_id = $1 and c.id = $2 for share");

/** What stops a channel, a pause or an error, waits for a claim: no message is claimed after it has committed. */
export async function shareChannel(tx: Queryable, partner_id: string, channel_id: string): Promise<void> {
  await tx.query(shareStatement, [partner_id, channel_id]);
}

/** A message that is due, locked with its place in the queue. */
export type DueSend = MessageKey & {
  account_id: string;
  conversation_id: string;
  channel_id: string;
  status: string;
  subject: string | null;
  text: string;
  html: string | null;
  purpose: string;
  template_id: string | null;
  automatic: boolean;
  detail: Record<string, unknown> | null;
  version: number;
  provider_id: string | null;
  address: string;
  reply_token: string;
  person_id: string | null;
  last_inbound_at: Date | null;
  attempts: number;
  claimed_by: string | null;
  claimed_until: Date | null;
  /** What came of the attempt before. */
  last_code: string | null;
};

/**
 * The message of a channel that is due for longest and is the first of its conversation: none before it is due, on its way,
 * or about to be tried again. What another process has locked is not waited for.
 */
const nextStatement = statement(`
  select m.partner_id, m.id, m.account_id, m.conversation_id, m.channel_id, m.status, m.subject, m.text, m.html, m.purpose, m.template_id,
    m.automatic, m.detail, m.version, m.provider_id, c.address, c.reply_token, c.person_id, c.last_inbound_at, s.attempts, s.claimed_by, s.claimed_until,
    (select a.code from message_attempts a where a.partner_id = $1 and a.message_id = m.id order by a.number desc limit 1) as last_code
  from message_sends s
  join messages m on m.partner_id = $1 and m.id = s.message_id
  join conversations c on c.partner_id = $1 and c.id = s.conversation_id
  where s.partner_id = $1 and s.channel_id = $2 and s.next_at <= $3 and not exists (
    select from message_sends e
    where e.partner_id = $1 and e.conversation_id = s.conversation_id and e.ordinal < s.ordinal
      and (e.next_at <= $3 or (e.attempts > 0 and e.next_at <= $4)))
  order by s.next_at, s.message_id limit 1
  for update of s, m skip locked`);

export async function nextSendOrNull(
  tx: Queryable,
  partner_id: string,
  channel_id: string,
  now: Date,
  soon: Date,
): Promise<DueSend | null> {
  return (await tx.query<DueSend>(nextStatement, [partner_id, channel_id, now, soon]))[0] ?? null;
}

const accountStatement = statement(`
  select a.status as account, p.status as partner from clients a join partners p on p.id = $1
  where a.partner_id = $1 and a.id = $2
  for share of a`);

/** The states of an account and of its partner. A suspension of the account waits for a claim, so none commits after it has answered. */
export async function statesOf(
  tx: Queryable,
  partner_id: string,
  account_id: string,
): Promise<{ account: string; partner: string } | null> {
  return (await tx.query<{ account: string; partner: string }>(accountStatement, [partner_id, account_id]))[0] ?? null;
}

const claimStatement = statement(`
  update message_sends s set attempts = s.attempts + 1, claimed_by = $3, claimed_until = $4, next_at = $4
  where s.partner_id = $1 and s.message_id = $2`);

/** Due again when the claim runs out: whoever finds it then knows that its process died. */
export async function claimSend(tx: Queryable, { partner_id, id }: MessageKey, claim: string, until: Date): Promise<void> {
  await tx.query(claimStatement, [partner_id, id, claim, until]);
}

const heldStatement = statement(
  "select s.claimed_by from message_sends s where s.partner_id = $1 and s.message_id = $2 for update",
);

/** Whether a claim still holds. Asked with the message locked. */
export async function isHeld(tx: Queryable, { partner_id, id }: MessageKey, claim: string): Promise<boolean> {
  const [row] = await tx.query<{ claimed_by: string | null }>(heldStatement, [partner_id, id]);
  return row?.claimed_by === claim;
}

const postponeStatement = statement(`
  update message_sends s set claimed_by = null, claimed_until = null, next_at = $3, attempts = $4
  where s.partner_id = $1 and s.message_id = $2`);

/** Gives a message back to the queue. */
export async function postponeSend(
  tx: Queryable,
  { partner_id, id }: MessageKey,
  next_at: Date,
  attempts: number,
): Promise<void> {
  await tx.query(postponeStatement, [partner_id, id, next_at, attempts]);
}

export type AttemptRow = { started_at: Date; duration_ms: number; outcome: string; code: string | null; detail: string | null };

/** Numbered without gaps: the message is locked by whoever adds one. */
const attemptStatement = statement(`
  insert into message_attempts (partner_id, message_id, number, started_at, duration_ms, outcome, code, detail)
  select $1, $2, coalesce(max(a.number), 0) + 1, $3, $4, $5, $6, $7
  from message_attempts a where a.partner_id = $1 and a.message_id = $2`);

export async function insertAttempt(tx: Queryable, { partner_id, id }: MessageKey, attempt: AttemptRow): Promise<void> {
  const { started_at, duration_ms, outcome, code, detail } = attempt;
  await tx.query(attemptStatement, [partner_id, id, started_at, duration_ms, outcome, code, detail]);
}
