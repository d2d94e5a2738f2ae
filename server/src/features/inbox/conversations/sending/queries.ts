import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import type { ChannelKind } from "../../channels/index.ts";
import type { Automatic, Reported, SendStatus } from "./model.ts";

/** A message that is to be sent, as its conversation wrote it. */
export type NewSend = {
  partner_id: string;
  id: string;
  account_id: string;
  conversation_id: string;
  channel_id: string;
  ordinal: number;
};

const insertStatement = statement(`
  insert into message_sends (partner_id, message_id, account_id, conversation_id, channel_id, ordinal, next_at)
  values ($1, $2, $3, $4, $5, $6, $7)`);

/** The insert is not waited for. */
export function insertSend(tx: Tx, message: NewSend, at: Date): void {
  const { partner_id, id, account_id, conversation_id, channel_id, ordinal } = message;
  const values = [partner_id, id, account_id, conversation_id, channel_id, ordinal, at];
  tx.send({ statement: insertStatement, values });
}

const deleteStatement = statement("delete from message_sends s where s.partner_id = $1 and s.message_id = $2");

export async function deleteSend(tx: Queryable, { partner_id, id }: MessageKey): Promise<void> {
  await tx.query(deleteStatement, [partner_id, id]);
}

export type MessageKey = { partner_id: string; id: string };

/** A message as its status depends on it. */
export type StatusRow = MessageKey & {
  account_id: string;
  channel_id: string;
  conversation_id: string;
  status: string;
  provider_id: string | null;
  version: number;
};

export const STATUS_COLUMNS =
  "m.partner_id, m.id, m.account_id, m.channel_id, m.conversation_id, m.status, m.provider_id, m.version";

const byIdStatement = statement(`
  select ${STATUS_COLUMNS} from messages m where m.partner_id = $1 and m.id = $2 and m.direction = 'out' for update`);

/** The message, locked. Whoever changes a message and its place in the queue locks the message first. */
export async function messageForUpdateOrNull(tx: Queryable, partner_id: string, id: string): Promise<StatusRow | null> {
  return (await tx.query<StatusRow>(byIdStatement, [partner_id, id]))[0] ?? null;
}

const byProviderStatement = statement(`
  select ${STATUS_COLUMNS} from messages m
  where m.partner_id = $1 and m.channel_id = $2 and m.provider_id = $3 and m.direction = 'out' for update`);

export async function messageByProviderIdOrNull(
  tx: Queryable,
  partner_id: string,
  channel_id: string,
  provider_id: string,
): Promise<StatusRow | null> {
  return (await tx.query<StatusRow>(byProviderStatement, [partner_id, channel_id, provider_id]))[0] ?? null;
}

const recipientStatement = statement(`
  select c.channel_kind, c.address, c.person_id from conversations c where c.partner_id = $1 and c.id = $2`);

export type Recipient = { channel_kind: ChannelKind; address: string; person_id: string | null };

/** Whom a message is for. */
export async function recipientOf(tx: Queryable, { partner_id, conversation_id }: StatusRow): Promise<Recipient> {
  const [row] = await tx.query<Recipient>(recipientStatement, [partner_id, conversation_id]);
  if (row === undefined) throw new Error(`no conversation ${conversation_id}`);
  return row;
}

const saveStatement = statement(`
  update messages m set status = $3, status_at = $4, error = $5, version = m.version + 1
  where m.partner_id = $1 and m.id = $2
  returning m.version`);

export type SavedStatus = { status: SendStatus; status_at: Date; error: MessageError | null };
export type MessageError = { code: string; detail: string };

/** Gives the new version of the message. */
export async function saveMessageStatus(tx: Queryable, { partner_id, id }: MessageKey, saved: SavedStatus): Promise<number> {
  const error = saved.error === null ? null : JSON.stringify(saved.error);
  const [row] = await tx.query<{ version: number }>(saveStatement, [partner_id, id, saved.status, saved.status_at, error]);
  if (row === undefined) throw new Error(`no message ${id}`);
  return row.version;
}

/** A provider that gives two messages the same id names only the first. */
const providerStatement = statement(`
  update messages m set provider_id = $4, version = m.version + 1
  where m.partner_id = $1 and m.id = $3 and m.provider_id is null and not exists (
    select from messages o where o.partner_id = $1 and o.channel_id = $2 and o.provider_id = $4)
  returning m.version`);

/** Notes what the provider calls a message. Gives the new version, or null where nothing changes. */
export async function saveProviderId(tx: Queryable, message: StatusRow, provider_id: string): Promise<number | null> {
  const { partner_id, channel_id, id } = message;
  const [row] = await tx.query<{ version: number }>(providerStatement, [partner_id, channel_id, id, provider_id]);
  return row?.version ?? null;
}

/** A report of a provider about a message. */
export type Report = {
  status: Reported;
  code: string | null;
  detail: string | null;
  opted_out: boolean;
  at: Date;
};

const parkStatement = statement(`
  insert into parked_statuses (partner_id, channel_id, provider_id, status, code, detail, opted_out, at, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict do nothing`);

export async function insertParked(
  tx: Queryable,
  partner_id: string,
  channel_id: string,
  provider_id: string,
  { status, code, detail, opted_out, at }: Report,
  now: Date,
): Promise<void> {
  await tx.query(parkStatement, [partner_id, channel_id, provider_id, status, code, detail, opted_out, at, now]);
}

const unparkStatement = statement(`
  delete from parked_statuses p where p.partner_id = $1 and p.channel_id = $2 and p.provider_id = $3
  returning p.status, p.code, p.detail, p.opted_out, p.at`);

/** The statuses that came before their message was known, which are no longer parked then. */
export function takeParked(tx: Queryable, partner_id: string, channel_id: string, provider_id: string): Promise<Report[]> {
  return tx.query<Report>(unparkStatement, [partner_id, channel_id, provider_id]);
}

const oldParkedStatement = statement("delete from parked_statuses p where p.created_at < $1 returning 1 as one");

/** Deletes the statuses of all partners that nobody has claimed since. Gives their number. */
export async function deleteParkedBefore(db: Queryable, before: Date): Promise<number> {
  return (await db.query(oldParkedStatement, [before])).length;
}

const automaticStatement = statement(`
  select count(*) filter (where m.conversation_id = $3 and m.created_at > $5)::int as in_conversation, count(*)::int as to_address,
    coalesce((select i.automatic from messages i where i.partner_id = $1 and i.conversation_id = $3 and i.direction = 'in'
      order by i.ordinal desc limit 1), false) as answers_machine
  from conversations c
  join messages m on m.partner_id = $1 and m.conversation_id = c.id
  where c.partner_id = $1 and c.channel_id = $2 and c.address = $4 and m.direction = 'out' and m.automatic and m.created_at > $6
    and m.status in ('sending', 'sent', 'delivered', 'read')`);

const HOUR_MS = 3_600_000;

/** What a channel has sent automatically to an address, in the last hour and the last day. */
export async function automaticBefore(
  tx: Queryable,
  { partner_id, channel_id, conversation_id }: Pick<StatusRow, "partner_id" | "channel_id" | "conversation_id">,
  address: string,
  now: Date,
): Promise<Automatic> {
  const [hour, day] = [HOUR_MS, 24 * HOUR_MS].map((ms) => new Date(now.getTime() - ms));
  const values = [partner_id, channel_id, conversation_id, address, hour, day];
  const [row] = await tx.query<Automatic>(automaticStatement, values);
  return row ?? { in_conversation: 0, to_address: 0, answers_machine: false };
}
