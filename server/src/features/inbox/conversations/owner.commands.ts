import { actorOf } from "../../../kernel/principal.ts";
import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { refuseUnknownOwner } from "../../accounts/custom-fields/index.ts";
import { currentConversation, lockConversation, refuseMember, saveChange, type Told } from "./change.commands.ts";
import { type Conversation, NOBODY, type Owner, ownedBy, refuseState, requireToken } from "./model.ts";
import { type ConversationRow, channelOrNull } from "./queries.ts";
import type { Assignment, Handoff, OwnerChange } from "./schema.ts";

type Ownership = Owner & { return_at?: Date | null };

/** Gives an open conversation to another owner, under the token that the caller saw. */
function changeOwner(
  ctx: Context,
  id: string,
  token: number | undefined,
  told: Told & { event: NonNullable<Told["event"]> },
  choose: (tx: Tx, conversation: Conversation) => Promise<Ownership> | Ownership,
): Promise<ConversationRow> {
  return ctx.tx(async (tx) => {
    const before = await lockConversation(ctx, tx, id);
    requireToken(before, token);
    if (before.status === "closed") refuseState(before, ["open"]);
    const { return_at = null, owner_kind, owner_id } = await choose(tx, before);
    const after = ownedBy(before, { owner_kind, owner_id }, return_at);
    await saveChange(ctx, tx, before, after, { ...told, event: { ...told.event, owner_kind, owner_id } });
    return currentConversation(ctx, tx, id);
  });
}

/** Assigns a conversation to a user, or to nobody. */
export function assignConversation(ctx: Context, id: string, { owner_id, owner_token }: Assignment): Promise<ConversationRow> {
  return changeOwner(
    ctx,
    id,
    owner_token,
    { action: "conversations.assign", event: { type: "assigned" } },
    async (tx, before) => {
      await refuseUnknownOwner(ctx, tx, before.account_id, owner_id);
      return owner_id === null ? NOBODY : { owner_kind: "human", owner_id };
    },
  );
}

/** Hands a conversation to a person, or to the agent of its channel; from a person it can go back by itself. */
export function handOff(ctx: Context, id: string, input: Handoff): Promise<ConversationRow> {
  const { to, owner_id, reason = "", return_after_minutes, owner_token } = input;
  const told = { action: "conversations.handoff", event: { type: "handed_off" }, text: reason } as const;
  if (to === "agent" && (owner_id !== undefined || return_after_minutes !== undefined))
    refuseMember("to", "not_of_agent", "owner_id and return_after_minutes are for a hand-off to a human.");
  return changeOwner(ctx, id, owner_token, told, async (tx, before) => {
    if (to === "agent")
      return (await agentOf(ctx, tx, before)) ?? refuseMember("to", "no_agent", "The channel of the conversation has no agent.");
    await refuseUnknownOwner(ctx, tx, before.account_id, owner_id);
    const return_at = return_after_minutes === undefined ? null : new Date(tx.now.getTime() + return_after_minutes * 60_000);
    return { owner_kind: "human", owner_id: owner_id ?? null, return_at };
  });
}

/** Takes a conversation over for the caller, whoever has it. */
export function takeOver(ctx: Context, id: string, { owner_token }: OwnerChange = {}): Promise<ConversationRow> {
  const told = { action: "conversations.takeover", event: { type: "taken_over" } } as const;
  return changeOwner(ctx, id, owner_token, told, () => ({ owner_kind: "human", owner_id: actorOf(ctx.principal).id }));
}

/** Gives a conversation back to the agent of its channel, or to nobody where it has none. */
export function giveBack(ctx: Context, id: string, { owner_token }: OwnerChange = {}): Promise<ConversationRow> {
  const told = { action: "conversations.return", event: { type: "returned" } } as const;
  return changeOwner(ctx, id, owner_token, told, async (tx, before) => (await agentOf(ctx, tx, before)) ?? NOBODY);
}

async function agentOf(ctx: Context, tx: Tx, { channel_id }: Conversation): Promise<Owner | null> {
  const agent_id = (await channelOrNull(tx, ctx.scope, channel_id))?.agent_id ?? null;
  return agent_id === null ? null : { owner_kind: "agent", owner_id: agent_id };
}
