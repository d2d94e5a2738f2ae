import { readPhone } from "../../../../kernel/phone.ts";
import { violatedConstraint } from "../../../../platform/db/connection.ts";
import { takeTurn } from "../../../../platform/db/turn.ts";
import { safeHtml } from "../../../../platform/mail/safe-html.ts";
import { type Context, createContext, type Services } from "../../../../platform/record/context.ts";
import { recordChange, type Tx } from "../../../../platform/record/tx.ts";
import { type Account, accountForInbound } from "../../../accounts/custom-fields/index.ts";
import { contactLikeOrNull, noteConsent, settleContact } from "../../../crm/contacts/index.ts";
import { settleLead } from "../../../crm/leads/index.ts";
import {
  adapterOf,
  type Incoming,
  type IncomingMessage,
  isChannelAddress,
  type OpenChannel,
  optIn,
  optOut,
} from "../../channels/index.ts";
import { storeReceived } from "../attachments/commands.ts";
import { FILE_BYTES_MAX } from "../attachments/model.ts";
import { recordMessage, saveChange } from "../change.commands.ts";
import type { StoredMessage } from "../messages/model.ts";
import { insertMessage } from "../messages/queries.ts";
import { type Conversation, opened, REOPEN_WITHIN_MS } from "../model.ts";
import { personOrNull } from "../people.queries.ts";
import { insertConversation } from "../queries.ts";
import { settleStatus } from "../sending/index.ts";
import { withMedia } from "./media.commands.ts";
import { type Keyword, keywordOf, LEAD_SOURCES, newReplyToken, storable } from "./model.ts";
import {
  addToOpenOrNull,
  conversationByAddressOrNull,
  conversationByReferenceOrNull,
  conversationByTokenOrNull,
  type Found,
  isKnown,
} from "./queries.ts";

/** Takes what a provider says: messages of people, and what became of ours. Each in a transaction of its own. */
export async function receive(services: Services, channel: OpenChannel, items: readonly Incoming[]): Promise<void> {
  for (const item of items) {
    if (item.type === "status") await settleStatus(services, channel, item);
    else await receiveOnce(services, channel, item);
  }
}

/** Messages that are being stored. */
const underway = new Map<string, Promise<void>>();

/** Copies that come while the first one is being stored wait for it, and not for a connection each. */
async function receiveOnce(services: Services, channel: OpenChannel, item: IncomingMessage): Promise<void> {
  const key = `${channel.id} ${item.provider_id}`;
  const first = underway.get(key);
  if (first !== undefined) return first;
  const stored = receiveMessage(services, channel, item).finally(() => underway.delete(key));
  underway.set(key, stored);
  await stored;
}

/** Stores a message of a person, once, however often the provider repeats it. */
async function receiveMessage(services: Services, channel: OpenChannel, item: IncomingMessage): Promise<void> {
  const { partner_id } = channel;
  const ctx = createContext(services, { principal: { type: "system", partner_id, as: { type: "channel", id: channel.id } } });
  // A copy has its files fetched no second time.
  if (item.media !== undefined && (await isKnown(ctx.db, channel, item.provider_id))) return;
  await storeMessage(ctx, channel, await withMedia(services, channel, item));
}

/** A copy that another process stores at the same time is refused by the index of what the provider calls its messages. */
async function storeMessage(ctx: Context, channel: OpenChannel, item: IncomingMessage): Promise<void> {
  const stored = ctx.tx(async (tx) => {
    if (!(await storeNext(ctx, tx, channel, item))) await storeInTurn(ctx, tx, channel, item);
  });
  await stored.catch((error: unknown) => {
    if (violatedConstraint(error) !== "messages_provider_id") throw error;
  });
}

