import { randomUUID } from "node:crypto";
import { type Context, createContext, type Services } from "../../platform/record/context.ts";
import {
  type ChannelCreate,
  type ChannelKind,
  createChannel,
  type IncomingMessage,
  type IncomingStatus,
  type OpenChannel,
  openChannel,
} from "../inbox/channels/index.ts";
import {
  addNote,
  closeConversation,
  openConversationId,
  receive,
  sendMessage,
  snoozeConversation,
  updateConversation,
} from "../inbox/conversations/index.ts";
import { userOfAddressOrNull } from "../programme/users/index.ts";
import { demoContact } from "./contacts.demo.ts";
import { DEMO_PARTNER, daysBefore, type Step } from "./demo.ts";
import { DEMO_CHANNELS, DEMO_CONVERSATIONS, DEMO_INBOX, type DemoConversation, type DemoTurn } from "./inbox.demo.ts";

/** The channels of a demo client, and what was said on them. */
export function inboxSteps(clients: ReadonlyMap<string, string>): Step[] {
  const { company, opened_days_ago } = DEMO_INBOX;
  const ids = new Map<string, string>();
  return [
    {
      days_ago: opened_days_ago,
      async act(ctx, services) {
        const account_id = clients.get(company) ?? "";
        const owner = await asOwner(services, ctx);
        for (const [name, channel] of Object.entries(DEMO_CHANNELS))
          ids.set(name, (await createChannel(owner, { account_id, ...(channel as Omit<ChannelCreate, "account_id">) })).id);
      },
    },
    ...DEMO_CONVERSATIONS.flatMap((conversation) => {
      const { channel: name, turns } = conversation;
      return turns.map((turn) => ({
        days_ago: turn.days_ago,
        async act(ctx: Context, services: Services) {
          const channel = await openChannel(ctx.db, services.sealer, ctx.scope, ids.get(name) ?? "");
          if (channel === null) throw new Error("the channel was made before");
          await take(await asOwner(services, ctx), services, channel, conversation, turn);
        },
      }));
    }),
  ];
}

/** Where a person writes from, and who that is. */
function senderOf({ kind }: OpenChannel, conversation: DemoConversation): Pick<IncomingMessage, "from" | "profile"> {
  if ("visitor" in conversation) {
    const from = visitorIdOf(conversation.visitor);
    return { from, profile: { external_id: from, name: conversation.visitor } };
  }
  const { phone, name, email } = demoContact(conversation.contact);
  return kind === "email"
    ? { from: email ?? "", profile: { email: email ?? "", name } }
    : { from: phone, profile: { phone, name } };
}

/** The same in every turn, as a browser remembers it. */
const visitorIdOf = (name: string) => `demo-${name.toLowerCase().replaceAll(" ", "-")}`;

/** The owner of the demo partner, who answers. The programme that is being filled is a demo, and has the simulator. */
export async function asOwner(services: Services, { scope }: Context): Promise<Context> {
  const owner = await userOfAddressOrNull(services.db, DEMO_PARTNER.owner.email);
  if (owner === null) throw new Error("the owner was made before");
  const principal = { type: "system", partner_id: scope.partner_id, as: { type: "user", id: owner.id } } as const;
  return createContext({ ...services, settings: { ...services.settings, demo: true } }, { principal });
}

async function take(
  ctx: Context,
  services: Services,
  channel: OpenChannel,
  conversation: DemoConversation,
  turn: DemoTurn,
): Promise<void> {
  const at = services.clock.now();
  const sender = senderOf(channel, conversation);
  if ("by" in turn && turn.by === "person") {
    const subject = conversation.subject === undefined ? {} : { subject: conversation.subject };
    const item = { provider_id: `demo-${randomUUID()}`, ...sender, ...subject, text: turn.text, attachments: [], at };
    return receive(services, channel, [{ type: "message", ...item }]);
  }
  const id = await openConversationId(ctx.db, ctx.scope, { channel_id: channel.id, address: sender.from, thread: "" });
  if (id === null) throw new Error(`${sender.from} wrote before`);
  if ("by" in turn) {
    const { id: message_id } = await sendMessage(ctx, id, { text: turn.text });
    // What became of it is told at once, so that nothing waits to be sent.
    const status = REPORTED[channel.kind] ?? "delivered";
    await receive(services, channel, [{ type: "status", provider_id: `demo-${message_id}`, message_id, status, at }]);
  } else if ("note" in turn) await addNote(ctx, id, { text: turn.note });
  else if ("tags" in turn) await updateConversation(ctx, id, { tags: turn.tags, priority: turn.priority });
  else if (turn.is === "closed") await closeConversation(ctx, id);
  else await snoozeConversation(ctx, id, { until: daysBefore(at, -turn.for_days).toISOString() });
}

/** The last that a channel says about a message, where it is not that it was delivered. */
const REPORTED: Partial<Record<ChannelKind, IncomingStatus["status"]>> = { email: "sent", whatsapp: "read", webchat: "read" };
