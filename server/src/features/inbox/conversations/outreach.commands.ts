import type { Context } from "../../../platform/record/context.ts";
import { recordChange, type Tx } from "../../../platform/record/tx.ts";
import { adapterOf, type Consent } from "../channels/index.ts";
import { newReplyToken } from "./inbound/model.ts";
import type { StoredMessage } from "./messages/model.ts";
import { addOutgoing, type Draft } from "./messages/send.commands.ts";
import type { Conversation } from "./model.ts";
import { personByAddressOrNull } from "./people.queries.ts";
import {
  type ChannelState,
  conversationForUpdateOrNull,
  insertConversation,
  openConversationId,
  usableChannelOrNull,
} from "./queries.ts";

/** Somebody of an account who is written to, in the conversation that it is about if that is on the same kind of channel. */
export type Recipient = {
  account_id: string;
  person_id: string | null;
  phone: string | null;
  email: string | null;
  conversation_id: string | null;
};

/** What was sent, or what is missing to send anything. */
export type Outreach = { message: StoredMessage } | { missing: "channel" | "address" };

/**
 * Writes to somebody on a kind of channel: in the conversation that is named, in the open one with the address, or in a new one. The
 * account is one that the caller has admitted to change. The simulator stands for SMS where there is nothing else.
 */
export async function writeTo(ctx: Context, tx: Tx, kind: Consent, to: Recipient, draft: Draft): Promise<Outreach> {
  const known = to.conversation_id === null ? null : await conversationForUpdateOrNull(tx, ctx.scope, to.conversation_id);
  if (known !== null && goesOn(known, kind)) return { message: (await addOutgoing(ctx, tx, known, without(draft))).message };
  const channel = await usableChannelOrNull(tx, ctx.scope, to.account_id, kindsOf(kind));
  if (channel === null) return { missing: "channel" };
  const address = adapterOf(channel.kind).addressOf({ phone: to.phone, email: to.email, external_id: null });
  if (address === null) return { missing: "address" };
  const conversation = await conversationWith(ctx, tx, channel, address, to, draft.subject ?? null);
  return { message: (await addOutgoing(ctx, tx, conversation, kind === "email" ? draft : without(draft))).message };
}

const kindsOf = (kind: Consent): string[] => (kind === "sms" ? ["sms", "simulator"] : [kind]);

/** An answer in an e-mail thread has its subject; other channels have none. */
const without = ({ subject: _, ...draft }: Draft): Draft => draft;

function goesOn({ channel_kind, status, archived_at }: Conversation, kind: Consent): boolean {
  return kindsOf(kind).includes(channel_kind) && archived_at === null && status !== "closed";
}

async function conversationWith(
  ctx: Context,
  tx: Tx,
  { id: channel_id, kind: channel_kind, account_id }: ChannelState,
  address: string,
  to: Recipient,
  subject: string | null,
): Promise<Conversation> {
  const reply_token = newReplyToken();
  const mail = channel_kind === "email";
  const person_id = to.person_id ?? (await personByAddressOrNull(tx, ctx.scope, account_id, to));
  // Each e-mail that begins a conversation begins a thread; elsewhere an address has one.
  const begun = { account_id, channel_id, channel_kind, address, thread: mail ? reply_token : "", reply_token, person_id };
  const made = await insertConversation(tx, ctx.scope, { ...begun, subject: mail ? subject : null });
  if (made !== null) {
    recordChange(tx, ctx.scope, { resource: "conversation", change: "created", ...made }, { action: "conversations.create" });
    return made;
  }
  const open_id = await openConversationId(tx, ctx.scope, begun);
  const open = open_id === null ? null : await conversationForUpdateOrNull(tx, ctx.scope, open_id);
  if (open === null) throw new Error("the conversation was neither found nor made");
  return open;
}
