import { boundClients, type TenantScope } from "../../../kernel/principal.ts";
import { actorName } from "../../../platform/db/actor-name.ts";
import { assignments, columnsOf, insertValues, rowJson, valuesOf } from "../../../platform/db/columns.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { type Tx, unlessTaken } from "../../../platform/record/tx.ts";
import { adapterOf, type ChannelStatus, OFFERED } from "../channels/index.ts";
import { CHANGEABLE, type Conversation, SINCE_MESSAGES } from "./model.ts";
import { contactOf, leadOf, nameOf } from "./people.queries.ts";
import { Conversation as ConversationSchema } from "./schema.ts";

/** Until when anything can be sent, by the kind of channel. */
const WINDOW_UNTIL = `case c.channel_kind ${OFFERED.flatMap((kind) => {
  const hours = adapterOf(kind).capabilities.window_hours;
  return hours === null ? [] : [`when '${kind}' then c.last_inbound_at + interval '${hours} hours'`];
}).join(" ")} else null::timestamptz end`;

const LAST_MESSAGE = `(select json_build_object('id', m.id, 'direction', m.direction, 'kind', m.kind, 'text', left(m.text, 200),
      'status', case when m.kind = 'text' then m.status end, 'created_at', wire_time(m.created_at))
    from messages m where m.partner_id = $1 and m.id = c.last_message_id)`;

/** A conversation as the API shows it, from a row `c` of the partner $1. */
export const CONVERSATION_JSON = rowJson(ConversationSchema, {
  contact_id: contactOf("c.person_id"),
  lead_id: leadOf("c.person_id"),
  person_name: nameOf("c.person_id"),
  owner_name: actorName("c.owner_id", "c.partner_id"),
  last_message: LAST_MESSAGE,
  reply_window_until: `wire_time(${WINDOW_UNTIL})`,
});

const FIXED = [
  "id",
  "account_id",
  "channel_id",
  "channel_kind",
  "address",
  "thread",
  "reply_token",
  "previous_id",
] as const satisfies (keyof Conversation)[];
const COLUMNS = [...FIXED, ...CHANGEABLE, "version"] as const;
/** The columns of a row `c`. */
export const CONVERSATION = columnsOf("c", COLUMNS);

/** A conversation with its JSON for the API. */
export type ConversationRow = Conversation & { json: string };

const INSERTED = ["partner_id", ...FIXED, ...CHANGEABLE, "created_at", "updated_at"] as const;
const insertStatement = statement(`
  insert into conversations as c ${insertValues(INSERTED)} on conflict do nothing returning ${CONVERSATION}`);

export type NewConversation = Pick<
  Conversation,
  "account_id" | "channel_id" | "channel_kind" | "address" | "thread" | "reply_token"
> &
  Partial<Conversation>;

const DEFAULTS = {
  person_id: null,
  subject: null,
  tags: [],
  priority: "normal",
  status: "open",
  owner_kind: "none",
  owner_id: null,
  owner_token: 1,
  return_at: null,
  previous_id: null,
  last_ordinal: 0,
  last_message_id: null,
  last_inbound_at: null,
  unread: 0,
  waiting_since: null,
  snoozed_until: null,
  closed_at: null,
  archived_at: null,
} as const;

/** Begins a conversation; null where there is an open one with the address. It waits for another that is just being begun. */
export async function insertConversation(
  tx: Tx,
  { partner_id }: Pick<TenantScope, "partner_id">,
  conversation: NewConversation,
): Promise<Conversation | null> {
  const times = { last_message_at: tx.now, created_at: tx.now, updated_at: tx.now };
  const row = { ...DEFAULTS, ...times, id: tx.newId("conversation"), ...conversation, partner_id };
  const [inserted] = await tx.query<Conversation>(insertStatement, valuesOf(row, INSERTED));
  return inserted ?? null;
}

const VISIBLE = "c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.account_id = any ($3))";
const byId = statement(`select ${CONVERSATION}, ${CONVERSATION_JSON} as json from conversations c where ${VISIBLE}`);
const lockById = statement(`select ${CONVERSATION} from conversations c where ${VISIBLE} for update`);

/** A conversation that the caller may see. */
export async function conversationOrNull(db: Queryable, scope: TenantScope, id: string): Promise<ConversationRow | null> {
  const [row] = await db.query<ConversationRow>(byId, [scope.partner_id, id, boundClients(scope)]);
  return row ?? null;
}

