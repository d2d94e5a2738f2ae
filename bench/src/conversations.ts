import { newId } from "@tributary/server/src/kernel/ids.ts";
import { signatureHeaders } from "@tributary/server/src/platform/crypto/webhook-signature.ts";
import pg from "pg";
import { personOf } from "./people.ts";
import { cycle, requestBytes } from "./requests.ts";
import type { FloorRow, Row } from "./rows.ts";
import { createKeys, raiseLimits } from "./seed.ts";
import type { Stage } from "./stage.ts";

/** Providers call through a proxy, so that each call has an address, and its own limit. */
export const INBOX_SETTINGS = { TRUSTED_PROXIES: "127.0.0.1/32" };

const SECRET = "whsec_bm90IGEgc2VjcmV0LCBqdXN0IGFuIGV4YW1wbGU=";
const CHANNELS = 20;
/** How many messages a conversation has. */
const LENGTH = 10;
const CHUNK = 5_000;
const DAY_MS = 86_400_000;
const GOAL_GROWN = 1 / 1.15;

export type Inbox = {
  keys: string[];
  account_id: string;
  channels: { id: string; token: string }[];
  conversation_ids: string[];
};

/** Conversations of ten messages each on twenty channels, over the last year, each with a contact and an owner. Nothing is sent: the channels are paused. */
export async function seedInbox(stage: Stage, messages: number): Promise<Inbox> {
  const { owner, secrets, login } = stage;
  await raiseLimits(owner, secrets.partner_id);
  const keys = await createKeys(secrets.base_url, secrets.api_key, 8);
  const { rows } = await owner.query<{ id: string }>("select id from clients where partner_id = $1 and house", [
    secrets.partner_id,
  ]);
  const account_id = rows[0]?.id ?? "";
  const channels: Inbox["channels"] = [];
  for (let index = 0; index < CHANNELS; index += 1) channels.push(await makeChannel(stage, account_id, index));
  const count = messages / LENGTH;
  const now_ms = Date.now();
  const instants = Array.from({ length: count }, (_, index) => now_ms - Math.floor(((count - index) / count) * 365 * DAY_MS));
  const conversation_ids = instants.map((instant_ms) => newId("conversation", instant_ms));
  for (let start = 0; start < count; start += CHUNK) {
    const end = Math.min(start + CHUNK, count);
    await insertConversations(owner, secrets.partner_id, account_id, channels, instants.slice(start, end), {
      ids: conversation_ids.slice(start, end),
      start,
    });
  }
  await owner.query("create table bench_messages (like messages including all)");
  await owner.query(`grant select, insert on bench_messages to ${pg.escapeIdentifier(login)}`);
  await owner.query("vacuum analyze");
  return { keys, account_id, channels, conversation_ids };
}

async function makeChannel({ secrets }: Stage, account_id: string, index: number): Promise<{ id: string; token: string }> {
  const headers = { authorization: `Bearer ${secrets.api_key}`, "content-type": "application/json" };
  const given = { config: { url: "https://provider.example/messages" }, secrets: { secret: SECRET }, status: "paused" };
  const body = JSON.stringify({ account_id, kind: "api", name: `Bench ${index}`, per_minute: 100_000, ...given });
  const reply = await fetch(`${secrets.base_url}/v1/channels`, { method: "POST", headers, body });
  const { id, hook_path } = (await reply.json()) as { id?: string; hook_path: string };
  if (id === undefined) throw new Error(`a channel was not made: ${reply.status}`);
  return { id, token: hook_path.slice(hook_path.lastIndexOf("/") + 1) };
}

