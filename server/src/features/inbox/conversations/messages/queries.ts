import { listIdentity } from "../../../../kernel/page.ts";
import { boundClients, type TenantScope } from "../../../../kernel/principal.ts";
import { columnsOf, insertValues, rowJson, valuesOf } from "../../../../platform/db/columns.ts";
import { anyOf, byCreation, byNumber, keysetPage } from "../../../../platform/db/keyset.ts";
import { type Query, type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import type { Conversation } from "../model.ts";
import { type LastMail, MESSAGE_DEFAULTS, type Message, type NewMessage, type StoredMessage } from "./model.ts";
import { type MessageListQuery, Message as MessageSchema } from "./schema.ts";

/** Read when it is shown, so that a renaming counts and an erasure is complete. */
const AUTHOR_NAME = `case
    when c.author_type = 'user' then (select n.name from users n where n.id = c.author_id and n.partner_id = c.partner_id)
    when c.author_type = 'key' then (select n.name from keys n where n.id = c.author_id and n.partner_id = c.partner_id)
    when c.author_id like 'con\\_%' then (select n.name from contacts n where n.partner_id = $1 and n.id = c.author_id)
    when c.author_id like 'lead\\_%' then (select n.name from leads n where n.partner_id = $1 and n.id = c.author_id) end`;

/** Who wrote a message, from a row `c` of the partner $1. */
export const AUTHOR_JSON = `json_build_object('type', c.author_type, 'id', c.author_id, 'name', ${AUTHOR_NAME})`;

/** A message as the API shows it, from a row `c` of the partner $1. */
export const MESSAGE_JSON = rowJson(MessageSchema, {
  author: AUTHOR_JSON,
  dropped_attachments: "coalesce((c.detail ->> 'dropped_attachments')::int, 0)",
  status: "case when c.kind = 'text' then c.status end",
  event: "case when c.kind = 'event' then c.detail end",
  attachments: `coalesce((select json_agg(json_build_object('id', a.id, 'name', a.name, 'media_type', a.media_type, 'bytes', a.bytes)
      order by a.position) from attachments a where a.partner_id = $1 and a.message_id = c.id), '[]')`,
});

const COLUMNS = [
  "id",
  "account_id",
  "conversation_id",
  "channel_id",
  "ordinal",
  "direction",
  "kind",
  "author_type",
  "author_id",
  "subject",
  "text",
  "html",
  "status",
  "status_at",
  "provider_id",
  "client_message_id",
  "purpose",
  "template_id",
  "automatic",
  "retry_of",
  "detail",
  "scheduled_at",
] as const satisfies (keyof Message)[];

/** A message with its JSON for the API. */
export type MessageRow = Message & { version: number; json: string };
const MESSAGE = `${columnsOf("c", COLUMNS)}, c.version, ${MESSAGE_JSON} as json`;

const INSERTED = ["partner_id", ...COLUMNS, "created_at"] as const;
const insertStatement = statement(`insert into messages ${insertValues(INSERTED)}`);

/** A message at the ordinal that comes next in its conversation, and its insert. */
export function messageInsert(
  { partner_id }: Pick<TenantScope, "partner_id">,
  conversation: Pick<Conversation, "id" | "account_id" | "channel_id" | "last_ordinal">,
  message: NewMessage,
  now: Date,
): { row: StoredMessage; insert: Query } {
  const { id: conversation_id, account_id, channel_id, last_ordinal } = conversation;
  const place = { account_id, conversation_id, channel_id, ordinal: last_ordinal + 1 };
  const row = { ...MESSAGE_DEFAULTS, status_at: now, ...message, ...place, created_at: now, version: 1 };
  return { row, insert: { statement: insertStatement, values: valuesOf({ ...row, partner_id }, INSERTED) } };
}

/** Adds a message to a locked conversation. The insert is not waited for: nothing of it is only known afterwards. */
export function insertMessage(
  tx: Tx,
  scope: Pick<TenantScope, "partner_id">,
  conversation: Conversation,
  message: NewMessage,
): StoredMessage {
  const { row, insert } = messageInsert(scope, conversation, message, tx.now);
  tx.send(insert);
  return row;
}

const VISIBLE = "c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.account_id = any ($3))";
const byId = statement(`select ${MESSAGE} from messages c where ${VISIBLE}`);

/** A message that the caller may see. */
export async function messageOrNull(db: Queryable, scope: TenantScope, id: string): Promise<MessageRow | null> {
  const [row] = await db.query<MessageRow>(byId, [scope.partner_id, id, boundClients(scope)]);
  return row ?? null;
}

const byClientId = statement(`
  select ${MESSAGE} from messages c where c.partner_id = $1 and c.conversation_id = $2 and c.client_message_id = $3`);

export async function messageByClientIdOrNull(tx: Queryable, scope: TenantScope, conversation_id: string, client_id: string) {
  const [row] = await tx.query<MessageRow>(byClientId, [scope.partner_id, conversation_id, client_id]);
  return row ?? null;
}

const lastMailStatement = statement(`
  select m.provider_id, m.detail from messages m
  where m.partner_id = $1 and m.conversation_id = $2 and m.kind = 'text' and (m.detail ? 'message_id' or m.provider_id like '<%>')
  order by m.ordinal desc limit 1`);

/** The last e-mail of a conversation that another one can refer to. */
export async function lastMailOrNull(tx: Queryable, scope: TenantScope, conversation_id: string): Promise<LastMail | null> {
  return (await tx.query<LastMail>(lastMailStatement, [scope.partner_id, conversation_id]))[0] ?? null;
}

/** The messages of a conversation, newest first. */
export function messagesPage(db: Queryable, scope: TenantScope, conversation_id: string, query: MessageListQuery) {
  const { kind } = query;
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("messages", { conversation_id, kind }),
      table: "messages",
      json: MESSAGE_JSON,
      sort: byNumber("c.ordinal", true),
      conditions: (place) => [
        `c.conversation_id = ${place(conversation_id)}`,
        ...(kind === undefined ? [] : [anyOf("c.kind", kind, place)]),
      ],
    },
    query,
  );
}

