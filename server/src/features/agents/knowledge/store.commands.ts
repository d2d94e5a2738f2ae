import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { Fetched } from "./fetch.commands.ts";
import { passagesOf } from "./model.ts";
import { type Content, type Source, type State, saveChunks, saveContent, saveState } from "./queries.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** When a page is fetched again: after a day, or an hour where it could not be fetched. */
export const nextFetch = (now: Date, failed: boolean) => new Date(now.getTime() + (failed ? HOUR_MS : DAY_MS));

/** Replaces what a locked source says. */
export async function storeContent(ctx: Context, tx: Tx, source: Source, content: Content & State): Promise<void> {
  await saveContent(tx, ctx.scope, source.id, content);
  await saveChunks(tx, ctx.scope.partner_id, source, passagesOf(content.text));
}

/** Stores what came of a fetch, unless the page has moved meanwhile. Where it failed, what was fetched before stays. */
export async function storeFetched(ctx: Context, tx: Tx, source: Source, url: string, fetched: Fetched): Promise<void> {
  if (source.url !== url) return;
  const failed = "error" in fetched;
  const state: State = {
    status: failed ? "failed" : "ready",
    error: failed ? fetched.error : null,
    fetched_at: failed ? (source.fetched_at === null ? null : new Date(source.fetched_at)) : tx.now,
    next_fetch_at: nextFetch(tx.now, failed),
  };
  if ("content" in fetched) await storeContent(ctx, tx, source, { ...fetched.content, ...state });
  else await saveState(tx, ctx.scope, source.id, state);
}
