import { takeTurn } from "../../../platform/db/turn.ts";
import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { Fetched } from "./fetch.commands.ts";
import { ACCOUNT_BYTES_MAX, passagesOf } from "./model.ts";
import { type Content, keysOf, type Source, type State, saveChunks, saveContent, saveState } from "./queries.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** When a page is fetched again: after a day, or an hour where it could not be fetched. */
export const nextFetch = (now: Date, failed: boolean) => new Date(now.getTime() + (failed ? HOUR_MS : DAY_MS));

/** Whoever adds text takes the turn of its account before it locks a source, and counts then. */
export function takeTurnOf(tx: Tx, account_id: string): Promise<void> {
  return takeTurn(tx, `knowledge of ${account_id}`);
}

/** Whether an account whose turn was taken has room for what a source is to say. One that gets shorter always has. */
export async function hasRoom(ctx: Context, tx: Tx, { id, account_id, bytes }: Source, content: Content): Promise<boolean> {
  if (content.bytes <= bytes) return true;
  const others = (await keysOf(tx, ctx.scope, account_id)).filter((one) => one.id !== id);
  return others.reduce((sum, one) => sum + one.bytes, content.bytes) <= ACCOUNT_BYTES_MAX;
}

/** Replaces what a locked source says. */
export async function storeContent(ctx: Context, tx: Tx, source: Source, content: Content & State): Promise<void> {
  await saveContent(tx, ctx.scope, source.id, content);
  await saveChunks(tx, ctx.scope.partner_id, source, passagesOf(content.text));
}

/** What is said of text for which there is no room. */
export const NO_ROOM = `The sources of an account have at most ${ACCOUNT_BYTES_MAX} bytes of text. Shorten or delete one of them.`;

/** Stores what came of a fetch, unless the page has moved meanwhile. Where it failed, or does not fit, what was fetched before stays. */
export async function storeFetched(ctx: Context, tx: Tx, source: Source, url: string, loaded: Fetched): Promise<void> {
  if (source.url !== url) return;
  const fetched = "content" in loaded && !(await hasRoom(ctx, tx, source, loaded.content)) ? { error: NO_ROOM } : loaded;
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
