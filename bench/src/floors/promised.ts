// What the promises of a write cost by themselves: node:http, JSON.parse, and one transaction, in one round trip where nothing is read, with the rows that the design
// demands, by the product's own statements in its own tables: the record, its change or event, the audit entry, the stored reply of an
// Idempotency-Key. No key, permission, check of the body, lock of the account, limits or log.
import { clientActivated, clientCreated } from "@tributary/server/src/features/accounts/clients/events.ts";
import { insertClient } from "@tributary/server/src/features/accounts/clients/queries.ts";
import { AUDITED } from "@tributary/server/src/features/billing/payment-links/change.commands.ts";
import { insertQuery, newLinkOf, type PaymentLink } from "@tributary/server/src/features/billing/payment-links/queries.ts";
import { insertContact } from "@tributary/server/src/features/crm/contacts/queries.ts";
import { addToOpenOrNull } from "@tributary/server/src/features/inbox/conversations/inbound/queries.ts";
import { type StoredMessage, shownMessage } from "@tributary/server/src/features/inbox/conversations/messages/model.ts";
import { insertMessage } from "@tributary/server/src/features/inbox/conversations/messages/queries.ts";
import { conversationForUpdateOrNull, saveConversation } from "@tributary/server/src/features/inbox/conversations/queries.ts";
import { insertSend } from "@tributary/server/src/features/inbox/conversations/sending/queries.ts";
import { newId } from "@tributary/server/src/kernel/ids.ts";
import type { KeyPrincipal, TenantScope } from "@tributary/server/src/kernel/principal.ts";
import type { Sealer } from "@tributary/server/src/platform/crypto/seal.ts";
import { openDatabase } from "@tributary/server/src/platform/db/database.ts";
import { randomToken, tokenQuery } from "@tributary/server/src/platform/http/public-tokens.ts";
import { changesBetween } from "@tributary/server/src/platform/record/audit.ts";
import { fingerprint, replyQuery } from "@tributary/server/src/platform/record/idempotency.ts";
import { createTx, record, recordChange, type Tx } from "@tributary/server/src/platform/record/tx.ts";
import pg from "pg";
import { answer, POOL_SIZE, readBody, readSetting, refuse, serve } from "./floor.ts";
import { newLink } from "./new-link.ts";
import { type Upserted, upsertQuery } from "./upsert-statement.ts";

const { connection, partner_id } = readSetting();
const scope: TenantScope = { partner_id, clients: "all" };
const db = openDatabase(connection, POOL_SIZE);
const { key_id, house_id, channels } = await readOnce();
const credential = { hash: Buffer.alloc(32), version: 1, ip: "127.0.0.1" };
const principal = { type: "key", partner_id, key_id, credential } as unknown as KeyPrincipal;
const NO_SECRETS = {} as Sealer;

async function readOnce() {
  const client = new pg.Client(connection);
  await client.connect();
  const keys = await client.query<{ id: string }>("select id from keys where partner_id = $1 limit 1", [partner_id]);
  const houses = await client.query<{ id: string }>("select id from clients where partner_id = $1 and house", [partner_id]);
  const found = await client.query<{ id: string; token: string }>("select id, token from channels where partner_id = $1", [
    partner_id,
  ]);
  await client.end();
  const [key_id = "", house_id = ""] = [keys, houses].map(({ rows }) => rows[0]?.id);
  return { key_id, house_id, channels: new Map(found.rows.map(({ token, id }) => [token, id])) };
}

type Write = (tx: Tx, body: string, path: string) => Promise<string>;

async function createContact(tx: Tx, body: string): Promise<string> {
  const { account_id, ...given } = JSON.parse(body);
  const fields = { ...given, notes: null, custom: {}, owner_id: null, external_id: null };
  const contact = await insertContact(tx, scope, account_id, fields, false);
  if (contact === null) throw new Error("there was such a contact");
  recordChange(tx, scope, { resource: "contact", change: "created", ...contact }, { action: "contacts.create" });
  return contact.json;
}

async function upsertContact(tx: Tx, body: string): Promise<string> {
  const { statement, values } = upsertQuery(partner_id, body, tx.now);
  const [contact] = await tx.query<Upserted>(statement, values);
  if (contact === undefined) throw new Error("no contact was written");
  recordChange(tx, scope, { resource: "contact", change: "updated", ...contact }, { action: "contacts.upsert" });
  return contact.json;
}

async function createClient(tx: Tx, body: string): Promise<string> {
  const fields = { ...JSON.parse(body), currency: "usd", branding: null, tags: [] };
  const made = { ...fields, id: tx.newId("client"), house: false, status: "active", snapshots: [] };
  const client = await insertClient(tx, scope, made);
  const audit = { action: "clients.create", target: client.id, client_id: client.id };
  record(tx, scope, [clientCreated(client, [], null), clientActivated(client, "pending")], audit);
  return client.json;
}

