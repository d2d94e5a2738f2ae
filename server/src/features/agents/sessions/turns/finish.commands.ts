import type { Context } from "../../../../platform/record/context.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { addOutgoing, type ConversationRow, handToHuman, lockConversation, noteIn } from "../../../inbox/conversations/index.ts";
import { addUsage, type Driven, type Ending, NO_USAGE } from "../../engine/index.ts";
import { requestApprovals } from "../approvals/request.commands.ts";
import { changeSession } from "../commands.ts";
import type { SessionOutcome } from "../model.ts";
import { openSessionOrNull, type SessionChange } from "../queries.ts";
import type { Claimed } from "./claim.commands.ts";
import { endTurn, turnForUpdateOrNull } from "./queries.ts";
import { type Made, refusable, runCommand } from "./tools.commands.ts";

/** What a turn has come to, before it is committed. */
export type Decided = Omit<Driven, "changes" | "world">;

/** A turn that does nothing but to hand the conversation to a person. */
export function handedOff({ session }: Claimed, reason: string): Decided {
  const nothing = { messages: [], visited: [], calls: [], hits: [], writes: [], approvals: [], failures: [], spoke: null };
  return { ...nothing, usage: NO_USAGE, memory: session.memory, ending: { kind: "handoff", reason } };
}

/**
 * Commits a turn: what its tools do, what it says, its session and its end, all or nothing, and only while the claim and the owner of the
 * conversation are those that it began with.
 */
export function finishTurn(ctx: Context, claimed: Claimed, driven: Decided, latency_ms: number): Promise<void> {
  const { turn, claimed_by, token, agent } = claimed;
  return ctx.tx(async (tx) => {
    const conversation = await refusable(null, () => lockConversation(ctx, tx, turn.conversation_id));
    const current = await turnForUpdateOrNull(tx, ctx.scope, turn.id);
    if (current?.state !== "running" || current.claimed_by !== claimed_by) return;
    const session = await openSessionOrNull(tx, ctx.scope, turn.conversation_id);
    const held = conversation.owner_token === token && conversation.status !== "closed" && session?.id === claimed.session.id;
    if (!held)
      return endTurn(tx, ctx.scope, turn.id, { state: "superseded", error: "Somebody else has the conversation.", latency_ms });
    const suggests = agent.mode === "suggest";
    let made: Made = {};
    if (!suggests) for (const write of driven.writes) made = { ...made, ...(await runCommand(ctx, tx, claimed, write, made)) };
    const told = suggests ? conversation : await requestApprovals(ctx, tx, claimed, driven.approvals, made, conversation);
    const named = withNames(driven, made);
    const answered = await sayAll(ctx, tx, told, named.messages, suggests ? null : token);
    if (driven.ending?.kind === "handoff" && !suggests) await handToHuman(ctx, tx, answered, driven.ending.reason);
    await changeSession(ctx, tx, session, sessionAfter(claimed, named));
    const { messages: said, visited, calls, hits, usage, failures, spoke } = named;
    await endTurn(tx, ctx.scope, turn.id, { state: "done", said, visited, calls, hits, usage, failures, spoke, latency_ms });
  });
}

/** A turn in which what was made has its own id and address instead of those that stood for them. */
function withNames(decided: Decided, made: Made): Decided {
  const names = Object.entries(made);
  if (names.length === 0) return decided;
  const text = names.reduce((json, [stood, name]) => json.replaceAll(stood, name), JSON.stringify(decided));
  return JSON.parse(text);
}

/** Sends the messages of a turn under its token; without one they are notes for the team. */
async function sayAll(
  ctx: Context,
  tx: Tx,
  conversation: ConversationRow,
  messages: readonly string[],
  owner_token: number | null,
): Promise<ConversationRow> {
  let current = conversation;
  for (const text of messages) {
    const add = () =>
      owner_token === null
        ? noteIn(ctx, tx, current, text)
        : addOutgoing(ctx, tx, current, { text, owner_token, automatic: true });
    ({ conversation: current } = await refusable(null, add));
  }
  return current;
}

const OUTCOMES: { [Kind in Ending["kind"]]: (ending: Extract<Ending, { kind: Kind }>) => SessionOutcome } = {
  handoff: ({ reason }) => ({ kind: "handed_off", reason }),
  end: ({ outcome }) => ({ kind: "completed", reason: outcome }),
};

function sessionAfter({ session, upto }: Claimed, { ending, memory, usage }: Decided): SessionChange {
  const outcome = ending === null ? null : ending.kind === "handoff" ? OUTCOMES.handoff(ending) : OUTCOMES.end(ending);
  const status = outcome?.kind ?? "waiting";
  return { status, outcome, memory, usage: addUsage(session.usage, usage), turns: session.turns + 1, last_ordinal: upto };
}
