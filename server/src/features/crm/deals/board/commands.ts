import { fail } from "../../../../kernel/errors.ts";
import type { Context } from "../../../../platform/record/context.ts";
import { getPipeline } from "../../../accounts/pipelines/index.ts";
import { boardJson } from "./queries.ts";
import type { BoardQuery } from "./schema.ts";

export async function getBoard(ctx: Context, pipeline_id: string, query: BoardQuery): Promise<{ json: string }> {
  if (query.as_of !== undefined && (query.deals ?? 0) > 0) refuseDealsThen();
  await getPipeline(ctx, pipeline_id);
  return boardJson(ctx.db, ctx.scope, pipeline_id, query, ctx.clock.now());
}

function refuseDealsThen(): never {
  const detail = "deals shows what is in the stages now, so it cannot be combined with as_of.";
  fail("invalid_parameter", { detail, faults: [{ in: "query", pointer: "#/deals", code: "not_with_as_of", detail }] });
}
