import { crc32 } from "node:zlib";
import { notFound } from "../../../kernel/errors.ts";
import { readPhone } from "../../../kernel/phone.ts";
import type { Context } from "../../../platform/record/context.ts";
import { recordChange, type Tx } from "../../../platform/record/tx.ts";
import { accountForChange } from "../../accounts/custom-fields/index.ts";
import { familyOf } from "../../crm/contacts/index.ts";
import { leadsOf } from "../../crm/leads/index.ts";
import { adapterOf } from "../channels/index.ts";
import { currentConversation, lockConversation, refuseMember, refuseSecond, saveChange } from "./change.commands.ts";
import { newReplyToken } from "./inbound/model.ts";
import { conversationsPage, countWaiting } from "./list.queries.ts";
import { personOf } from "./messages/render.commands.ts";
import { addOutgoing } from "./messages/send.commands.ts";
import { type Conversation, closed, opened, snoozed } from "./model.ts";
import { personByAddressOrNull, personForShareOrNull } from "./people.queries.ts";
import {
  type ChannelState,
  type ConversationRow,
  channelOrNull,
  conversationIdsOf,
  conversationOrNull,
  insertConversation,
  markRead,
} from "./queries.ts";
import type { ConversationCreate, ConversationListQuery, ConversationPatch, Snooze, WaitingQuery } from "./schema.ts";

export async function listConversations(ctx: Context, query: ConversationListQuery): Promise<{ json: string }> {
  return conversationsPage(ctx.db, ctx.scope, query, await peopleOf(ctx, query));
}

export async function countWaitingConversations(ctx: Context, { account_id }: WaitingQuery): Promise<{ json: string }> {
  return { json: JSON.stringify({ waiting: await countWaiting(ctx.db, ctx.scope, account_id) }) };
}

/** The people that a list is limited to: a contact with everybody who was merged into it, a lead, or nobody who is both. */
async function peopleOf(ctx: Context, { contact_id, lead_id }: ConversationListQuery): Promise<string[] | null> {
  if (contact_id === undefined) return lead_id === undefined ? null : [lead_id];
  const people = await peopleOfContact(ctx, contact_id);
  return lead_id === undefined ? people : people.filter((id) => id === lead_id);
}

/** The ids that conversations of a contact may have: its own, and those of contacts and leads that became it. */
export async function peopleOfContact(ctx: Context, contact_id: string): Promise<string[]> {
  const family = await familyOf(ctx.db, ctx.scope, contact_id);
  return [...family, ...(await leadsOf(ctx.db, ctx.scope, family))];
}

