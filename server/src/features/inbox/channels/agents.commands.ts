import { type Fault, fail } from "../../../kernel/errors.ts";
import type { Context } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { channelsForUpdate, saveAgentId } from "./queries.ts";

type Agent = { id: string; account_id: string };

/** Makes an agent answer on some channels of its account and on no others. Its account is locked. */
export async function assignAgent(ctx: Context, tx: Tx, agent: Agent, channel_ids: readonly string[]): Promise<void> {
  const channels = await channelsForUpdate(tx, ctx.scope, agent, channel_ids);
  const unknown = channel_ids.filter((id) => !channels.some((channel) => channel.id === id));
  if (unknown.length > 0) refuseUnknown(channel_ids, unknown);
  const taken = channels.find(({ id, agent_id }) => agent_id !== null && agent_id !== agent.id && channel_ids.includes(id));
  if (taken !== undefined)
    fail("resource_in_use", { detail: `Another agent, ${taken.agent_id}, answers on the channel ${taken.id}.` });
  for (const { id, agent_id } of channels) {
    const next = channel_ids.includes(id) ? agent.id : null;
    if (next === agent_id) continue;
    await saveAgentId(tx, ctx.scope, id, next);
    const changes = { agent_id: { from: agent_id, to: next } };
    record(tx, ctx.scope, [], { action: "channels.assign", target: id, client_id: agent.account_id, changes });
  }
}

function refuseUnknown(all: readonly string[], unknown: readonly string[]): never {
  const faults = unknown.map((id): Fault => {
    const pointer = `#/channel_ids/${all.indexOf(id)}`;
    return { in: "body", pointer, code: "unknown_channel", detail: `The channel ${id} was not found in the account.` };
  });
  fail("validation_failed", { faults });
}
