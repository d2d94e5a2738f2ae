import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import type { OpenChannel } from "../../channels/index.ts";
import type { Conversation } from "../model.ts";
import { personLives, personLivesPlainly } from "../people.queries.ts";
import { CONVERSATION } from "../queries.ts";

type Channel = Pick<OpenChannel, "partner_id" | "id">;

/** A conversation that a message may belong to, and whether its person still exists. */
export type Found = Conversation & { person_lives: boolean };
const FOUND = `${CONVERSATION}, ${personLives("c.person_id")} as person_lives`;

const knownStatement = statement(`
  select 1 as known from messages m where m.partner_id = $1 and m.channel_id = $2 and m.provider_id = $3`);

/** Whether a message of the provider is stored already. */
export async function isKnown(db: Queryable, { partner_id, id }: Channel, provider_id: string): Promise<boolean> {
  return (await db.query(knownStatement, [partner_id, id, provider_id])).length > 0;
}

const byToken = statement(`
  select ${FOUND} from conversations c
  where c.partner_id = $1 and c.channel_id = $2 and c.channel_kind = 'email' and c.reply_token = $3
  for update`);

/** The conversation that an answer names, locked. */
export async function conversationByTokenOrNull(tx: Queryable, { partner_id, id }: Channel, token: string) {
  const [row] = await tx.query<Found>(byToken, [partner_id, id, token]);
  return row ?? null;
}

const byReference = statement(`
  select ${FOUND} from conversations c
  where c.partner_id = $1 and c.id = (
    select m.conversation_id from messages m
    where m.partner_id = $1 and m.channel_id = $2 and m.provider_id = any ($3)
    order by m.id desc limit 1)
  for update`);

/** The conversation of the newest message that an answer refers to, locked. */
export async function conversationByReferenceOrNull(tx: Queryable, { partner_id, id }: Channel, references: readonly string[]) {
  const [row] = await tx.query<Found>(byReference, [partner_id, id, references]);
  return row ?? null;
}

const byAddress = statement(`
  select ${FOUND} from conversations c
  where c.partner_id = $1 and c.channel_id = $2 and c.address = $3 and c.thread = $4
  order by (c.status <> 'closed') desc, c.last_message_at desc limit 1
  for update`);

/** The open conversation with an address, else the last one; locked. */
export async function conversationByAddressOrNull(
  tx: Queryable,
  { partner_id, id }: Channel,
  address: string,
  thread: string,
): Promise<Found | null> {
  const [row] = await tx.query<Found>(byAddress, [partner_id, id, address, thread]);
  return row ?? null;
}

const addToOpen = statement(`
  update conversations c set last_ordinal = c.last_ordinal + 1, last_message_id = $6, last_message_at = $7, last_inbound_at = $7,
    unread = c.unread + 1, waiting_since = case when $8 then c.waiting_since else coalesce(c.waiting_since, $7) end, updated_at = $7
  where c.partner_id = $1 and c.channel_id = $2 and c.address = $3 and c.thread = $4 and c.status = 'open'
    and ${personLivesPlainly("c.person_id")}
    and not exists (select from messages m where m.partner_id = $1 and m.channel_id = $2 and m.provider_id = $5)
  returning ${CONVERSATION}`);

type Next = { from: string; thread: string; id: string; provider_id: string; automatic: boolean };

/**
 * Makes room for one more message in the open conversation with an address, which it locks. Null where there is none, where its person may
 * have been deleted, and where the message is stored already.
 */
export async function addToOpenOrNull(tx: Tx, channel: Channel, next: Next): Promise<Conversation | null> {
  const { from, thread, id, provider_id, automatic } = next;
  const values = [channel.partner_id, channel.id, from, thread, provider_id, id, tx.now, automatic];
  return (await tx.query<Conversation>(addToOpen, values))[0] ?? null;
}
