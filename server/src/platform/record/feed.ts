import { fail } from "../../kernel/errors.ts";
import { firstIdAtTime } from "../../kernel/ids.ts";
import { decodeCursor, encodeCursor } from "../../kernel/page.ts";
import type { Database } from "../db/database.ts";
import { type Feed, sequencePartner } from "./sequencer.ts";

/** Longer than any transaction runs, and than the clocks of processes differ. */
const COMMIT_WITHIN_MS = 600_000;

/** Whose feed is read, and where. */
type FeedContext = { db: Database; scope: { partner_id: string } };

/** From a time on, inclusive, up to another, exclusive. */
export type FeedTimes = { created_after?: string | undefined; created_before?: string | undefined };

export type FeedPaging = FeedTimes & {
  list: string;
  after: string | undefined;
  limit: number;
  /** Whether an index finds what the filter matches. */
  indexed: boolean;
};

/** From one position of a feed, exclusive, up to another; and only ids from one on, before another, where times were given. */
export type FeedRange = { after: number; until: number; from_id: string | null; before_id: string | null };

type Head = { seq: number; trimmed_seq: number; pending: boolean };

/** The last position of the feed, and the last that retention deleted. It sequences first, so that callers read their own writes. */
export async function feedHead(db: Database, feed: Feed, partner_id: string): Promise<Head> {
  const head = await headOf(db, feed, partner_id);
  if (!head.pending) return head;
  await sequencePartner(db, feed, partner_id);
  return headOf(db, feed, partner_id);
}

async function headOf(db: Database, feed: Feed, partner_id: string): Promise<Head> {
  const [row] = await db.byKey.query<Head>(feed.head, [partner_id]);
  return row ?? { seq: 0, trimmed_seq: 0, pending: false };
}

/** The cursor after everything committed. */
export async function feedEndCursor(ctx: FeedContext, feed: Feed, list: string): Promise<string> {
  return encodeCursor(list, [(await feedHead(ctx.db, feed, ctx.scope.partner_id)).seq]);
}

/** How many positions one read searches for a filter without an index, and how many reads a page takes at most. */
const WINDOW = 5_000;
const WINDOWS_MAX = 4;

export type FeedRow = { seq: number; json: string };

/**
 * The first rows after a position, and the position up to which there are no others. A filter that matches little would search the whole
 * feed, so the search ends after some positions, and the next page goes on from there.
 */
async function firstRows<Row extends { seq: number }>(
  range: FeedRange,
  { limit, indexed }: Pick<FeedPaging, "limit" | "indexed">,
  read: (range: FeedRange) => Promise<Row[]>,
) {
  const window = indexed ? Number.POSITIVE_INFINITY : WINDOW;
  const rows: Row[] = [];
  let searched = range.after;
  for (let windows = 0; windows < WINDOWS_MAX && rows.length <= limit && searched < range.until; windows += 1) {
    const until = Math.min(range.until, searched + window);
    rows.push(...(await read({ ...range, after: searched, until })));
    searched = until;
  }
  return { rows, searched };
}

/** A stretch of a feed, between two positions. */
export type FeedBounds = { after: number; until: number };

/** From a cursor to the end of the feed; `end` is the end itself, and without a cursor it is everything that is left. */
export async function feedBounds(ctx: FeedContext, feed: Feed, list: string, cursor: string | undefined): Promise<FeedBounds> {
  const fromEnd = cursor === "end";
  const position = cursor === undefined || fromEnd ? null : Number(decodeCursor(list, cursor, ["number"])[0]);
  const { seq: until, trimmed_seq } = await feedHead(ctx.db, feed, ctx.scope.partner_id);
  const after = position ?? (fromEnd ? until : trimmed_seq);
  // A position after the end is of a feed that was restored from a backup.
  if (after < trimmed_seq || after > until) fail("cursor_expired");
  return { after, until };
}

/**
 * A page of a feed. The head is read before the page: later events are sequenced after it. The cursor advances even where the
 * filter matches nothing, and no event ever appears before it.
 */
export async function readFeedPage(
  ctx: FeedContext,
  feed: Feed,
  paging: FeedPaging,
  read: (range: FeedRange) => Promise<FeedRow[]>,
): Promise<{ json: string }> {
  const bounds = await feedBounds(ctx, feed, paging.list, paging.after);
  const { rows, position } = await readFeedRows(ctx, feed, paging, bounds, read);
  const next_cursor = JSON.stringify(encodeCursor(paging.list, [position]));
  const has_more = position < bounds.until;
  return { json: `{"data":[${rows.map(({ json }) => json).join(",")}],"has_more":${has_more},"next_cursor":${next_cursor}}` };
}

