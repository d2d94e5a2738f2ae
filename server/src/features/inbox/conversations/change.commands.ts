import { type Fault, fail, notFound } from "../../../kernel/errors.ts";
import { actorOf } from "../../../kernel/principal.ts";
import { changesBetween } from "../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { recordChange, type Tx } from "../../../platform/record/tx.ts";
import { accountForChange } from "../../accounts/custom-fields/index.ts";
import type { ConversationEvent, StoredMessage } from "./messages/model.ts";
import { insertMessage } from "./messages/queries.ts";
import { type Conversation, VERSIONED } from "./model.ts";
import {
  type ConversationRow,
  conversationForUpdateOrNull,
  conversationOrNull,
  openConversationId,
  saveConversation,
  saveReopened,
} from "./queries.ts";

/** Audit entries cannot be erased, so they name what may be personal and leave out its value. */
const PERSONAL: ReadonlySet<string> = new Set(["subject", "tags"]);

/** A conversation that the caller may change, locked, in an account that accepts writes. */
export async function lockConversation(ctx: Context, tx: Tx, id: string): Promise<Conversation> {
  const conversation = (await conversationForUpdateOrNull(tx, ctx.scope, id)) ?? notFound(id);
  requireVersion(ctx, conversation);
  await accountForChange(ctx, tx, "contact", conversation.account_id);
  return conversation;
}

/** The key, the user or whoever else acts, as the author of a message. */
export function authorOf({ principal }: Pick<Context, "principal">) {
  const { type, id } = actorOf(principal);
  return { author_type: type, author_id: id };
}

/** What a change of a conversation is called in the audit log, if it belongs there, and how it is told among its messages. */
export type Told = { action: string | null; event?: ConversationEvent; text?: string };

/**
 * Saves a changed conversation and records what happened. Its version rises with its own fields, not with its messages. Only where
 * another one may be open is the update waited for.
 */
export async function saveChange(
  ctx: Context,
  tx: Tx,
  before: Conversation,
  after: Conversation,
  { action, event, text = "" }: Told,
): Promise<Conversation> {
  const changes = changesBetween(before, after, VERSIONED, PERSONAL);
  const moved = Object.keys(changes).length > 0;
  if (!moved && after.last_ordinal === before.last_ordinal) return before;
  const version = before.version + (moved ? 1 : 0);
  const told = event !== undefined && moved ? insertEvent(ctx, tx, after, event, text) : null;
  const saved: Conversation = { ...after, version, last_ordinal: told?.ordinal ?? after.last_ordinal };
  if (before.status !== "closed" || after.status === "closed") saveConversation(tx, ctx.scope, saved, moved);
  else if (!(await saveReopened(tx, ctx.scope, saved))) return refuseSecond(ctx, tx, before);
  if (told !== null) recordMessage(ctx, tx, told, null);
  const audit = action === null ? null : { action, changes };
  if (moved) recordChange(tx, ctx.scope, { resource: "conversation", change: "updated", ...saved }, audit);
  return saved;
}

/** Records a new message, without what it says: the feed and the audit log cannot be erased. */
export function recordMessage(
  ctx: Context,
  tx: Tx,
  { id, account_id, version }: Pick<StoredMessage, "id" | "account_id" | "version">,
  action: string | null,
): void {
  const audit = action === null ? null : { action };
  recordChange(tx, ctx.scope, { resource: "message", change: "created", id, account_id, version }, audit);
}

function insertEvent(ctx: Context, tx: Tx, conversation: Conversation, event: ConversationEvent, text: string) {
  const id = tx.newId("message");
  const entry = { id, direction: "out", kind: "event", status: "sent", ...authorOf(ctx), text, detail: event } as const;
  return insertMessage(tx, ctx.scope, conversation, entry);
}

export async function currentConversation(ctx: Context, tx: Tx, id: string): Promise<ConversationRow> {
  return (await conversationOrNull(tx, ctx.scope, id)) ?? notFound(id);
}

/** Refuses a second open conversation with an address. */
export async function refuseSecond(
  ctx: Context,
  tx: Tx,
  conversation: Pick<Conversation, "channel_id" | "address" | "thread">,
): Promise<never> {
  fail("duplicate_conversation", { meta: { existing_id: await openConversationId(tx, ctx.scope, conversation) } });
}

/** Refuses a member of the body. */
export function refuseMember(member: string, code: string, detail: string): never {
  const fault: Fault = { in: "body", pointer: `#/${member}`, code, detail };
  fail("validation_failed", { detail, faults: [fault] });
}
