import { fail } from "../../../../kernel/errors.ts";
import type { Context } from "../../../../platform/record/context.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { templateOrNull, type Values } from "../../../accounts/templates/index.ts";
import { adapterOf, type Capabilities, optedOutAt } from "../../channels/index.ts";
import { attach } from "../attachments/commands.ts";
import type { AttachedFile } from "../attachments/queries.ts";
import { authorOf, recordMessage, refuseMember, saveChange } from "../change.commands.ts";
import { type Conversation, opened, ownedAfterReply, requireToken } from "../model.ts";
import type { PersonRow } from "../people.queries.ts";
import { enqueue } from "../sending/index.ts";
import { type Ends, endsOrNull } from "./ends.queries.ts";
import { checkConsent, type NewMessage, type Purpose, type StoredMessage, threadAfter, windowUntil } from "./model.ts";
import { insertMessage, lastMailOrNull } from "./queries.ts";
import { renderTemplate } from "./render.commands.ts";
import type { MessageCreate } from "./schema.ts";

/** What is to be sent. An agent gives the token that its turn began with. */
export type Draft = { [Member in keyof MessageCreate]?: MessageCreate[Member] | undefined } & {
  automatic?: boolean;
  retry_of?: string;
  /** What placeholders of a template stand for that only the sender knows, such as `link.url`. */
  values?: Values;
  /** The template of the provider of the message that is repeated. */
  provider_template?: object | null;
};

type Content = Pick<NewMessage, "text"> & Partial<NewMessage>;

/**
 * Adds a message to a locked conversation and queues it for sending. It is refused to whoever does not want it, outside the reply
 * window, and under a stale owner_token. A person who answers takes the conversation over from an agent.
 */
export async function addOutgoing(
  ctx: Context,
  tx: Tx,
  before: Conversation,
  draft: Draft,
  known?: Ends,
): Promise<{ message: StoredMessage; conversation: Conversation; attachments: readonly AttachedFile[] }> {
  if (draft.channel !== undefined && draft.channel !== before.channel_kind)
    fail("unsupported_channel", { detail: `The conversation is on ${before.channel_kind}.` });
  requireToken(before, draft.owner_token);
  const { capabilities, at_once = false } = adapterOf(before.channel_kind);
  const author = authorOf(ctx);
  const ends = known ?? (await endsOrNull(tx, ctx.scope, before.id, author.author_id));
  if (ends === null) throw new Error(`no conversation ${before.id}`);
  const { person, channel } = ends;
  if (channel.archived) fail("invalid_state_transition", { detail: "The channel of the conversation is archived." });
  const { purpose = "conversational" } = draft;
  await refuseUnwanted(ctx, tx, before, person, capabilities, purpose);
  const content = await contentOf(ctx, tx, before, person, draft);
  checkContent(content, draft, capabilities, before, tx.now);
  const threaded = before.channel_kind === "email" ? await inThread(ctx, tx, before, content) : content;
  const at = scheduledAt(draft, tx.now);
  if (at_once) refuseLater(before, at, channel);
  const id = tx.newId("message");
  const { attachment_ids } = draft;
  const attachments = attachment_ids === undefined ? [] : await attach(ctx, tx, before.account_id, id, attachment_ids);
  const message = insertMessage(tx, ctx.scope, before, {
    id,
    direction: "out",
    kind: "text",
    ...author,
    ...threaded,
    status: at_once ? "sent" : at === null ? "queued" : "scheduled",
    client_message_id: draft.client_message_id ?? null,
    purpose,
    automatic: draft.automatic ?? false,
    retry_of: draft.retry_of ?? null,
    scheduled_at: at,
  });
  recordMessage(ctx, tx, message, "conversations.send");
  const conversation = await saveChange(ctx, tx, before, afterMessage(before, message, draft), { action: "conversations.reply" });
  if (!at_once) enqueue(tx, { ...message, partner_id: ctx.scope.partner_id }, at ?? tx.now);
  return { message, conversation, attachments };
}

function afterMessage(before: Conversation, message: StoredMessage, { keep_owner = false }: Draft): Conversation {
  const { author_type, author_id } = message;
  const by_human = author_type === "key" || author_type === "user";
  const open = before.status === "closed" ? opened(before) : before;
  return {
    ...(by_human && !keep_owner ? ownedAfterReply(open, author_id) : open),
    last_ordinal: message.ordinal,
    last_message_id: message.id,
    last_message_at: message.created_at,
    waiting_since: null,
    ...(by_human ? { unread: 0 } : {}),
  };
}

