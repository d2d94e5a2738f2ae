import { Refusal } from "../../../../kernel/errors.ts";
import type { Context } from "../../../../platform/record/context.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { type ConversationRow, lockConversation, noteIn } from "../../../inbox/conversations/index.ts";
import { versionOrNull } from "../../definitions/index.ts";
import { type Answer, pretend, TOOLS, type Write } from "../../engine/index.ts";
import { concludeApproval, refuseChanged } from "../approvals/commands.ts";
import { type Approval, approvalForUpdateOrNull, approvalOrNull } from "../approvals/queries.ts";
import { changeSession } from "../commands.ts";
import { ATTEMPTS_MAX, CLAIM_MS, isClaimable, TURN_MS } from "../model.ts";
import { openSessionOrNull } from "../queries.ts";
import { worldOf } from "../world.queries.ts";
import { type Claimed, personIn } from "./claim.commands.ts";
import { createOutside } from "./outside.commands.ts";
import { type DueTurn, endTurn, runningTurnId, saveClaim, turnForUpdateOrNull } from "./queries.ts";
import { CommandRefused, lockSubject, type Made, refusable, runCommand } from "./tools.commands.ts";

type Begun = Pick<Claimed, "turn" | "claimed_by" | "content" | "person"> & { approval: Approval; request: Write };

/**
 * Does what somebody has approved, once: whoever owns the conversation by now, it was a person who wanted it. As with every turn, a crash
 * before the commit leaves it to be done, and one after it leaves nothing.
 */
export async function workApproved(ctx: Context, due: DueTurn, claimed_by: string): Promise<void> {
  const begun = await begin(ctx, due, claimed_by);
  if (begun === null) return;
  const outside = createOutside(ctx, { ...begun, agent: { mode: "autopilot" } }, performance.now() + TURN_MS);
  const answer = begun.request.effect === "external" ? await outside(begun.request) : null;
  try {
    await commit(ctx, begun, answer);
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error;
    const { code, message: detail } = error.refusal;
    await commit(ctx, begun, { ok: false, code, detail });
  }
}

async function begin(ctx: Context, due: DueTurn, claimed_by: string): Promise<Begun | null> {
  return ctx.tx(async (tx) => {
    const conversation = await conversationOf(ctx, tx, due.conversation_id);
    const turn = await turnForUpdateOrNull(tx, ctx.scope, due.id);
    if (turn === null || !isClaimable(turn, tx.now)) return null;
    const running = await runningTurnId(tx, ctx.scope, due.conversation_id);
    if (running !== null && running !== turn.id) return null;
    const approval = await approvalOrNull(tx, ctx.scope, due.approval_id ?? "");
    if (approval === null) throw new Error("no approval");
    if (conversation instanceof Refusal || turn.attempts >= ATTEMPTS_MAX) {
      const error = conversation instanceof Refusal ? conversation.message : "It could not be done.";
      await concludeApproval(ctx, tx, approval.id, { ok: false, code: "failed", detail: error });
      await endTurn(tx, ctx.scope, turn.id, { state: "failed", error });
      return null;
    }
    const { session_id, agent_id, agent_version, tool, args, record_id } = approval;
    const claimed_until = new Date(tx.now.getTime() + CLAIM_MS);
    await saveClaim(tx, ctx.scope, turn.id, { claimed_by, claimed_until, session_id, token: null, upto_ordinal: null });
    const version = await versionOrNull(tx, ctx.scope, agent_id, agent_version);
    const effect = TOOLS[tool]?.effect;
    if (version === null || effect === undefined) throw new Error("no version");
    const person = await personIn(ctx, tx, conversation);
    const request = { effect, call: 1, tool, args: args as Write["args"], subject: record_id };
    return { turn, claimed_by, content: version.content, person, approval, request };
  });
}

async function conversationOf(ctx: Context, tx: Tx, id: string): Promise<ConversationRow | Refusal> {
  try {
    return await lockConversation(ctx, tx, id);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** Commits what was approved; `known` is an answer from outside, or a refusal of the time before. */
function commit(ctx: Context, begun: Begun, known: Answer | null): Promise<void> {
  const { turn, claimed_by, approval, request } = begun;
  return ctx.tx(async (tx) => {
    const conversation = await refusable(null, () => lockConversation(ctx, tx, turn.conversation_id));
    const current = await turnForUpdateOrNull(tx, ctx.scope, turn.id);
    if (current?.state !== "running" || current.claimed_by !== claimed_by) return;
    if ((await approvalForUpdateOrNull(tx, ctx.scope, approval.id))?.status !== "approved") throw new Error("not approved");
    const answer = known ?? (await done(ctx, tx, begun));
    await concludeApproval(ctx, tx, approval.id, answer);
    const { tool, args, call } = request;
    const told = answer.ok ? `is done: ${JSON.stringify(answer.value).slice(0, 1_000)}` : `was refused: ${answer.detail}`;
    await noteIn(ctx, tx, conversation, `${tool} (${approval.id}) ${told}`);
    await remember(ctx, tx, approval, answer);
    await endTurn(tx, ctx.scope, turn.id, { state: "done", calls: [{ call, tool, args, valid: true, answer }] });
  });
}

/** Runs the command on the record that was approved, while it is as it was then, and gives what the tool answers. */
async function done(ctx: Context, tx: Tx, { person, turn, request, approval }: Begun): Promise<Answer> {
  await refusable(request.call, async () => {
    await lockSubject(ctx, tx, request.subject);
    await refuseChanged(ctx, tx, approval);
  });
  const { answer } = pretend(await worldOf(tx, ctx.scope, person, request.subject), request);
  if (!answer.ok) return answer;
  const made: Made = await runCommand(ctx, tx, { person, turn }, request, {});
  const names = Object.entries(made);
  return JSON.parse(names.reduce((json, [stood, name]) => json.replaceAll(stood, name), JSON.stringify(answer)));
}

/** The session, while it goes on, knows the answer as that of its tool. */
async function remember(ctx: Context, tx: Tx, { session_id, conversation_id, tool }: Approval, answer: Answer): Promise<void> {
  const session = await openSessionOrNull(tx, ctx.scope, conversation_id);
  if (session?.id !== session_id) return;
  const results = { ...session.memory.results, [tool]: answer.ok ? answer.value : { refused: answer.detail } };
  await changeSession(ctx, tx, session, { status: session.status, memory: { ...session.memory, results } });
}