/**
 * The first rows of a stretch, and the position up to which there are no others. `read` returns one row more than the limit when there
 * are more, and none at all where retention has passed the position meanwhile: events would be missing before the rest.
 */
export async function readFeedRows<Row extends { seq: number }>(
  ctx: FeedContext,
  feed: Feed,
  paging: Omit<FeedPaging, "list" | "after">,
  { after, until }: FeedBounds,
  read: (range: FeedRange) => Promise<Row[]>,
): Promise<{ rows: Row[]; position: number }> {
  const range = await rangeWithin(ctx, feed, paging, { after, until });
  const { rows, searched } = await firstRows(range, paging, read);
  const first_empty = range.after < range.until && (rows[0]?.seq ?? Number.POSITIVE_INFINITY) > range.after + WINDOW;
  if (first_empty && range.after < (await headOf(ctx.db, feed, ctx.scope.partner_id)).trimmed_seq) fail("cursor_expired");
  const shown = rows.slice(0, paging.limit);
  const end = searched < range.until ? searched : until;
  return { rows: shown, position: rows.length > paging.limit ? (shown.at(-1)?.seq ?? after) : end };
}

/**
 * A page of a feed, newest first, for people. Its cursor is the position from which older entries follow, so what is recorded
 * meanwhile moves nothing. `read` returns rows in that order, one more than the limit when there are more.
 */
export async function readNewestFeedPage(
  ctx: FeedContext,
  feed: Feed,
  paging: FeedPaging,
  read: (range: FeedRange) => Promise<FeedRow[]>,
): Promise<{ json: string }> {
  const { list, limit, after } = paging;
  const position = after === undefined ? Number.POSITIVE_INFINITY : Number(decodeCursor(list, after, ["number"])[0]);
  const { seq, trimmed_seq } = await feedHead(ctx.db, feed, ctx.scope.partner_id);
  const range = await rangeWithin(ctx, feed, paging, { after: trimmed_seq, until: Math.min(position, seq) });
  const window = paging.indexed ? Number.POSITIVE_INFINITY : WINDOW;
  const rows: FeedRow[] = [];
  let searched = range.until;
  for (let windows = 0; windows < WINDOWS_MAX && rows.length <= limit && searched > range.after; windows += 1) {
    const from = Math.max(range.after, searched - window);
    rows.push(...(await read({ ...range, after: from, until: searched })));
    searched = from;
  }
  const shown = rows.slice(0, limit);
  const next = rows.length > limit ? (shown.at(-1)?.seq ?? 1) - 1 : searched;
  const next_cursor = JSON.stringify(encodeCursor(list, [next]));
  return {
    json: `{"data":[${shown.map(({ json }) => json).join(",")}],"has_more":${next > range.after},"next_cursor":${next_cursor}}`,
  };
}

/**
 * Ids have the time at which their transaction began, positions follow the commits: an entry that committed before another one
 * began has the lower position. So everything up to an entry that is older than a time by more than a transaction takes is older
 * than that time, and everything after an entry that is later by as much is later.
 */
async function rangeWithin(
  ctx: FeedContext,
  feed: Feed,
  { created_after, created_before }: FeedTimes,
  { after, until }: FeedBounds,
): Promise<FeedRange> {
  const idAt = (time: string, shift_ms = 0) => firstIdAtTime(feed.kind, new Date(Date.parse(time) + shift_ms).toISOString());
  const [older, later] = await Promise.all([
    created_after === undefined ? null : boundary(ctx, feed, idAt(created_after, -COMMIT_WITHIN_MS), { after, until }),
    created_before === undefined ? null : boundary(ctx, feed, idAt(created_before, COMMIT_WITHIN_MS), { after, until }),
  ]);
  return {
    after: older?.below ?? after,
    until: later === null ? until : later.above - 1,
    from_id: created_after === undefined ? null : idAt(created_after),
    before_id: created_before === undefined ? null : idAt(created_before),
  };
}

/** Halves a range until it has two neighbours, of which one has a lower id than this and the other has not. Ids need no index for that. */
async function boundary(ctx: FeedContext, feed: Feed, id: string, { after, until }: FeedBounds) {
  let [below, above] = [after, until + 1];
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2);
    const [entry] = await ctx.db.byKey.query<{ seq: number; id: string }>(feed.entryFrom, [ctx.scope.partner_id, middle]);
    if (entry === undefined || entry.seq >= above || entry.id >= id) above = middle;
    else below = entry.seq;
  }
  return { below, above };
}

/** The condition on ids of a range, with values that `place` gives their places in the statement. */
export function idsWithin({ from_id, before_id }: FeedRange, column: string, place: (value: unknown) => string): string {
  const from = from_id === null ? "" : `and ${column} >= ${place(from_id)}`;
  return before_id === null ? from : `${from} and ${column} < ${place(before_id)}`;
}
