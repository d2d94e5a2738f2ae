import { type Context, createContext, type Services } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { saveChange, type Told } from "./change.commands.ts";
import { type Due, returnsDue, snoozesDue } from "./due.queries.ts";
import { type Conversation, NOBODY, type Owner, opened, ownedBy } from "./model.ts";
import { channelOrNull, conversationForUpdateOrNull } from "./queries.ts";

const BATCH = 500;

/** Opens the conversations whose snooze is over. Returns how many. */
export async function endSnoozes(services: Services): Promise<number> {
  const now = services.clock.now();
  return changeDue(
    services,
    await snoozesDue(services.db, now, BATCH),
    { action: "conversations.wake", event: { type: "reopened" } },
    (before) => (before.snoozed_until !== null && before.snoozed_until <= now ? opened(before) : before),
  );
}

/** Gives conversations back to the agents of their channels at the time that was agreed. Returns how many. */
export async function returnToAgents(services: Services): Promise<number> {
  const now = services.clock.now();
  const told: Told = { action: "conversations.return", event: { type: "returned" } };
  return changeDue(services, await returnsDue(services.db, now, BATCH), told, async (before, ctx, tx) => {
    if (before.return_at === null || before.return_at > now) return before;
    const agent_id = (await channelOrNull(tx, ctx.scope, before.channel_id))?.agent_id ?? null;
    const owner: Owner = agent_id === null ? NOBODY : { owner_kind: "agent", owner_id: agent_id };
    return ownedBy(before, owner);
  });
}

/** Changes each of some conversations in a transaction of its own, if it is still due once it is locked. */
async function changeDue(
  services: Services,
  due: readonly Due[],
  told: Told,
  change: (before: Conversation, ctx: Context, tx: Tx) => Promise<Conversation> | Conversation,
): Promise<number> {
  for (const { partner_id, id } of due) {
    const ctx = createContext(services, { principal: { type: "system", partner_id } });
    await ctx.tx(async (tx) => {
      const before = await conversationForUpdateOrNull(tx, ctx.scope, id);
      if (before !== null) await saveChange(ctx, tx, before, await change(before, ctx, tx), told);
    });
  }
  return due.length;
}