async function createPaymentLink(tx: Tx, body: string): Promise<string> {
  const link = newLink(body, house_id, randomToken(), tx.now);
  const made = newLinkOf(link, { now: tx.now, base_url: "http://127.0.0.1" });
  tx.send(tokenQuery(link.token, { kind: "pay", partner_id, target_id: link.id }));
  tx.send(insertQuery(scope, link, tx.now));
  const changes = changesBetween<Partial<PaymentLink>>({}, made, AUDITED);
  const audit = { action: "payment_links.create", changes };
  recordChange(tx, scope, { resource: "payment_link", change: "created", ...made }, audit);
  return made.json;
}

async function sendMessage(tx: Tx, body: string, path: string): Promise<string> {
  const before = await conversationForUpdateOrNull(tx, scope, /cnv_\w+/.exec(path)?.[0] ?? "");
  if (before === null) throw new Error("no conversation");
  const from = { direction: "out", author_type: "key", author_id: key_id, status: "queued" } as const;
  const message = insertMessage(tx, scope, before, {
    id: tx.newId("message"),
    kind: "text",
    ...from,
    text: JSON.parse(body).text,
  });
  const last = { last_ordinal: message.ordinal, last_message_id: message.id, last_message_at: tx.now };
  saveConversation(tx, scope, { ...before, ...last }, false);
  insertSend(tx, { ...message, partner_id }, tx.now);
  noteMessage(tx, message, { action: "conversations.send" });
  return shownMessage(message, { author_name: null, attachments: [] });
}

async function receiveMessage(tx: Tx, body: string, path: string): Promise<string> {
  const channel = { partner_id, id: channels.get(path.slice(path.lastIndexOf("/") + 1)) ?? "" };
  const { text, id: provider_id, from: address } = JSON.parse(body);
  const id = tx.newId("message");
  const after = await addToOpenOrNull(tx, channel, { from: address, thread: "", id, provider_id, automatic: false });
  if (after === null) throw new Error("no conversation");
  const from = { direction: "in", author_type: "contact", author_id: after.person_id ?? "", status: "received" } as const;
  const before = { ...after, last_ordinal: after.last_ordinal - 1 };
  noteMessage(tx, insertMessage(tx, scope, before, { id, kind: "text", ...from, text, provider_id }), null);
  return "";
}

type Noted = Pick<StoredMessage, "id" | "account_id" | "version">;

function noteMessage(tx: Tx, { id, account_id, version }: Noted, audit: { action: string } | null): void {
  recordChange(tx, scope, { resource: "message", change: "created", id, account_id, version }, audit);
}

const WRITES: [RegExp, number, Write][] = [
  [/^\/v1\/contacts$/, 201, createContact],
  [/^\/v1\/contacts\/upsert$/, 200, upsertContact],
  [/^\/v1\/partners\/clients$/, 201, createClient],
  [/^\/v1\/billing\/payment-links$/, 201, createPaymentLink],
  [/^\/v1\/conversations\/\w+\/messages$/, 201, sendMessage],
  [/^\/hooks\//, 200, receiveMessage],
];

serve((request, response) => {
  const { url = "", headers } = request;
  const [, status, write] = WRITES.find(([path]) => path.test(url)) ?? [null, 500, createContact];
  readBody(request)
    .then((body) => perform(write, body, url, status, headers["idempotency-key"]))
    .then(
      (json) => answer(response, status, json),
      (error: unknown) => refuse(response, error),
    );
});

/** A write with what it records, and its stored reply, in one transaction. */
function perform(write: Write, body: string, path: string, status: number, key: string | string[] | undefined): Promise<string> {
  return db.transaction(() => {
    const now = new Date();
    const origin = { request_id: newId("request", now.getTime()), ip: "127.0.0.1" };
    const wakes = { queued: new Set<string>(), changed: new Set<string>(), channels: new Map<string, string>() };
    let told: ReturnType<typeof createTx>["told"] = () => [];
    const request = (reply: string) => ({
      key: `${path} ${key}`,
      fingerprint: fingerprint("POST", path, {}, JSON.parse(body)),
      secret: false,
      respond: () => ({ status, headers: {}, body: reply }),
    });
    return {
      at_once: true,
      open: async () => undefined,
      run(sender) {
        const made = createTx(sender, now, { principal, origin, fanOut: () => [], ...wakes });
        told = made.told;
        return write(made.tx, body, path);
      },
      close: (reply) => [
        ...told(),
        ...(key === undefined ? [] : [replyQuery(NO_SECRETS, principal, request(reply), reply, now)]),
      ],
    };
  });
}