/** The same, locked: what is done to a conversation happens one after the other. */
export async function conversationForUpdateOrNull(tx: Queryable, scope: TenantScope, id: string): Promise<Conversation | null> {
  const [row] = await tx.query<Conversation>(lockById, [scope.partner_id, id, boundClients(scope)]);
  return row ?? null;
}

const openStatement = statement(`
  select c.id from conversations c
  where c.partner_id = $1 and c.channel_id = $2 and c.address = $3 and c.thread = $4 and c.status <> 'closed'`);

/** The id of the open conversation with an address. */
export async function openConversationId(
  tx: Queryable,
  { partner_id }: TenantScope,
  { channel_id, address, thread }: Pick<Conversation, "channel_id" | "address" | "thread">,
): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(openStatement, [partner_id, channel_id, address, thread]);
  return row?.id ?? null;
}

const SAVED = [...CHANGEABLE, "version", "updated_at"] as const;
const TOUCHED = [...SINCE_MESSAGES, "updated_at"] as const;
const updateOf = (columns: readonly string[]) =>
  statement(`update conversations set ${assignments(columns, 3)} where partner_id = $1 and id = $2`);
const saveStatement = updateOf(SAVED);
const touchStatement = updateOf(TOUCHED);

/** Saves a locked conversation as it is given: all of it, or only what its messages change. The update is not waited for. */
export function saveConversation(
  tx: Tx,
  { partner_id }: Pick<TenantScope, "partner_id">,
  conversation: Conversation,
  all: boolean,
): void {
  const row = { ...conversation, updated_at: tx.now };
  const values = all ? valuesOf(row, SAVED) : valuesOf(row, TOUCHED);
  tx.send({ statement: all ? saveStatement : touchStatement, values: [partner_id, conversation.id, ...values] });
}

/** Saves a locked conversation that was closed; false where it would be open beside another one. */
export async function saveReopened(
  tx: Tx,
  { partner_id }: Pick<TenantScope, "partner_id">,
  conversation: Conversation,
): Promise<boolean> {
  const values = [partner_id, conversation.id, ...valuesOf({ ...conversation, updated_at: tx.now }, SAVED)];
  return (await unlessTaken(tx, () => tx.query(saveStatement, values))) !== null;
}

const readStatement = statement(`
  with c as (
    update conversations set unread = 0
    where partner_id = $1 and id = $2 and ($3::text[] is null or account_id = any ($3))
    returning *)
  select ${CONVERSATION}, ${CONVERSATION_JSON} as json from c`);

/** Marks what the person wrote as read. */
export async function markRead(tx: Queryable, scope: TenantScope, id: string): Promise<ConversationRow | null> {
  const [row] = await tx.query<ConversationRow>(readStatement, [scope.partner_id, id, boundClients(scope)]);
  return row ?? null;
}

const ofPeople = statement("select c.id from conversations c where c.partner_id = $1 and c.person_id = any ($2)");

/** The conversations with some people. */
export async function conversationIdsOf(db: Queryable, { partner_id }: TenantScope, person_ids: readonly string[]) {
  return (await db.query<{ id: string }>(ofPeople, [partner_id, person_ids])).map(({ id }) => id);
}

/** What conversations need to know of their channel. */
export type ChannelState = {
  id: string;
  account_id: string;
  kind: Conversation["channel_kind"];
  status: ChannelStatus;
  agent_id: string | null;
  archived: boolean;
};

const channelStatement = statement(`
  select c.id, c.account_id, c.kind, c.status, c.agent_id, c.archived_at is not null as archived from channels c
  where ${VISIBLE}`);

export async function channelOrNull(db: Queryable, scope: TenantScope, id: string): Promise<ChannelState | null> {
  const [row] = await db.query<ChannelState>(channelStatement, [scope.partner_id, id, boundClients(scope)]);
  return row ?? null;
}

const usableStatement = statement(`
  select c.id, c.account_id, c.kind, c.status, c.agent_id, false as archived from channels c
  where c.partner_id = $1 and c.account_id = $2 and c.kind = any ($3) and c.archived_at is null and c.status <> 'paused'
  order by array_position($3::text[], c.kind), c.status, c.id limit 1`);

/** The first channel of an account that can send, of the first of some kinds that it has. */
export async function usableChannelOrNull(
  tx: Queryable,
  { partner_id }: TenantScope,
  account_id: string,
  kinds: readonly string[],
): Promise<ChannelState | null> {
  const [row] = await tx.query<ChannelState>(usableStatement, [partner_id, account_id, kinds]);
  return row ?? null;
}
