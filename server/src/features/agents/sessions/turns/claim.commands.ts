import { Refusal } from "../../../../kernel/errors.ts";
import type { Context } from "../../../../platform/record/context.ts";
import { recordChange, type Tx } from "../../../../platform/record/tx.ts";
import {
  type ConversationRow,
  handToHuman,
  lockConversation,
  personOrNull,
  takeForAgent,
} from "../../../inbox/conversations/index.ts";
import { type VersionContent, versionOrNull } from "../../definitions/index.ts";
import { NO_MEMORY } from "../../engine/index.ts";
import { changeSession, expireSession, hasExpired } from "../commands.ts";
import { ATTEMPTS_MAX, CLAIM_MS, isClaimable, type Session, type TurnRow } from "../model.ts";
import { insertSession, openSessionOrNull } from "../queries.ts";
import type { WorldOf } from "../world.queries.ts";
import { type AnsweringAgent, answeringAgentOrNull, lastAnswerOf, writtenBetween } from "./agent.queries.ts";
import { type DueTurn, endTurn, runningTurnId, saveClaim, turnForUpdateOrNull } from "./queries.ts";
import { mayAnswer } from "./received.commands.ts";

/** A turn that a worker runs, with all that it begins with. */
export type Claimed = {
  turn: TurnRow;
  claimed_by: string;
  /** The owner_token that the turn commits under. */
  token: number;
  session: Session;
  agent: AnsweringAgent;
  content: VersionContent;
  person: WorldOf;
  text: string;
  upto: number;
};

/**
 * Takes a turn that is due, and its conversation if nobody has it. What the turn answers is fixed when it is first begun, so that it is
 * the same when it runs again. Null where there is nothing to do any more.
 */
export async function claimTurn(ctx: Context, due: DueTurn, claimed_by: string): Promise<Claimed | null> {
  return ctx.tx(async (tx) => {
    const conversation = await lockConversation(ctx, tx, due.conversation_id).catch(refusalOf);
    const turn = await turnForUpdateOrNull(tx, ctx.scope, due.id);
    if (turn === null || !isClaimable(turn, tx.now)) return null;
    const running = await runningTurnId(tx, ctx.scope, due.conversation_id);
    if (running !== null && running !== turn.id) return null;
    const open = await openSessionOrNull(tx, ctx.scope, due.conversation_id);
    if (conversation instanceof Refusal) return supersede(ctx, tx, turn, open, conversation.message);
    const agent = await answeringAgentOrNull(tx, ctx.scope, conversation.channel_id);
    if (agent === null || agent.id !== turn.agent_id || !answers(turn, conversation, agent, tx.now))
      return supersede(ctx, tx, turn, open, "The agent does not answer this conversation any more.");
    if (turn.attempts >= ATTEMPTS_MAX) return giveUp(ctx, tx, turn, open, conversation);
    const session = await sessionFor(ctx, tx, open, conversation, agent);
    const takes = conversation.owner_kind === "none" && agent.mode === "autopilot";
    const { owner_token: token } = takes ? await takeForAgent(ctx, tx, conversation, agent.id) : conversation;
    const upto = turn.upto_ordinal ?? conversation.last_ordinal;
    const claimed_until = new Date(tx.now.getTime() + CLAIM_MS);
    await saveClaim(tx, ctx.scope, turn.id, { claimed_by, claimed_until, session_id: session.id, token, upto_ordinal: upto });
    const version = await versionOrNull(tx, ctx.scope, agent.id, session.agent_version);
    if (version === null) throw new Error("no version");
    const text = await writtenBetween(tx, ctx.scope, conversation.id, session.last_ordinal, upto);
    const person = await personIn(ctx, tx, conversation);
    return { turn, claimed_by, token, session, agent, content: version.content, person, text, upto };
  });
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}

function answers({ follow_up }: TurnRow, conversation: ConversationRow, agent: AnsweringAgent, now: Date): boolean {
  if (conversation.status === "closed" || (follow_up !== null && conversation.owner_kind !== "agent")) return false;
  return mayAnswer(conversation, agent, now);
}

/** Ends a turn of which nothing happens. A session whose conversation somebody else has is over. */
async function supersede(ctx: Context, tx: Tx, turn: TurnRow, open: Session | null, error: string): Promise<null> {
  await endTurn(tx, ctx.scope, turn.id, { state: "superseded", error });
  const outcome = { kind: "handed_off", reason: error } as const;
  if (open !== null) await changeSession(ctx, tx, open, { status: "handed_off", outcome });
  return null;
}

/** A turn that has been begun too often is for a person. */
async function giveUp(ctx: Context, tx: Tx, turn: TurnRow, open: Session | null, conversation: ConversationRow): Promise<null> {
  const reason = "The agent could not answer.";
  await endTurn(tx, ctx.scope, turn.id, { state: "failed", error: reason });
  if (open !== null) await changeSession(ctx, tx, open, { status: "failed", outcome: { kind: "failed", reason } });
  await handToHuman(ctx, tx, conversation, reason);
  return null;
}

/** The session that goes on, or a new one with the published version. */
async function sessionFor(
  ctx: Context,
  tx: Tx,
  open: Session | null,
  { id, account_id, channel_kind }: ConversationRow,
  agent: AnsweringAgent,
): Promise<Session> {
  if (open !== null && open.agent_id === agent.id && !hasExpired(open, tx.now)) return open;
  if (open !== null) await expireSession(ctx, tx, open);
  const session = await insertSession(tx, ctx.scope, {
    account_id,
    agent_id: agent.id,
    agent_version: agent.published_version,
    conversation_id: id,
    channel_kind,
    memory: NO_MEMORY,
    last_ordinal: await lastAnswerOf(tx, ctx.scope, id),
  });
  recordChange(tx, ctx.scope, { resource: "session", change: "created", ...session }, null);
  return session;
}

/** The person that a conversation is with. */
export async function personIn(ctx: Context, tx: Tx, { account_id, person_id }: ConversationRow): Promise<WorldOf> {
  const person = person_id === null ? null : await personOrNull(tx, ctx.scope, person_id);
  return { account_id, contact_id: person?.contact_id ?? null, lead_id: person?.lead_id ?? null };
}