/** A conversation shows more than its version stands for: its last message, what is unread, and the name of the person. */
export async function getConversation(ctx: Context, id: string): Promise<ConversationRow & { etag: string }> {
  const conversation = (await conversationOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
  return { ...conversation, etag: `${conversation.version}-${crc32(conversation.json)}` };
}

/** Begins a conversation, with a first message if there is one. */
export function createConversation(ctx: Context, input: ConversationCreate): Promise<ConversationRow> {
  const { channel_id, contact_id, lead_id, address: given, text, template_id, vars, purpose, ...fields } = input;
  return ctx.tx(async (tx) => {
    const channel =
      (await channelOrNull(tx, ctx.scope, channel_id)) ??
      refuseMember("channel_id", "unknown_channel", `The channel ${channel_id} was not found.`);
    if (channel.archived) refuseMember("channel_id", "archived_channel", "The channel is archived.");
    await accountForChange(ctx, tx, "contact", channel.account_id);
    const { address, person_id } = await recipientOf(ctx, tx, channel, input);
    const reply_token = newReplyToken();
    const begun = {
      account_id: channel.account_id,
      channel_id,
      channel_kind: channel.kind,
      address,
      // Each e-mail that begins a conversation begins a thread; elsewhere an address has one.
      thread: channel.kind === "email" ? reply_token : "",
      reply_token,
      person_id,
      ...fields,
    };
    const made = (await insertConversation(tx, ctx.scope, begun)) ?? (await refuseSecond(ctx, tx, begun));
    recordChange(tx, ctx.scope, { resource: "conversation", change: "created", ...made }, { action: "conversations.create" });
    if (text !== undefined || template_id !== undefined) await addOutgoing(ctx, tx, made, { text, template_id, vars, purpose });
    return currentConversation(ctx, tx, made.id);
  });
}

/** Where a new conversation goes, and to whom. */
async function recipientOf(ctx: Context, tx: Tx, channel: ChannelState, input: ConversationCreate) {
  const { contact_id, lead_id, address: given } = input;
  const wanted = Object.entries({ contact_id, lead_id, address: given }).filter(([, value]) => value !== undefined);
  if (wanted.length !== 1) refuseMember("contact_id", "one_recipient", "Send one of contact_id, lead_id and address.");
  const { addressOf } = adapterOf(channel.kind);
  const unreachable = (what: string) => `${what} cannot be reached on a channel of the kind ${channel.kind}.`;
  if (given !== undefined) {
    const person = { phone: readPhone(given).phone, email: given.includes("@") ? given.toLowerCase() : null, external_id: given };
    const address = addressOf(person) ?? refuseMember("address", "unreachable", unreachable("The address"));
    return { address, person_id: await personByAddressOrNull(tx, ctx.scope, channel.account_id, person) };
  }
  const [[member = "", person_id = ""] = []] = wanted;
  const person = await personOf(ctx, tx, channel.account_id, person_id, member, personForShareOrNull);
  const address = addressOf(person) ?? refuseMember(member, "unreachable", unreachable("The person"));
  return { address, person_id };
}

export function updateConversation(ctx: Context, id: string, patch: ConversationPatch): Promise<ConversationRow> {
  return changing(ctx, id, "conversations.update", (before) => ({ ...before, ...patch }));
}

/** Archives a conversation: it is closed, leaves the lists, and is never reopened. */
export async function archiveConversation(ctx: Context, id: string): Promise<void> {
  await changing(ctx, id, "conversations.archive", (before, now) =>
    before.archived_at === null ? { ...closed(before, now), archived_at: now } : before,
  );
}

export function closeConversation(ctx: Context, id: string): Promise<ConversationRow> {
  return changing(ctx, id, "conversations.close", closed, { type: "closed" });
}

export function reopenConversation(ctx: Context, id: string): Promise<ConversationRow> {
  return changing(ctx, id, "conversations.reopen", opened, { type: "reopened" });
}

export function snoozeConversation(ctx: Context, id: string, { until }: Snooze): Promise<ConversationRow> {
  const wake_at = new Date(until);
  const change = (before: Conversation, now: Date) => {
    if (wake_at <= now) refuseMember("until", "not_in_future", "until must be in the future.");
    return snoozed(before, wake_at);
  };
  return changing(ctx, id, "conversations.snooze", change, { type: "snoozed", until: wake_at.toISOString() });
}

type Event = NonNullable<Parameters<typeof saveChange>[4]["event"]>;

function changing(
  ctx: Context,
  id: string,
  action: string,
  change: (before: Conversation, now: Date) => Conversation,
  event?: Event,
): Promise<ConversationRow> {
  return ctx.tx(async (tx) => {
    const before = await lockConversation(ctx, tx, id);
    await saveChange(ctx, tx, before, change(before, tx.now), { action, ...(event === undefined ? {} : { event }) });
    return currentConversation(ctx, tx, id);
  });
}

/** Marks a conversation as read. That changes no version and is nothing to record. */
export function readConversation(ctx: Context, id: string): Promise<ConversationRow> {
  return ctx.tx(async (tx) => (await markRead(tx, ctx.scope, id)) ?? notFound(id));
}

export async function conversationsOfContact(ctx: Context, contact_id: string): Promise<string[]> {
  return conversationIdsOf(ctx.db, ctx.scope, await peopleOfContact(ctx, contact_id));
}
