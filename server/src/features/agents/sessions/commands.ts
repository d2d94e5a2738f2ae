import { fail, notFound } from "../../../kernel/errors.ts";
import { actorOf } from "../../../kernel/principal.ts";
import { type Context, createContext, requireVersion, type Services } from "../../../platform/record/context.ts";
import { recordChange, type Tx } from "../../../platform/record/tx.ts";
import { lockConversation } from "../../inbox/conversations/index.ts";
import { getAgent } from "../definitions/index.ts";
import { EXPIRES_AFTER_MS, type Session } from "./model.ts";
import {
  idleSessions,
  openSessionOrNull,
  type SessionChange,
  type SessionShown,
  saveFeedback,
  saveSession,
  sessionForUpdateOrNull,
  sessionOrNull,
  sessionsPage,
} from "./queries.ts";
import type { FeedbackCreate, SessionListQuery } from "./schema.ts";

const BATCH = 500;

export async function listSessions(ctx: Context, agent_id: string, query: SessionListQuery): Promise<{ json: string }> {
  await getAgent(ctx, agent_id);
  return sessionsPage(ctx.db, ctx.scope, agent_id, query);
}

export async function getSession(ctx: Context, id: string): Promise<SessionShown> {
  return (await sessionOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
}

/** Ends a session. A turn under way then has nothing to commit to; the next message begins another session. */
export function endSession(ctx: Context, id: string): Promise<SessionShown> {
  return ctx.tx(async (tx) => {
    const open = await openSessionOrNull(tx, ctx.scope, await lockSession(ctx, tx, id));
    if (open?.id !== id)
      fail("invalid_state_transition", { detail: "The session is over.", meta: { from: "ended", allowed: [] } });
    const outcome = { kind: "completed", reason: "ended" } as const;
    await changeSession(ctx, tx, open, { status: "completed", outcome }, "sessions.end");
    return (await sessionOrNull(tx, ctx.scope, id)) ?? notFound(id);
  });
}

/** Keeps what somebody thinks of a session. The comment stays out of the feed and the audit log. */
export function giveFeedback(ctx: Context, id: string, { rating, comment = null }: FeedbackCreate): Promise<SessionShown> {
  return ctx.tx(async (tx) => {
    await lockSession(ctx, tx, id);
    const saved = await saveFeedback(tx, ctx.scope, id, { rating, comment, by: actorOf(ctx.principal).id, at: tx.now });
    const audit = { action: "sessions.feedback", changes: { rating: { from: null, to: rating } } };
    recordChange(tx, ctx.scope, { resource: "session", change: "updated", ...saved }, audit);
    return (await sessionOrNull(tx, ctx.scope, id)) ?? notFound(id);
  });
}

/** Locks a session, at the version that the caller saw, after its conversation, whose id it gives. */
async function lockSession(ctx: Context, tx: Tx, id: string): Promise<string> {
  const { conversation_id } = (await sessionOrNull(tx, ctx.scope, id)) ?? notFound(id);
  await lockConversation({ ...ctx, expected_version: null }, tx, conversation_id);
  requireVersion(ctx, (await sessionForUpdateOrNull(tx, ctx.scope, id)) ?? notFound(id));
  return conversation_id;
}

/** Saves a changed session and records that. What the person answered stays out of the feed and the audit log. */
export async function changeSession(
  ctx: Context,
  tx: Tx,
  before: Session,
  change: SessionChange,
  action: string | null = null,
): Promise<Session> {
  const saved = await saveSession(tx, ctx.scope, before, change);
  const audit = action === null ? null : { action, changes: { status: { from: before.status, to: saved.status } } };
  recordChange(tx, ctx.scope, { resource: "session", change: "updated", ...saved }, audit);
  return saved;
}

/** Whether a session has waited too long for the person. */
export const hasExpired = ({ last_turn_at }: Session, now: Date) => now.getTime() - last_turn_at.getTime() > EXPIRES_AFTER_MS;

/** Ends a session that has waited too long. */
export function expireSession(ctx: Context, tx: Tx, session: Session): Promise<Session> {
  const outcome = { kind: "expired", reason: "The person has not answered for a day." } as const;
  return changeSession(ctx, tx, session, { status: "expired", outcome });
}

/** Ends the sessions that have waited too long. Returns how many. */
export async function expireSessions(services: Services): Promise<number> {
  const before = new Date(services.clock.now().getTime() - EXPIRES_AFTER_MS);
  const idle = await idleSessions(services.db, before, BATCH);
  for (const { partner_id, conversation_id } of idle) {
    const ctx = createContext(services, { principal: { type: "system", partner_id } });
    await ctx.tx(async (tx) => {
      const session = await openSessionOrNull(tx, ctx.scope, conversation_id);
      if (session !== null && hasExpired(session, tx.now)) await expireSession(ctx, tx, session);
    });
  }
  return idle.length;
}
