import type { Context, Received } from "../../../../platform/record/context.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { isOpen } from "../../../inbox/channels/index.ts";
import { DEBOUNCE_MS } from "../model.ts";
import { type AnsweringAgent, answeringAgentOrNull } from "./agent.queries.ts";
import { enqueueTurn } from "./queries.ts";

/** Queues the answer to a message of a person, in the transaction that stores it. Nobody answers a machine. */
export async function received(ctx: Context, tx: Tx, { conversation, message }: Received): Promise<void> {
  if (message.automatic || conversation.owner_kind === "human") return;
  const agent = await answeringAgentOrNull(tx, ctx.scope, conversation.channel_id);
  if (agent === null || !mayAnswer(conversation, agent, tx.now)) return;
  const place = { account_id: conversation.account_id, agent_id: agent.id, conversation_id: conversation.id };
  enqueueTurn(tx, ctx.scope, place, new Date(tx.now.getTime() + DEBOUNCE_MS));
}

/** An agent answers what it owns, and within the hours of the channel what nobody does. */
export function mayAnswer(
  { owner_kind, owner_id }: Pick<Received["conversation"], "owner_kind" | "owner_id">,
  { id, hours, timezone }: AnsweringAgent,
  now: Date,
): boolean {
  return owner_kind === "none" ? isOpen(hours, timezone, now) : owner_kind === "agent" && owner_id === id;
}
