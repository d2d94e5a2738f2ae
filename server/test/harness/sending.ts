import { newId } from "../../src/kernel/ids.ts";
import type { Sealer } from "../../src/platform/crypto/seal.ts";
import type { TestDatabase } from "./database.ts";
import type { Json } from "./world.ts";

const SID = `AC${"0".repeat(32)}`;

/** The configuration of a channel whose provider is reached at an address, and the path at which its messages arrive. */
export function configOf(kind: "api" | "sms" | "whatsapp", base_url: string): { path: string; config: object; secrets: object } {
  const of = {
    api: { path: "", config: { url: base_url }, secrets: { secret: `whsec_${"c2VjcmV0".repeat(4)}` } },
    sms: {
      path: `/2010-04-01/Accounts/${SID}/Messages.json`,
      config: { account_sid: SID, from: "+14155550100", base_url },
      secrets: { auth_token: "a-secret-token" },
    },
    whatsapp: {
      path: "/10001000/messages",
      config: { phone_number_id: "10001000", base_url },
      secrets: { token: "a-secret-token", app_secret: "a-secret-app", verify_token: "a-secret-verify" },
    },
  }[kind];
  return { ...of, path: new URL(base_url).pathname + of.path };
}

export type ChannelFields = {
  partner_id: string;
  account_id: string;
  kind: string;
  config: object;
  secrets?: object;
  per_minute?: number;
};

export type TestChannel = { id: string; partner_id: string; account_id: string; kind: string };
export type TestConversation = { id: string; channel: TestChannel };

/** A channel straight in the database. */
export async function insertChannel(sql: TestDatabase["sql"], sealer: Sealer, fields: ChannelFields): Promise<TestChannel> {
  const { partner_id, account_id, kind, config, secrets = {}, per_minute = 100_000 } = fields;
  const id = newId("channel", Date.now());
  const sealed = sealer.seal(JSON.stringify(secrets), `channel ${id}`);
  await sql(
    `insert into channels (partner_id, id, account_id, kind, name, config, secrets, token, per_minute, created_at, updated_at)
     values ($1, $2, $3, $4, $2, $5, $6, $2, $7, now(), now())`,
    [partner_id, id, account_id, kind, JSON.stringify(config), sealed, per_minute],
  );
  return { id, partner_id, account_id, kind };
}

let addresses = 0;

/** A conversation of a channel with somebody, who has just written. */
export async function insertConversation(
  sql: TestDatabase["sql"],
  channel: TestChannel,
  { person_id = null, now = new Date() }: { person_id?: string | null; now?: Date } = {},
): Promise<TestConversation> {
  const id = newId("conversation", Date.now());
  addresses += 1;
  await sql(
    `insert into conversations (partner_id, id, account_id, channel_id, channel_kind, address, person_id, reply_token,
       last_message_at, last_inbound_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $2, $8, $8, $8, $8)`,
    [channel.partner_id, id, channel.account_id, channel.id, channel.kind, `+1415555${1_000 + addresses}`, person_id, now],
  );
  return { id, channel };
}

const INSERT_MESSAGE = `
  with c as (
    update conversations set last_ordinal = last_ordinal + 1 where partner_id = $1 and id = $2 returning *
  ), m as (
    insert into messages (partner_id, id, account_id, conversation_id, channel_id, ordinal, direction, kind, author_type, author_id,
      text, status, status_at, purpose, created_at)
    select c.partner_id, $3, c.account_id, c.id, c.channel_id, c.last_ordinal, 'out', 'text', 'system', 'system', $4, $5, $6, $8, $6
    from c returning *
  )
  insert into message_sends (partner_id, message_id, account_id, conversation_id, channel_id, ordinal, next_at)
  select partner_id, id, account_id, conversation_id, channel_id, ordinal, $7 from m`;

export type MessageFields = { text?: string; at?: Date; now?: Date; purpose?: string };

/** A message that waits to be sent, as the request leaves it. Gives its id. */
export async function queueMessage(
  sql: TestDatabase["sql"],
  { id: conversation_id, channel }: TestConversation,
  { text = "Hello", now = new Date(), at = now, purpose = "conversational" }: MessageFields = {},
): Promise<string> {
  const id = newId("message", now.getTime());
  const status = at > now ? "scheduled" : "queued";
  await sql(INSERT_MESSAGE, [channel.partner_id, conversation_id, id, text, status, now, at, purpose]);
  return id;
}

export async function messageRow(sql: TestDatabase["sql"], id: string): Promise<Json> {
  const [row] = await sql("select * from messages where id = $1", [id]);
  return row;
}

/** What came of each call for a message, in their order. */
export async function outcomesOf(sql: TestDatabase["sql"], id: string): Promise<string[]> {
  const rows = await sql<{ outcome: string }>("select outcome from message_attempts where message_id = $1 order by number", [id]);
  return rows.map(({ outcome }) => outcome);
}
