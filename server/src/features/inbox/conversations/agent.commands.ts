import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { saveChange } from "./change.commands.ts";
import { type Conversation, ownedBy } from "./model.ts";

/** Gives a locked conversation of nobody to an agent. */
export function takeForAgent(ctx: Context, tx: Tx, before: Conversation, agent_id: string): Promise<Conversation> {
  const after = ownedBy(before, { owner_kind: "agent", owner_id: agent_id });
  return saveChange(ctx, tx, before, after, { action: "conversations.take_up" });
}

/** Hands a locked conversation to whoever of the team takes it; no agent answers it until then. */
export function handToHuman(ctx: Context, tx: Tx, before: Conversation, reason: string): Promise<Conversation> {
  const owner = { owner_kind: "human", owner_id: null } as const;
  return saveChange(ctx, tx, before, ownedBy(before, owner), {
    action: "conversations.handoff",
    event: { type: "handed_off", ...owner },
    text: reason,
  });
}