async function insertConversations(
  owner: pg.Pool,
  partner_id: string,
  account_id: string,
  channels: Inbox["channels"],
  instants: readonly number[],
  { ids, start }: { ids: readonly string[]; start: number },
): Promise<void> {
  const at = instants.map((instant_ms) => new Date(instant_ms));
  const contact_ids = instants.map((instant_ms) => newId("contact", instant_ms));
  const people = instants.map((_, index) => personOf(start + index));
  await owner.query(
    `insert into contacts (partner_id, id, account_id, name, phone, email, external_id, created_at, updated_at)
     select $1, s.id, $2, s.name, s.phone, s.email, 'visitor-' || $3 + s.n - 1, s.at, s.at
     from unnest($4::text[], $5::timestamptz[], $6::text[], $7::text[], $8::text[]) with ordinality as s (id, at, name, phone, email, n)`,
    [
      partner_id,
      account_id,
      start,
      contact_ids,
      at,
      people.map(({ name }) => name),
      people.map(({ phone }) => phone),
      people.map(({ email }) => email),
    ],
  );
  await owner.query(
    `insert into conversations (partner_id, id, account_id, channel_id, channel_kind, address, person_id, reply_token, last_ordinal,
       last_message_at, last_inbound_at, unread, owner_kind, owner_id, created_at, updated_at)
     select $1, s.id, $2, ($4::text[])[1 + ($3 + s.n - 1) % ${CHANNELS}], 'api', 'visitor-' || $3 + s.n - 1, s.person, md5(s.id), ${LENGTH},
       s.at, s.at, (s.n % 5)::int, 'human', 'usr_00000000000000000000000001', s.at, s.at
     from unnest($5::text[], $6::text[], $7::timestamptz[]) with ordinality as s (id, person, at, n)`,
    [partner_id, account_id, start, channels.map(({ id }) => id), ids, contact_ids, at],
  );
  await owner.query(
    `with made as (
       insert into messages (partner_id, id, account_id, conversation_id, channel_id, ordinal, direction, kind, author_type, author_id, text,
         status, status_at, provider_id, created_at)
       select $1, 'msg_' || substr(c.id, 5, 24) || lpad(o.n::text, 2, '0'), c.account_id, c.id, c.channel_id, o.n,
         case o.n % 2 when 0 then 'out' else 'in' end, 'text', 'contact', c.person_id,
         'Message ' || o.n || ' about the appointment of ' || c.address, case o.n % 2 when 0 then 'sent' else 'received' end,
         c.created_at, 'seed-' || c.id || '-' || o.n, c.created_at
       from conversations c, generate_series(1, ${LENGTH}) as o (n) where c.partner_id = $1 and c.id = any ($2)
       returning id, conversation_id, ordinal
     )
     update conversations c set last_message_id = m.id from made m
     where c.partner_id = $1 and c.id = m.conversation_id and m.ordinal = ${LENGTH}`,
    [partner_id, ids],
  );
}

let made = 0;

/** What is measured of an inbox against plain inserts of the message alone. */
export function inboxRows({ keys, channels, conversation_ids }: Inbox): FloorRow[] {
  const nextKey = cycle(keys);
  const nextConversation = cycle(conversation_ids);
  return [
    { name: "receive a message", goal: 0.4, floor: "insert-message", nextRequest: () => hookBytes(channels) },
    {
      name: "send a message",
      goal: 0.5,
      floor: "insert-message",
      nextRequest: () => {
        made += 1;
        const body = JSON.stringify({ text: `Message ${made} about the appointment` });
        const path = `/v1/conversations/${nextConversation()}/messages`;
        return requestBytes(nextKey(), "POST", path, body, { "idempotency-key": `bench-${made}` });
      },
    },
  ];
}

/** A person whom the channel knows writes a message, as the provider signs it. */
function hookBytes(channels: Inbox["channels"]): Buffer {
  made += 1;
  const who = made % 1_000;
  const { token } = channels[who % CHANNELS] ?? { token: "" };
  const item = { type: "message", id: `in-${made}`, from: `visitor-${who}`, text: `Message ${made} about the appointment` };
  const body = Buffer.from(JSON.stringify(item));
  const at_seconds = Math.floor(Date.now() / 1000);
  const signed = signatureHeaders({ brand: "Tributary", event_id: item.id, secrets: [SECRET], body, at_seconds });
  const headers = {
    host: "127.0.0.1",
    "content-type": "application/json",
    "content-length": String(body.length),
    "x-forwarded-for": `198.18.${(made >> 8) & 255}.${made & 255}`,
    ...signed,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`POST /hooks/${token} HTTP/1.1\r\n${lines.join("")}\r\n`), body]);
}

const LISTS: Record<string, string> = {
  conversations: "/conversations?limit=50",
  "unread conversations": "/conversations?limit=50&status=open&unread=true",
};

/** The same requests to a large inbox and, as its floor, to a small one. */
export function grownInboxRows(large: Inbox, small: Inbox): Row[] {
  const requests = ({ keys }: Inbox, nextPath: () => string) => {
    const nextKey = cycle(keys);
    return () => requestBytes(nextKey(), "GET", `/v1${nextPath()}`);
  };
  const threads = ({ conversation_ids }: Inbox) => {
    const every = Math.max(1, Math.floor(conversation_ids.length / 1_000));
    return cycle(
      conversation_ids.filter((_, index) => index % every === 0).map((id) => `/conversations/${id}/messages?limit=${LENGTH}`),
    );
  };
  const lists = Object.entries(LISTS).map(([name, path]) => ({
    name,
    nextRequest: requests(large, () => path),
    floorRequest: requests(small, () => path),
  }));
  return [
    ...lists,
    { name: "thread", nextRequest: requests(large, threads(large)), floorRequest: requests(small, threads(small)) },
  ].map((row) => ({ ...row, name: `grown: ${row.name}`, goal: GOAL_GROWN, same_within: 0.1 }));
}
