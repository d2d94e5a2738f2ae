import { randomUUID } from "node:crypto";
import { type Context, createContext, type Services } from "../../../../platform/record/context.ts";
import { isOpen } from "../../../inbox/channels/index.ts";
import { type Answer, type Content, drive, type Request } from "../../engine/index.ts";
import { answerSearch } from "../../knowledge/index.ts";
import { RETRY_AFTER_MS, TURN_MS } from "../model.ts";
import { worldOf } from "../world.queries.ts";
import { workApproved } from "./approved.commands.ts";
import { type Claimed, claimTurn } from "./claim.commands.ts";
import { type Decided, finishTurn, handedOff } from "./finish.commands.ts";
import { createModel } from "./model.commands.ts";
import { createOutside, LostClaim } from "./outside.commands.ts";
import { type DueTurn, dueTurns, releaseTurn } from "./queries.ts";
import { CommandRefused } from "./tools.commands.ts";

/**
 * Runs a turn that is due: claims it, runs it outside of any transaction, and commits all that it does at once. A crash before the commit
 * leaves a turn that runs again, with the answers of its journal; a crash after it leaves nothing to do.
 */
export async function workTurn(services: Services, due: DueTurn): Promise<void> {
  const principal = { type: "system", partner_id: due.partner_id, as: { type: "agent", id: due.agent_id } } as const;
  const ctx = createContext(services, { principal });
  const claimed_by = randomUUID();
  try {
    if (due.approval_id !== null) return await workApproved(ctx, due, claimed_by);
    const claimed = await claimTurn(ctx, due, claimed_by);
    if (claimed !== null) await answer(ctx, claimed);
  } catch (error) {
    // Another worker has the turn by now: it is that one's to end.
    if (error instanceof LostClaim) return;
    // Nobody waits for a claim to run out whose worker knows that it failed; where the database is away, it runs out.
    const now_ms = services.clock.now().getTime();
    const retry_at = RETRY_AFTER_MS.map((after_ms) => new Date(now_ms + after_ms));
    await releaseTurn(ctx.db, ctx.scope, due.id, claimed_by, retry_at).catch(() => undefined);
    throw error;
  }
}

/** Runs a turn and commits it. A command that is refused then is the answer of its tool, once; after that a person takes over. */
async function answer(ctx: Context, claimed: Claimed): Promise<void> {
  const started_ms = performance.now();
  const refused = new Map<number, Answer>();
  const commit = (driven: Decided) => finishTurn(ctx, claimed, driven, Math.round(performance.now() - started_ms));
  for (let run = 1; run <= 2; run += 1) {
    const driven = await runOnce(ctx, claimed, refused, started_ms);
    try {
      return await commit(driven);
    } catch (error) {
      if (!(error instanceof CommandRefused)) throw error;
      const { call, refusal } = error;
      const { usage, failures } = driven;
      if (call === null || run === 2) return commit({ ...handedOff(claimed, refusal.message), usage, failures });
      refused.set(call, { ok: false, code: refusal.code, detail: refusal.message });
    }
  }
}

async function runOnce(
  ctx: Context,
  claimed: Claimed,
  refused: ReadonlyMap<number, Answer>,
  started_ms: number,
): Promise<Decided> {
  const { turn, session, agent, content, person, text } = claimed;
  const { account_id } = person;
  if (turn.follow_up !== null) return { ...handedOff(claimed, ""), messages: [turn.follow_up], ending: null };
  if (session.turns >= agent.limits.turns_per_session)
    return handedOff(claimed, `The session has reached its limit of ${agent.limits.turns_per_session} turns.`);
  // Not the time of this attempt: a turn that runs again is the same turn.
  const now = turn.run_at;
  const deadline_ms = started_ms + TURN_MS;
  return drive({
    turn: {
      memory: session.memory,
      text,
      now,
      open: isOpen(agent.hours, agent.timezone, now),
      seed: `${session.id}/${session.turns}`,
      names: { agent: agent.name, account: agent.account_name },
    },
    world: await worldOf(ctx.db, ctx.scope, person),
    content: content as Content,
    given: ({ call, effect }: Request) => (effect === "model" ? null : (refused.get(call) ?? null)),
    search: (request) => answerSearch(ctx.db, ctx.scope, { account_id, keys: content.knowledge ?? null }, request),
    external: createOutside(ctx, claimed, deadline_ms),
    model: createModel(ctx, claimed, deadline_ms, refused.size === 0),
  });
}

/** Runs everything that is due now, one turn after the other. Returns how many there were. */
export async function runDueTurns(services: Services): Promise<number> {
  const due = await dueTurns(services.db, services.clock.now(), 1_000);
  for (const turn of due) await workTurn(services, turn);
  return due.length;
}