async function refuseUnwanted(
  ctx: Context,
  tx: Tx,
  { account_id, address, last_inbound_at }: Conversation,
  person: PersonRow | null,
  { consent: kind }: Capabilities,
  purpose: Purpose,
): Promise<void> {
  if (kind === null) return;
  const opted_out_at = await optedOutAt(tx, ctx.signer, { partner_id: ctx.scope.partner_id, account_id, kind, address });
  checkConsent(person?.consent[kind], { opted_out_at, kind, purpose, last_inbound_at });
}

/** The words of a message: its own, or those of a template. */
async function contentOf(
  ctx: Context,
  tx: Tx,
  { account_id }: Conversation,
  person: PersonRow | null,
  draft: Draft,
): Promise<Content> {
  const { text, html = null, subject = null, template_id, vars, attachment_ids } = draft;
  if (template_id === undefined) {
    if (vars !== undefined) refuseMember("vars", "not_of_text", "vars are the values of a template.");
    if (text === undefined && attachment_ids === undefined)
      refuseMember("text", "content_required", "A message has a text, a template_id or attachment_ids.");
    const detail = draft.provider_template == null ? null : { template: draft.provider_template };
    return { text: text ?? "", html, subject, detail };
  }
  if (text !== undefined || html !== null)
    refuseMember("template_id", "not_with_text", "Send a text or a template_id, not both.");
  const template = await templateOrNull(tx, ctx.scope, template_id);
  if (template === null || template.archived || template.account_id !== account_id)
    return refuseMember("template_id", "unknown_template", `The template ${template_id} was not found in the account.`);
  const rendered = await renderTemplate(ctx, tx, template, person, { vars, values: draft.values });
  const { missing } = rendered;
  if (missing.length > 0)
    fail("template_variable_missing", { detail: `The template needs ${missing.join(", ")}.`, meta: { missing } });
  const detail = rendered.provider === null ? null : { template: rendered.provider };
  return { text: rendered.text, subject: subject ?? rendered.subject, template_id, detail };
}

/** An e-mail answers the last one of the conversation, under its subject. */
async function inThread(ctx: Context, tx: Tx, { id, subject }: Conversation, content: Content): Promise<Content> {
  const last = await lastMailOrNull(tx, ctx.scope, id);
  const answered = last === null || subject === null || /^re:/i.test(subject) ? subject : `Re: ${subject}`;
  const thread = last === null ? {} : { thread: threadAfter(last) };
  return { ...content, subject: content.subject ?? answered, detail: { ...content.detail, ...thread } };
}

/** Refuses what the channel cannot carry, and anything but approved templates outside its reply window. */
function checkContent(
  { text, html, detail }: Content,
  { attachment_ids }: Draft,
  { text_max, html: has_html, attachments, window_hours }: Capabilities,
  { channel_kind, last_inbound_at }: Conversation,
  now: Date,
): void {
  const has_template = detail != null && "template" in detail;
  if (text.length > text_max) refuseMember("text", "too_long", `On ${channel_kind} a text has at most ${text_max} characters.`);
  if (html != null && !has_html) refuseMember("html", "not_of_channel", `Messages on ${channel_kind} have no HTML.`);
  if (attachment_ids !== undefined) checkFiles(attachment_ids.length, attachments, channel_kind, has_template);
  const until = windowUntil(window_hours, last_inbound_at);
  if (window_hours === null || (until !== null && until > now) || has_template) return;
  fail("reply_window_closed", { meta: { reply_window_until: until?.toISOString() ?? null } });
}

function checkFiles(count: number, max: number, channel_kind: string, has_template: boolean): void {
  const refuse = (code: string, detail: string) => refuseMember("attachment_ids", code, detail);
  if (max === 0) refuse("not_of_channel", `Messages on ${channel_kind} have no attachments.`);
  if (count > max) refuse("too_many", `A message on ${channel_kind} has at most ${max} attachment${max === 1 ? "" : "s"}.`);
  if (has_template) refuse("not_with_template", "A template of the provider has no attachments.");
}

function scheduledAt({ scheduled_at }: Draft, now: Date): Date | null {
  if (scheduled_at === undefined) return null;
  const at = new Date(scheduled_at);
  if (at <= now) refuseMember("scheduled_at", "not_in_future", "scheduled_at must be in the future.");
  return at;
}

/** Where a message is sent once it is stored, it cannot wait: whoever has read on would not see one that appears among the earlier ones. */
function refuseLater({ channel_kind }: Conversation, at: Date | null, { status }: Ends["channel"]): void {
  if (at !== null) refuseMember("scheduled_at", "not_of_channel", `Messages on ${channel_kind} are sent at once.`);
  if (status !== "paused") return;
  const detail = "The channel is paused, and its messages are sent at once or not at all.";
  fail("invalid_state_transition", { detail, meta: { from: status, allowed: [] } });
}
