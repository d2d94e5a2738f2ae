import { createHash } from "node:crypto";
import type { Context } from "../../../../platform/record/context.ts";
import { askModelOf } from "../../definitions/index.ts";
import type { Answer, Request } from "../../engine/index.ts";
import type { Claimed } from "./claim.commands.ts";
import { keepAnswer } from "./outside.commands.ts";

/**
 * Asks the model of a version, and keeps its answer in the journal before the turn goes on. A turn that runs again as it ran before gets
 * the same answers, whatever has changed meanwhile; once a command was refused, only those to the same question.
 */
export function createModel(
  ctx: Context,
  claimed: Claimed,
  deadline_ms: number,
  repeats: boolean,
): (request: Request) => Promise<Answer> {
  const { turn, agent, session, content } = claimed;
  return async (request) => {
    const { call, args } = request;
    const hash = createHash("sha256").update(JSON.stringify(args)).digest("hex");
    const isAnswer = (entry: Claimed["turn"]["journal"][number]) => entry.tool === "model" && entry.call === call;
    const known = turn.journal.find((entry) => isAnswer(entry) && (repeats || entry.args === hash));
    if (known !== undefined) return known.value as Answer;
    const version = { agent_id: agent.id, number: session.agent_version, content };
    const answer = await askModelOf(ctx, version, request, deadline_ms - performance.now());
    await keepAnswer(ctx, claimed, { call, tool: "model", args: hash, value: answer });
    return answer;
  };
}
