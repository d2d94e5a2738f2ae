import type { Context } from "../../../../platform/record/context.ts";
import { recordChange, type Tx } from "../../../../platform/record/tx.ts";
import { type ConversationRow, noteIn } from "../../../inbox/conversations/index.ts";
import type { Write } from "../../engine/index.ts";
import type { Claimed } from "../turns/claim.commands.ts";
import type { Made } from "../turns/tools.commands.ts";
import { insertApproval, recordVersion } from "./queries.ts";

/** How long something waits for somebody who approves it. */
const WAITS_MS = 7 * 86_400_000;

/** Keeps what a turn wants approved, with the record that it saw or made as that is now, and tells the team. Gives the conversation as it is then. */
export async function requestApprovals(
  ctx: Context,
  tx: Tx,
  { turn, session }: Claimed,
  requests: readonly Write[],
  made: Made,
  conversation: ConversationRow,
): Promise<ConversationRow> {
  let told = conversation;
  for (const { tool, args, subject } of requests) {
    const id = tx.newId("approval");
    const record_id = subject === null ? null : (made[subject] ?? subject);
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
