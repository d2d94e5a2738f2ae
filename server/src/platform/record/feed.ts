import { fail } from "../../kernel/errors.ts";
import { decodeCursor, encodeCursor } from "../../kernel/page.ts";
import type { Context } from "./context.ts";
import { type Feed, sequencePartner } from "./sequencer.ts";

export type FeedPaging = {
  list: string;
  after: string | undefined;
  limit: number;
  /** Whether an index finds what the filter matches. */
  indexed: boolean;
};

/** From one position of a feed, exclusive, up to another. */
export type FeedRange = { after: number; until: number };

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

/** How many positions one read searches for a filter without an index, and how many reads a page takes at most. */
const WINDOW = 5_000;
const WINDOWS_MAX = 4;

type FeedRow = { seq: number; json: string };

/**
 * The first rows after a position, and the position up to which there are no others. A filter that matches little would search the whole
 * feed, so the search ends after some positions, and the next page goes on from there.
 */
async function firstRows(range: FeedRange, { limit, indexed }: FeedPaging, read: (range: FeedRange) => Promise<FeedRow[]>) {
  const window = indexed ? Number.POSITIVE_INFINITY : WINDOW;
  const rows: FeedRow[] = [];
  let searched = range.after;
  for (let windows = 0; windows < WINDOWS_MAX && rows.length <= limit && searched < range.until; windows += 1) {
    const until = Math.min(range.until, searched + window);
    rows.push(...(await read({ after: searched, until })));
    searched = until;
  }
  return { rows, searched };
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
  read: (range: FeedRange) => Promise<FeedRow[]>,
): Promise<{ json: string }> {
  const { list, limit } = paging;
  const fromEnd = paging.after === "end";
  const position = paging.after === undefined || fromEnd ? null : Number(decodeCursor(list, paging.after, ["number"])[0]);
  const { seq: until, trimmed_seq } = await feedHead(ctx, feed);
  const after = position ?? (fromEnd ? until : trimmed_seq);
  // A position after the end is of a feed that was restored from a backup.
  if (after < trimmed_seq || after > until) fail("cursor_expired");
  const { rows, searched } = await firstRows({ after, until }, paging, read);
  const first_empty = after < until && (rows[0]?.seq ?? Number.POSITIVE_INFINITY) > after + WINDOW;
  if (first_empty && after < (await headOf(ctx, feed)).trimmed_seq) fail("cursor_expired");
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? (shown.at(-1)?.seq ?? after) : searched;
  const has_more = last < until;
  const next_cursor = JSON.stringify(encodeCursor(list, [last]));
  return { json: `{"data":[${shown.map(({ json }) => json).join(",")}],"has_more":${has_more},"next_cursor":${next_cursor}}` };
}
