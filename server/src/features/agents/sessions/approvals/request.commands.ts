import type { Context } from "../../../../platform/record/context.ts";
import { recordChange, type Tx } from "../../../../platform/record/tx.ts";
import { type ConversationRow, noteIn } from "../../../inbox/conversations/index.ts";
import type { Request, World } from "../../engine/index.ts";
import type { Claimed } from "../turns/claim.commands.ts";
import { worldOf } from "../world.queries.ts";
import { insertApproval, recordVersion } from "./queries.ts";

/** How long something waits for somebody who approves it. */
const WAITS_MS = 7 * 86_400_000;

/** Keeps what a turn wants approved, with the record as it is now, and tells the team. Gives the conversation as it is then. */
export async function requestApprovals(
  ctx: Context,
  tx: Tx,
  { turn, session, person }: Claimed,
  requests: readonly Request[],
  conversation: ConversationRow,
): Promise<ConversationRow> {
  if (requests.length === 0) return conversation;
  const world = await worldOf(tx, ctx.scope, person);
  let told = conversation;
  for (const { tool, args } of requests) {
    const id = tx.newId("approval");
    const record_id = subjectOf(world, tool);
    const { account_id, agent_id, agent_version, conversation_id } = session;
    await insertApproval(tx, ctx.scope, {
      ...{ id, account_id, agent_id, agent_version, conversation_id, session_id: session.id, turn_id: turn.id, tool, args },
      record_id,
      record_version: record_id === null ? null : await recordVersion(tx, ctx.scope, record_id),
      expires_at: new Date(tx.now.getTime() + WAITS_MS),
    });
    recordChange(tx, ctx.scope, { resource: "approval", change: "created", id, account_id, version: 1 }, null);
    const text = `${tool} waits for approval (${id}): ${JSON.stringify(args).slice(0, 1_000)}`;
    ({ conversation: told } = await noteIn(ctx, tx, told, text));
  }
  return told;
}

/** The record that a tool is about. */
function subjectOf({ contact, lead, deals }: World, tool: string): string | null {
  if (tool === "move_deal") return deals[0]?.id ?? null;
  if (tool === "update_lead") return (lead ?? contact)?.id ?? null;
  return (contact ?? lead)?.id ?? null;
}
