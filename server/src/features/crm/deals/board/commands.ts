import type { Context } from "../../../../platform/record/context.ts";
import { getPipeline } from "../../../accounts/pipelines/index.ts";
import { boardJson } from "./queries.ts";
import type { BoardQuery } from "./schema.ts";

export async function getBoard(ctx: Context, pipeline_id: string, { as_of }: BoardQuery): Promise<{ json: string }> {
  await getPipeline(ctx, pipeline_id);
  return boardJson(ctx.db, ctx.scope, pipeline_id, as_of === undefined ? null : new Date(as_of), ctx.clock.now());
}
