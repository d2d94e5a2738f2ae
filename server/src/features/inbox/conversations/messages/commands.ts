import { fail, notFound } from "../../../../kernel/errors.ts";
import type { Context } from "../../../../platform/record/context.ts";
import { requireVersion } from "../../../../platform/record/context.ts";
import { recordChange, type Tx } from "../../../../platform/record/tx.ts";
import { admitAccount } from "../../../accounts/custom-fields/index.ts";
import { contactOrNull } from "../../../crm/contacts/index.ts";
import { copyAttachments } from "../attachments/commands.ts";
import { authorOf, lockConversation, recordMessage, saveChange } from "../change.commands.ts";
import { conversationsOfContact, getConversation } from "../commands.ts";
import type { Conversation } from "../model.ts";
import { conversationForUpdateOrNull } from "../queries.ts";
import { cancelSend } from "../sending/index.ts";
import { type Ends, endsOrNull } from "./ends.queries.ts";
import { shownMessage } from "./model.ts";
import {
  insertMessage,
  type MessageRow,
  messageByClientIdOrNull,
  messageOrNull,
  messagesOfAllPage,
  messagesPage,
} from "./queries.ts";
import type { MessageCreate, MessageListQuery, NoteCreate } from "./schema.ts";
import { addOutgoing } from "./send.commands.ts";

export async function listMessages(ctx: Context, id: string, query: MessageListQuery): Promise<{ json: string }> {
  await getConversation(ctx, id);
  return messagesPage(ctx.db, ctx.scope, id, query);
}

/** The messages with a contact on all channels, newest first. */
export async function listContactMessages(ctx: Context, id: string, query: MessageListQuery): Promise<{ json: string }> {
  if ((await contactOrNull(ctx.db, ctx.scope, id)) === null) notFound(id);
  return messagesOfAllPage(ctx.db, ctx.scope, id, await conversationsOfContact(ctx, id), query);
}

export async function getMessage(ctx: Context, id: string): Promise<MessageRow> {
  return (await messageOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
}

/** Sends a message. A client_message_id that was used before answers its message, if that says the same. */
export function sendMessage(ctx: Context, id: string, input: MessageCreate): Promise<SentMessage> {
  const { client_message_id, text, template_id } = input;
  return ctx.tx(async (tx) => {
    // All that it depends on is read in one flight, in this order: what is read under the lock of the conversation is up to date.
    const [conversation, ends, first] = await Promise.all([
      conversationForUpdateOrNull(tx, ctx.scope, id),
      endsOrNull(tx, ctx.scope, id, authorOf(ctx).author_id),
      client_message_id === undefined ? null : messageByClientIdOrNull(tx, ctx.scope, id, client_message_id),
    ]);
    if (conversation === null || ends === null) notFound(id);
    requireVersion(ctx, conversation);
    admitAccount(conversation.account_id, ends.account_status);
    if (first === null) return created(await addOutgoing(ctx, tx, conversation, input, ends), ends);
    const same = template_id === undefined ? (text ?? "") === first.text : template_id === first.template_id;
    if (!same) fail("duplicate_message", { meta: { existing_id: first.id } });
    return { ...first, created: false };
  });
}

type SentMessage = Pick<MessageRow, "id" | "version" | "json"> & { created: boolean };

function created({ message, attachments }: Awaited<ReturnType<typeof addOutgoing>>, { author_name }: Ends): SentMessage {
  return { ...message, json: shownMessage(message, { author_name, attachments }), created: true };
}

/** Adds a note, which only the team sees. */
export function addNote(ctx: Context, id: string, { text }: NoteCreate): Promise<MessageRow> {
  return ctx.tx(async (tx) => {
    const { message } = await noteIn(ctx, tx, await lockConversation(ctx, tx, id), text);
    return (await messageOrNull(tx, ctx.scope, message.id)) ?? notFound(id);
  });
}

/** Adds a note to a locked conversation. */
export async function noteIn(ctx: Context, tx: Tx, before: Conversation, text: string) {
  const note = { id: tx.newId("message"), direction: "out", kind: "note", status: "sent", ...authorOf(ctx), text } as const;
  const message = insertMessage(tx, ctx.scope, before, note);
  recordMessage(ctx, tx, message, "conversations.create_note");
  const after = { ...before, last_ordinal: message.ordinal };
  const conversation = await saveChange(ctx, tx, before, after, { action: "conversations.create_note" });
  return { message, conversation };
}

/** Recalls a message that is scheduled or waits to be sent. What is with the provider cannot be recalled. */
export function cancelMessage(ctx: Context, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    const message = await lockMessage(ctx, tx, id);
    if (message.status === "cancelled") return;
    const cancelled = await cancelSend(tx, { ...message, partner_id: ctx.scope.partner_id });
    if (cancelled === null) {
      const detail = `The message is ${message.status}: only one that is scheduled or queued can be cancelled.`;
      fail("invalid_state_transition", { detail, meta: { from: message.status, allowed: [] } });
    }
    const changes = { status: { from: message.status, to: "cancelled" } };
    recordChange(tx, ctx.scope, { resource: "message", change: "updated", ...cancelled }, { action: "messages.cancel", changes });
  });
}

/** A message, under the lock of its conversation. */
async function lockMessage(ctx: Context, tx: Tx, id: string): Promise<MessageRow> {
  const { conversation_id } = (await messageOrNull(tx, ctx.scope, id)) ?? notFound(id);
  await lockConversation({ ...ctx, expected_version: null }, tx, conversation_id);
  const message = (await messageOrNull(tx, ctx.scope, id)) ?? notFound(id);
  requireVersion(ctx, message);
  return message;
}

const REPEATABLE = ["failed", "cancelled"];

/** Sends a message that failed or was cancelled again, as a new message. */
export function retryMessage(ctx: Context, id: string): Promise<MessageRow> {
  return ctx.tx(async (tx) => {
    const first = await lockMessage(ctx, tx, id);
    const { text, html, subject, purpose, template_id, detail, status } = first;
    if (!REPEATABLE.includes(status)) {
      const says = `The message is ${status}: only one that failed or was cancelled is sent again.`;
      fail("invalid_state_transition", { detail: says, meta: { from: status, allowed: REPEATABLE } });
    }
    const conversation = await lockConversation({ ...ctx, expected_version: null }, tx, first.conversation_id);
    const attachment_ids = await copyAttachments(ctx, tx, conversation.account_id, id);
    const { message } = await addOutgoing(ctx, tx, conversation, {
      text,
      ...(html === null ? {} : { html }),
      ...(subject === null ? {} : { subject }),
      ...(attachment_ids.length === 0 ? {} : { attachment_ids }),
      purpose,
      retry_of: id,
      provider_template: template_id === null ? null : ((detail as { template?: object } | null)?.template ?? null),
    });
    return (await messageOrNull(tx, ctx.scope, message.id)) ?? notFound(id);
  });
}
