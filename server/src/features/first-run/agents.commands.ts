import { randomUUID } from "node:crypto";
import type { Context, Services } from "../../platform/record/context.ts";
import { createAgent, publishVersion, setChannels } from "../agents/definitions/index.ts";
import { createSource } from "../agents/knowledge/index.ts";
import { runDueTurns } from "../agents/sessions/index.ts";
import { createTest } from "../agents/suites/index.ts";
import { createChannel, newVisitor, openChannel } from "../inbox/channels/index.ts";
import { closeConversation, openConversationId, receive, sendMessage } from "../inbox/conversations/index.ts";
import { DEMO_AGENT, DEMO_CHAT, DEMO_CHAT_STEP, DEMO_CHATS, DEMO_KNOWLEDGE, DEMO_TESTS } from "./agents.demo.ts";
import type { Step } from "./demo.ts";
import { asOwner } from "./inbox.commands.ts";

/** An agent that qualifies people on the website of a demo client, with what it knows and whom it has talked with. */
export function agentSteps(clients: ReadonlyMap<string, string>): Step[] {
  let channel_id = "";
  const open: Step = {
    days_ago: DEMO_CHAT.opened_days_ago,
    async act(ctx, services) {
      const owner = await asOwner(services, ctx);
      const account_id = clients.get(DEMO_CHAT.company) ?? "";
      ({ id: channel_id } = await createChannel(owner, { account_id, ...DEMO_CHAT.channel }));
      await createSource(owner, { account_id, kind: "text", ...DEMO_KNOWLEDGE });
      const { id } = await createAgent(owner, { account_id, ...DEMO_AGENT });
      for (const one of DEMO_TESTS) await createTest(owner, id, one);
      await publishVersion(owner, id, { version: 1 });
      await setChannels(owner, id, { channel_ids: [channel_id] });
    },
  };
  return [open, ...DEMO_CHATS.flatMap((chat) => chatSteps(() => channel_id, chat))];
}

/** A visitor's messages, each answered by the agent a little later; then the conversation is closed. */
function chatSteps(channelId: () => string, { days_ago, texts, answer }: (typeof DEMO_CHATS)[number]): Step[] {
  let address = "";
  const idOf = async (ctx: Context) => {
    const place = { channel_id: channelId(), address, thread: "" };
    const id = await openConversationId(ctx.db, ctx.scope, place);
    if (id === null) throw new Error("the visitor wrote before");
    return id;
  };
  const at = (step: number) => days_ago - step * DEMO_CHAT_STEP;
  const said = texts.flatMap((text, index): Step[] => [
    {
      days_ago: at(index),
      async act(ctx, services) {
        if (address === "") ({ address } = newVisitor(services.clock.now()));
        await write(ctx, services, channelId(), address, text);
      },
    },
    { days_ago: at(index + 0.2), act: (_ctx, services) => runDueTurns(services) },
  ]);
  return [
    ...said,
    {
      days_ago: at(texts.length + 20),
      async act(ctx, services) {
        const owner = await asOwner(services, ctx);
        const id = await idOf(owner);
        if (answer !== undefined) await sendMessage(owner, id, { text: answer });
        await closeConversation(owner, id);
      },
    },
  ];
}

async function write(ctx: Context, services: Services, channel_id: string, from: string, text: string): Promise<void> {
  const channel = await openChannel(ctx.db, services.sealer, ctx.scope, channel_id);
  if (channel === null) throw new Error("the channel was made before");
  const profile = { external_id: from, name: "Website visitor" };
  const message = { provider_id: `demo-${randomUUID()}`, from, profile, text, attachments: [], at: services.clock.now() };
  await receive(services, channel, [{ type: "message", ...message }]);
}
