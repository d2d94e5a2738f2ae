import { fail, notFound } from "../../../../kernel/errors.ts";
import { takeTurn } from "../../../../platform/db/turn.ts";
import { type Context, createContext, type Services } from "../../../../platform/record/context.ts";
import { recordChange } from "../../../../platform/record/tx.ts";
import { introduceLead } from "../../../crm/leads/index.ts";
import { isIdentified, type Visitor, visitorOfUser, type WebchatChannel } from "../../channels/index.ts";
import { receive } from "../inbound/commands.ts";
import { storable } from "../inbound/model.ts";
import { conversationByAddressOrNull } from "../inbound/queries.ts";
import { moveMessage } from "../sending/commands.ts";
import { placeOf } from "./model.ts";
import { moveThread, ownMessageOrNull, threadBefore, unreadUpTo } from "./queries.ts";
import type { ChatIdentity, ChatMessage, ChatProfile } from "./schema.ts";

const PAGE = 50;
/** The name of a lead of whom nothing is known. */
const STRANGER = "Website visitor";

/** The end of a visitor's thread, or what comes before a message of it, in its order. */
export async function readThread(
  { db }: Services,
  channel: WebchatChannel,
  visitor: Visitor,
  before: string | undefined,
): Promise<{ json: string }> {
  const rows = await threadBefore(db, channel, visitor, before === undefined ? null : placeOf(before), PAGE + 1);
  const shown = rows.slice(0, PAGE).toReversed();
  return { json: `{"data":[${shown.map(({ json }) => json).join(",")}],"has_more":${rows.length > PAGE}}` };
}

/** Stores what a visitor writes, once, however often the page sends it. */
export async function writeMessage(
  services: Services,
  channel: WebchatChannel,
  visitor: Visitor,
  { client_message_id, text, name, email }: ChatMessage,
): Promise<{ json: string }> {
  const { address, external_id } = visitor;
  const profile = { external_id, name: name ?? email ?? namelessOf(visitor), ...(email === undefined ? {} : { email }) };
  const item = { provider_id: client_message_id, from: address, profile, text, attachments: [], at: services.clock.now() };
  await receive(services, channel, [{ type: "message", ...item }]);
  const stored = await ownMessageOrNull(services.db, channel, visitor, client_message_id);
  if (stored?.text !== storable(text, text.length)) fail("duplicate_message");
  return stored;
}

const namelessOf = ({ address, external_id }: Visitor) => (external_id === address ? STRANGER : external_id);

/** Takes what a visitor who has written says about itself: it fills the lead, and opens nothing. */
export async function introduceVisitor(
  services: Services,
  channel: WebchatChannel,
  visitor: Visitor,
  profile: ChatProfile,
): Promise<void> {
  const ctx = contextOf(services, channel, visitor);
  await ctx.tx(async (tx) => {
    const conversation = await conversationByAddressOrNull(tx, channel, visitor.address, "");
    const { person_id } = conversation ?? notFound(visitor.address);
    if (person_id !== null) await introduceLead(ctx, tx, person_id, { ...profile, nameless: namelessOf(visitor) });
  });
}

/** Notes that a visitor has read what it was sent, up to a message. */
export async function markThreadRead(services: Services, channel: WebchatChannel, visitor: Visitor, id: string): Promise<void> {
  const place = placeOf(id);
  await contextOf(services, channel, visitor).tx(async (tx) => {
    const unread = await unreadUpTo(tx, channel, visitor, place);
    for (const message of unread) await moveMessage(tx, message, { status: "read", status_at: tx.now, error: null });
  });
}

/** The user that the account's own site names. What it wrote as a stranger goes with it, unless it has a thread already. */
export async function identifyVisitor(
  services: Services,
  channel: WebchatChannel,
  visitor: Visitor | null,
  { user_id, hash }: ChatIdentity,
): Promise<Visitor> {
  if (!isIdentified(channel, user_id, hash)) fail("invalid_signature");
  const user = visitorOfUser(user_id);
  // The thread of one user is never given to another.
  if (visitor === null || visitor.address !== visitor.external_id) return user;
  const ctx = contextOf(services, channel, user);
  await ctx.tx(async (tx) => {
    // As messages of both take their turns, in one order.
    for (const address of [visitor.address, user.address].toSorted()) await takeTurn(tx, `inbound ${channel.id} ${address}`);
    for (const moved of await moveThread(tx, channel, visitor, user))
      recordChange(tx, ctx.scope, { resource: "conversation", change: "updated", ...moved }, null);
  });
  return user;
}

function contextOf(services: Services, { partner_id }: WebchatChannel, { address }: Visitor): Context {
  return createContext(services, { principal: { type: "system", partner_id, as: { type: "visitor", id: address } } });
}
