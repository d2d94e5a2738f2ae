import type { Context } from "../../../../platform/record/context.ts";
import type { Answer, Request } from "../../engine/index.ts";
import type { JournalEntry } from "../model.ts";
import type { Claimed } from "./claim.commands.ts";
import { appendJournal } from "./queries.ts";

const REPLY_BYTES_MAX = 16 * 1024;
const CONNECT_MS = 5_000;
const CALL_MS = 10_000;

/** The turn is no longer this worker's. */
export class LostClaim extends Error {}

/** What answers from outside are kept for. */
export type Journalled = Pick<Claimed, "turn" | "claimed_by" | "content">;

/** Keeps an answer in the journal of a turn, before the turn goes on. */
export async function keepAnswer(ctx: Context, { turn, claimed_by }: Journalled, entry: JournalEntry): Promise<void> {
  if (!(await appendJournal(ctx.db, ctx.scope, turn.id, claimed_by, entry))) throw new LostClaim();
  turn.journal.push(entry);
}

/**
 * Calls targets of a version. The answer is kept in the journal before the turn goes on, so that a turn that runs again does not call
 * twice; the key of the call tells a target that a crash in between repeats it.
 */
export function createOutside(
  ctx: Context,
  claimed: Journalled & { agent: { mode: string } },
  deadline_ms: number,
): (request: Request) => Promise<Answer> {
  const { turn, agent, content } = claimed;
  return async (request) => {
    if (agent.mode === "suggest") return { ok: false, code: "suggest", detail: "An agent that only suggests calls nobody." };
    const args = JSON.stringify(request.args);
    const known = turn.journal.find((entry) => entry.call === request.call && entry.tool === request.tool && entry.args === args);
    if (known !== undefined) return answerOf(known.value);
    const name = String(request.args.name);
    const targets = content.targets ?? {};
    const target = Object.hasOwn(targets, name) ? targets[name] : undefined;
    if (target === undefined) return { ok: false, code: "unknown_target", detail: `The version has no target ${name}.` };
    const left_ms = Math.min(deadline_ms - performance.now(), CALL_MS);
    if (left_ms <= 0) return { ok: false, code: "timeout", detail: "The time of the turn is over." };
    const { status, text } = await ctx.outbound.http.send({
      method: "POST",
      url: new URL(target.url),
      headers: {
        "content-type": "application/json",
        "idempotency-key": `${turn.id}.${request.call}`,
        "user-agent": ctx.settings.brand,
      },
      body: Buffer.from(JSON.stringify(request.args.body ?? {})),
      timeout_ms: left_ms,
      connect_timeout_ms: Math.min(left_ms, CONNECT_MS),
      keep_bytes: REPLY_BYTES_MAX,
    });
    const value = { status, body: bodyOf(text) };
    await keepAnswer(ctx, claimed, { call: request.call, tool: request.tool, args, value });
    return answerOf(value);
  };
}

function bodyOf(text: string | null): unknown {
  const storable = (text ?? "").replaceAll("\0", "").toWellFormed();
  try {
    return JSON.parse(storable);
  } catch {
    return storable;
  }
}

function answerOf(value: unknown): Answer {
  const { status } = value as { status: number | null };
  if (status !== null && status >= 200 && status <= 299) return { ok: true, value };
  return {
    ok: false,
    code: "target_failed",
    detail: status === null ? "The target did not answer." : `The target answered ${status}.`,
  };
}