/** Stores the next message of an open conversation, whose update locks it. False where more has to be settled. */
async function storeNext(ctx: Context, tx: Tx, channel: OpenChannel, item: IncomingMessage): Promise<boolean> {
  const { from, thread = "", reply_token, references = [], provider_id, automatic = false } = item;
  // An e-mail may be of one of our own mailboxes.
  if (channel.kind === "email" || reply_token !== undefined || references.length > 0) return false;
  if (keywordIn(channel, item) !== null) return false;
  const id = tx.newId("message");
  const conversation = await addToOpenOrNull(tx, channel, { from, thread, id, provider_id, automatic });
  if (conversation?.person_id == null) return false;
  const before = { ...conversation, last_ordinal: conversation.last_ordinal - 1 };
  const message = await insertIncoming(ctx, tx, channel, item, before, { id, author_id: conversation.person_id, automatic });
  recordMessage(ctx, tx, message, null);
  await ctx.hooks.received(ctx, tx, { conversation, message });
  return true;
}

/** Stores a message that may begin a conversation, or bring a new person. Of one address they are taken one after the other. */
async function storeInTurn(ctx: Context, tx: Tx, channel: OpenChannel, item: IncomingMessage): Promise<void> {
  // The reads are sent along, and answered when it is its turn.
  const [account, , known, found] = await Promise.all([
    accountForInbound(ctx, tx, channel.account_id),
    takeTurn(tx, `inbound ${channel.id} ${item.from}`),
    isKnown(tx, channel, item.provider_id),
    conversationOf(tx, channel, item),
  ]);
  if (known) return;
  const person_id = await settlePerson(ctx, tx, account, channel, item, found);
  const before = await conversationFor(ctx, tx, channel, item, found, person_id);
  await addIncoming(ctx, tx, channel, item, before, person_id);
}

/** The conversation that a message belongs to by what it names: an answer, a message before it, or its sender. */
async function conversationOf(tx: Tx, channel: OpenChannel, item: IncomingMessage): Promise<Found | null> {
  const { from, thread = "", reply_token, references = [] } = item;
  return (
    (reply_token === undefined ? null : await conversationByTokenOrNull(tx, channel, reply_token)) ??
    (references.length === 0 ? null : await conversationByReferenceOrNull(tx, channel, references)) ??
    conversationByAddressOrNull(tx, channel, from, thread)
  );
}

/** That conversation while it goes on, or shortly after its end; later a new one. */
async function conversationFor(
  ctx: Context,
  tx: Tx,
  channel: OpenChannel,
  { from, thread = "", subject }: IncomingMessage,
  found: Conversation | null,
  person_id: string,
): Promise<Conversation> {
  if (found !== null && goesOn(found, tx.now)) return found;
  const { account_id, id: channel_id, kind: channel_kind } = channel;
  const made = await insertConversation(tx, ctx.scope, {
    account_id,
    channel_id,
    channel_kind,
    address: from,
    thread,
    reply_token: newReplyToken(),
    person_id,
    subject: subject === undefined ? null : storable(subject, 200),
    previous_id: found?.id ?? null,
  });
  if (made !== null) {
    recordChange(tx, ctx.scope, { resource: "conversation", change: "created", ...made }, null);
    return made;
  }
  const begun = await conversationByAddressOrNull(tx, channel, from, thread);
  if (begun === null) throw new Error("the conversation was neither found nor made");
  return begun;
}

function goesOn({ status, archived_at, closed_at }: Conversation, now: Date): boolean {
  if (status !== "closed") return true;
  return archived_at === null && closed_at !== null && now.getTime() - closed_at.getTime() <= REOPEN_WITHIN_MS;
}

/** Who wrote: the person of the conversation, the contact with the phone or the e-mail address, or a new contact or lead. */
async function settlePerson(
  ctx: Context,
  tx: Tx,
  account: Account,
  { kind }: OpenChannel,
  { from, profile }: IncomingMessage,
  found: Found | null,
): Promise<string> {
  if (found?.address === from && found.person_id !== null && found.person_lives) return found.person_id;
  const name = storable(profile.name ?? "", 200).trim();
  const { phone } = readPhone(profile.phone ?? "");
  if (phone !== null) return settleContact(ctx, tx, account, { name: name || phone, phone });
  const email = profile.email === undefined || profile.email.length > 254 ? null : profile.email;
  const external_id = profile.external_id ?? null;
  // What somebody types into a web page proves nothing.
  const proven = kind === "webchat" ? null : email;
  const known =
    proven === null && external_id === null ? null : await contactLikeOrNull(ctx, tx, account, { email: proven, external_id });
  const stranger = { name: name || email || from, email: proven, external_id, source: LEAD_SOURCES[kind] };
  return known ?? settleLead(ctx, tx, account, { ...stranger, unproven_email: proven === null ? email : null });
}

