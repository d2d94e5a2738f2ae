import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import type { OpenChannel, Visitor } from "../../channels/index.ts";
import { STATUS_COLUMNS, type StatusRow } from "../sending/queries.ts";
import type { Place } from "./model.ts";

type Channel = Pick<OpenChannel, "partner_id" | "id">;

/** A message as visitors see it. Notes, events, and who of the team wrote are not for them. */
const SHOWN = `m.conversation_id, m.ordinal, json_build_object(
    'id', m.conversation_id || '.' || m.ordinal,
    'from', case m.direction when 'in' then 'visitor' else 'team' end,
    'text', m.text,
    'at', wire_time(m.created_at),
    'client_message_id', case m.direction when 'in' then m.provider_id end)::text as json`;

const OF_VISITOR = `messages m join conversations c on c.partner_id = $1 and c.id = m.conversation_id
  where m.partner_id = $1 and c.channel_id = $2 and c.address = $3`;
const VISIBLE = "m.kind = 'text' and (m.direction = 'in' or m.status in ('sent', 'delivered', 'read'))";

export type ThreadRow = Place & { json: string };

const afterStatement = statement(`
  select ${SHOWN} from ${OF_VISITOR} and ${VISIBLE} and (m.conversation_id, m.ordinal) > ($4, $5::int)
  order by m.conversation_id, m.ordinal limit $6`);

/** What follows a place in a visitor's thread, in its order. */
export function threadAfter(
  db: Queryable,
  { partner_id, id }: Channel,
  { address }: Visitor,
  { conversation_id, ordinal }: Place,
  limit: number,
): Promise<ThreadRow[]> {
  return db.query<ThreadRow>(afterStatement, [partner_id, id, address, conversation_id, ordinal, limit]);
}

const beforeStatement = statement(`
  select ${SHOWN} from ${OF_VISITOR} and ${VISIBLE} and ($4::text is null or (m.conversation_id, m.ordinal) < ($4, $5::int))
  order by m.conversation_id desc, m.ordinal desc limit $6`);

/** What comes before a place, the newest first; without one, the end of the thread. */
export function threadBefore(
  db: Queryable,
  { partner_id, id }: Channel,
  { address }: Visitor,
  before: Place | null,
  limit: number,
): Promise<ThreadRow[]> {
  const values = [partner_id, id, address, before?.conversation_id ?? null, before?.ordinal ?? 0, limit];
  return db.query<ThreadRow>(beforeStatement, values);
}

const ownStatement = statement(`select m.text, ${SHOWN} from ${OF_VISITOR} and m.provider_id = $4`);

/** A message of a visitor by the id that the page gave it. */
export async function ownMessageOrNull(db: Queryable, { partner_id, id }: Channel, { address }: Visitor, client_id: string) {
  const [row] = await db.query<ThreadRow & { text: string }>(ownStatement, [partner_id, id, address, client_id]);
  return row ?? null;
}

const addressStatement = statement(`
  select c.channel_id, c.address from messages m
  join conversations c on c.partner_id = $1 and c.id = m.conversation_id
  where m.partner_id = $1 and m.id = $2`);

/** Whose thread a message belongs to. */
export async function addressOfMessage(db: Queryable, partner_id: string, message_id: string) {
  const [row] = await db.query<{ channel_id: string; address: string }>(addressStatement, [partner_id, message_id]);
  return row ?? null;
}

const unreadStatement = statement(`
  select ${STATUS_COLUMNS} from ${OF_VISITOR} and m.conversation_id = $4 and m.ordinal <= $5::int
    and m.kind = 'text' and m.direction = 'out' and m.status in ('sent', 'delivered')
  order by m.ordinal limit 200 for update of m`);

/** What a visitor was sent up to a place and has not read yet, locked. */
export function unreadUpTo(
  tx: Queryable,
  { partner_id, id }: Channel,
  { address }: Visitor,
  { conversation_id, ordinal }: Place,
): Promise<StatusRow[]> {
  return tx.query<StatusRow>(unreadStatement, [partner_id, id, address, conversation_id, ordinal]);
}

const moveStatement = statement(`
  update conversations c set address = $4, updated_at = $5, version = c.version + 1
  where c.partner_id = $1 and c.channel_id = $2 and c.address = $3 and not exists (
    select from conversations o where o.partner_id = $1 and o.channel_id = $2 and o.address = $4)
  returning c.id, c.account_id, c.version`);

/** Gives a thread to another address that has none. */
export function moveThread(tx: Tx, { partner_id, id }: Channel, from: Visitor, to: Visitor) {
  const values = [partner_id, id, from.address, to.address, tx.now];
  return tx.query<{ id: string; account_id: string; version: number }>(moveStatement, values);
}
