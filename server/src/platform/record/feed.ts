import { fail } from "../../kernel/errors.ts";
import { firstIdAtTime } from "../../kernel/ids.ts";
import { decodeCursor, encodeCursor } from "../../kernel/page.ts";
import type { Context } from "./context.ts";
import { type Feed, sequencePartner } from "./sequencer.ts";

/** Longer than any transaction runs, and than the clocks of processes differ. */
const COMMIT_WITHIN_MS = 600_000;

/** From a time on, inclusive, up to another, exclusive. */
export type FeedTimes = { created_after?: string | undefined; created_before?: string | undefined };

export type FeedPaging = FeedTimes & { list: string; after: string | undefined; limit: number };

/** From one position of a feed, exclusive, up to another; and only ids from one on, before another, where times were given. */
export type FeedRange = { after: number; until: number; from_id: string | null; before_id: string | null };

type Head = { seq: number; trimmed_seq: number; pending: boolean };

/** The last position of the feed, and the last that retention deleted. It sequences first, so that callers read their own writes. */
async function feedHead(ctx: Context, feed: Feed): Promise<Head> {
  const head = await headOf(ctx, feed);
  if (!head.pending) return head;
  await sequencePartner(ctx.db, feed, ctx.scope.partner_id);
  return headOf(ctx, feed);
}

async function headOf(ctx: Context, feed: Feed): Promise<Head> {
  const [row] = await ctx.db.byKey.query<Head>(feed.head, [ctx.scope.partner_id]);
  return row ?? { seq: 0, trimmed_seq: 0, pending: false };
}

/** The cursor after everything committed. */
export async function feedEndCursor(ctx: Context, feed: Feed, list: string): Promise<string> {
  return encodeCursor(list, [(await feedHead(ctx, feed)).seq]);
}

/**
 * A page of a feed. The head is read before the page: later events are sequenced after it. The cursor advances even where the
 * filter matches nothing, and no event ever appears before it. `read` returns one row more than the limit when there are
 * more, and none at all where retention has passed the position meanwhile: events would be missing before the rest.
 */
export async function readFeedPage(
  ctx: Context,
  feed: Feed,
  paging: FeedPaging,
  read: (range: FeedRange) => Promise<{ seq: number; json: string }[]>,
): Promise<{ json: string }> {
  const { list, limit } = paging;
  const fromEnd = paging.after === "end";
  const position = paging.after === undefined || fromEnd ? null : Number(decodeCursor(list, paging.after, ["number"])[0]);
  const { seq: until, trimmed_seq } = await feedHead(ctx, feed);
  const after = position ?? (fromEnd ? until : trimmed_seq);
  // A position after the end is of a feed that was restored from a backup.
  if (after < trimmed_seq || after > until) fail("cursor_expired");
  const rows = await read(await rangeWithin(ctx, feed, paging, { after, until }));
  if (rows.length === 0 && after < until && after < (await headOf(ctx, feed)).trimmed_seq) fail("cursor_expired");
  const shown = rows.slice(0, limit);
  const has_more = rows.length > limit;
  const last = has_more ? (shown.at(-1)?.seq ?? after) : until;
  const next_cursor = JSON.stringify(encodeCursor(list, [last]));
  return { json: `{"data":[${shown.map(({ json }) => json).join(",")}],"has_more":${has_more},"next_cursor":${next_cursor}}` };
}

/**
 * Ids have the time at which their transaction began, positions follow the commits: an entry that committed before another
 * one began has the lower position. So the entries of a range of time lie between the last that is older by more than a
 * transaction takes and the first that is later by as much, which are found by their ids.
 */
async function rangeWithin(
  ctx: Context,
  feed: Feed,
  { created_after, created_before }: FeedTimes,
  { after, until }: { after: number; until: number },
): Promise<FeedRange> {
  const positionAt = async (statement: Feed["lastBefore"], time: string, shift_ms: number) => {
    const id = firstIdAtTime(feed.kind, new Date(Date.parse(time) + shift_ms).toISOString());
    const [row] = await ctx.db.byKey.query<{ seq: number }>(statement, [ctx.scope.partner_id, id]);
    return row?.seq;
  };
  const [older, later] = await Promise.all([
    created_after === undefined ? undefined : positionAt(feed.lastBefore, created_after, -COMMIT_WITHIN_MS),
    created_before === undefined ? undefined : positionAt(feed.firstFrom, created_before, COMMIT_WITHIN_MS),
  ]);
  return {
    after: Math.max(after, older ?? 0),
    until: Math.min(until, (later ?? Number.POSITIVE_INFINITY) - 1),
    from_id: created_after === undefined ? null : firstIdAtTime(feed.kind, created_after),
    before_id: created_before === undefined ? null : firstIdAtTime(feed.kind, created_before),
  };
}

/** The condition on ids of a range, with values that `place` gives their places in the statement. */
export function idsWithin({ from_id, before_id }: FeedRange, column: string, place: (value: unknown) => string): string {
  const from = from_id === null ? "" : `and ${column} >= ${place(from_id)}`;
  return before_id === null ? from : `${from} and ${column} < ${place(before_id)}`;
}