/** The messages of some conversations together, newest first. They are found by their conversations, and then sorted. */
export function messagesOfAllPage(
  db: Queryable,
  scope: TenantScope,
  person: string,
  conversation_ids: readonly string[],
  query: MessageListQuery,
) {
  const { kind } = query;
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("messages of", { person, kind }),
      table: "messages",
      json: MESSAGE_JSON,
      sort: byCreation(true),
      conditions: (place) => (kind === undefined ? [] : [anyOf("c.kind", kind, place)]),
      search: { cheap: false, conditions: (row, place) => [anyOf(`${row}.conversation_id`, conversation_ids, place)] },
    },
    query,
  );
}

const dealStatement = statement(`
  select d.name, s.name as stage, d.amount_cents, d.currency
  from deals d join stages s on s.partner_id = $1 and s.id = d.stage_id
  where d.partner_id = $1 and d.contact_id = $2 and d.account_id = $3 and d.status = 'open' and d.deleted_at is null
  order by d.id desc limit 1`);

export type DealRow = { name: string; stage: string; amount_cents: number | null; currency: string };

/** The newest open deal of a contact, for templates. */
export async function dealOfOrNull(db: Queryable, { partner_id }: TenantScope, account_id: string, contact_id: string) {
  return (await db.query<DealRow>(dealStatement, [partner_id, contact_id, account_id]))[0] ?? null;
}

const accountNameStatement = statement("select c.company from clients c where c.partner_id = $1 and c.id = $2");

/** The name of an account, for templates. */
export async function accountNameOf(db: Queryable, { partner_id }: TenantScope, account_id: string): Promise<string> {
  const [row] = await db.query<{ company: string }>(accountNameStatement, [partner_id, account_id]);
  return row?.company ?? "";
}