/** Adds the message to its conversation, which it opens, and does what its keyword asks for. */
async function addIncoming(
  ctx: Context,
  tx: Tx,
  channel: OpenChannel,
  item: IncomingMessage,
  before: Conversation,
  person_id: string,
): Promise<void> {
  const keyword = await obeyKeyword(ctx, tx, channel, item, person_id);
  const joined = before.address !== item.from;
  // No agent answers a machine, one of our own mailboxes, a keyword, or somebody who joins another's conversation.
  const automatic =
    item.automatic === true ||
    joined ||
    keyword === "stop" ||
    keyword === "start" ||
    (channel.kind === "email" && (await isChannelAddress(tx, ctx.scope, item.from)));
  const id = tx.newId("message");
  const message = await insertIncoming(ctx, tx, channel, item, before, { id, author_id: person_id, automatic });
  const open = before.status === "open" ? before : opened(before);
  const after: Conversation = {
    ...open,
    person_id: joined ? open.person_id : person_id,
    last_ordinal: before.last_ordinal + 1,
    last_message_id: id,
    last_message_at: tx.now,
    last_inbound_at: tx.now,
    unread: open.unread + 1,
    waiting_since: automatic ? open.waiting_since : (open.waiting_since ?? tx.now),
  };
  const conversation = await saveChange(ctx, tx, before, after, { action: null });
  recordMessage(ctx, tx, message, null);
  await ctx.hooks.received(ctx, tx, { conversation, message });
}

/** Inserts a message of a person with its files. */
async function insertIncoming(
  ctx: Context,
  tx: Tx,
  channel: OpenChannel,
  item: IncomingMessage,
  before: Conversation,
  known: Pick<StoredMessage, "id" | "author_id" | "automatic">,
): Promise<StoredMessage> {
  const html = item.html === undefined ? null : await safeHtml(item.html);
  const { missing = [], attachments } = item;
  const dropped = missing.length + (await storeReceived(ctx, tx, channel.account_id, known.id, attachments, FILE_BYTES_MAX));
  const detail = {
    ...item.detail,
    ...(missing.length === 0 ? {} : { missing }),
    ...(dropped === 0 ? {} : { dropped_attachments: dropped }),
    ...(before.address === item.from ? {} : { from: item.from }),
  };
  return insertMessage(tx, ctx.scope, before, {
    ...known,
    direction: "in",
    kind: "text",
    author_type: channel.kind === "webchat" ? "visitor" : "contact",
    subject: item.subject === undefined ? null : storable(item.subject, 1000),
    text: storable(item.text, 100_000),
    html,
    status: "received",
    status_at: item.at < tx.now ? item.at : tx.now,
    provider_id: item.provider_id,
    detail: Object.keys(detail).length === 0 ? null : detail,
  });
}

/** The keyword that a message is, where people can withdraw their consent to the channel. */
function keywordIn({ kind }: OpenChannel, { text }: IncomingMessage): Keyword | null {
  return adapterOf(kind).capabilities.consent === null ? null : keywordOf(text);
}

/** STOP and START hold for the address, whoever has it, and are kept as the consent of the contact. */
async function obeyKeyword(
  ctx: Context,
  tx: Tx,
  channel: OpenChannel,
  item: IncomingMessage,
  person_id: string,
): Promise<Keyword | null> {
  const { consent } = adapterOf(channel.kind).capabilities;
  const keyword = keywordIn(channel, item);
  if (consent === null || keyword === null || keyword === "help") return keyword;
  const { partner_id, account_id } = channel;
  const of = { partner_id, account_id, kind: consent, address: item.from };
  await (keyword === "stop" ? optOut : optIn)(tx, ctx.signer, of);
  const contact_id = (await personOrNull(tx, ctx.scope, person_id))?.contact_id ?? null;
  const source = `Keyword ${item.text.trim().toUpperCase()}`;
  if (contact_id !== null) await noteConsent(ctx, tx, contact_id, consent, keyword === "stop" ? "denied" : "granted", source);
  return keyword;
}
