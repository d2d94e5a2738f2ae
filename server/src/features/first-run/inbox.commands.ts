import { randomUUID } from "node:crypto";
import { type Context, createContext, type Services } from "../../platform/record/context.ts";
import { createChannel, type OpenChannel, openChannel } from "../inbox/channels/index.ts";
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
import { DEMO_CONVERSATIONS, DEMO_INBOX, type DemoTurn } from "./inbox.demo.ts";

/** A simulator channel of a demo client, and what was said on it. */
export function inboxSteps(clients: ReadonlyMap<string, string>): Step[] {
  const { company, channel, opened_days_ago } = DEMO_INBOX;
  let channel_id = "";
  return [
    {
      days_ago: opened_days_ago,
      async act(ctx, services) {
        const { kind, name, config } = channel;
        const account_id = clients.get(company) ?? "";
        ({ id: channel_id } = await createChannel(await asOwner(services, ctx), { account_id, kind, name, config }));
      },
    },
    ...DEMO_CONVERSATIONS.flatMap(({ contact, turns }) => {
      const { phone, name } = demoContact(contact);
      return turns.map((turn) => ({
        days_ago: turn.days_ago,
        async act(ctx: Context, services: Services) {
          const channel = await openChannel(ctx.db, services.sealer, ctx.scope, channel_id);
          if (channel === null) throw new Error("the channel was made before");
          await take(await asOwner(services, ctx), services, channel, { phone, name }, turn);
        },
      }));
    }),
  ];
}

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
  { phone, name }: { phone: string; name: string },
  turn: DemoTurn,
): Promise<void> {
  const at = services.clock.now();
  if ("by" in turn && turn.by === "person") {
    const { text } = turn;
    const provider_id = `demo-${randomUUID()}`;
    return receive(services, channel, [
      { type: "message", provider_id, from: phone, profile: { phone, name }, text, attachments: [], at },
    ]);
  }
  const id = await openConversationId(ctx.db, ctx.scope, { channel_id: channel.id, address: phone, thread: "" });
  if (id === null) throw new Error(`${name} wrote before`);
  if ("by" in turn) {
    const { id: message_id } = await sendMessage(ctx, id, { text: turn.text });
    await receive(services, channel, [
      { type: "status", provider_id: `demo-${message_id}`, message_id, status: "delivered", at },
    ]);
  } else if ("note" in turn) await addNote(ctx, id, { text: turn.note });
  else if ("tags" in turn) await updateConversation(ctx, id, { tags: turn.tags, priority: turn.priority });
  else if (turn.is === "closed") await closeConversation(ctx, id);
  else await snoozeConversation(ctx, id, { until: daysBefore(at, -turn.for_days).toISOString() });
}
