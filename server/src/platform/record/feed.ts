import { fail } from "../../kernel/errors.ts";
import { decodeCursor, encodeCursor } from "../../kernel/page.ts";
import type { Context } from "./context.ts";
import { type Feed, sequencePartner } from "./sequencer.ts";

export type Asked = { list: string; after: string | undefined; limit: number };

/** From behind one place of a feed up to another. */
export type FeedRange = { after: number; until: number };

type Head = { seq: number; trimmed_seq: number; waiting: boolean };

/**
 * The last place given in the feed, and the last that retention took away. What has committed is placed first, so that a
 * caller sees its own writes.
 */
export async function feedHead(ctx: Context, feed: Feed): Promise<Head> {
  const head = await headOf(ctx, feed);
  if (!head.waiting) return head;
  await sequencePartner(ctx.db, feed, ctx.scope.partner_id);
  return headOf(ctx, feed);
}

async function headOf(ctx: Context, feed: Feed): Promise<Head> {
  const [row] = await ctx.db.byKey.query<Head>(feed.head, [ctx.scope.partner_id]);
  return row ?? { seq: 0, trimmed_seq: 0, waiting: false };
}

/**
 * A stretch of a feed. The head is read before the page: whatever is placed later stands behind it. The cursor moves on even
 * where the filter lets nothing through, and nothing ever appears behind it. `page` gives one row more than asked for when
 * there are more, and nothing at all where retention has passed the place meanwhile: what is left would have a hole in front.
 */
export async function readFeedPage(
  ctx: Context,
  feed: Feed,
  asked: Asked,
  page: (stretch: FeedRange) => Promise<{ seq: number; json: string }[]>,
): Promise<{ json: string }> {
  const { list, limit } = asked;
  const fromEnd = asked.after === "end";
  const given = asked.after === undefined || fromEnd ? null : Number(decodeCursor(list, asked.after, ["number"])[0]);
  const { seq: until, trimmed_seq } = await feedHead(ctx, feed);
  const after = given ?? (fromEnd ? until : trimmed_seq);
  // One behind the end is of a feed that a restore has set back.
  if (after < trimmed_seq || after > until) fail("cursor_expired");
  const rows = await page({ after, until });
  if (rows.length === 0 && after < until && after < (await headOf(ctx, feed)).trimmed_seq) fail("cursor_expired");
  const shown = rows.slice(0, limit);
  const has_more = rows.length > limit;
  const position = has_more ? (shown.at(-1)?.seq ?? after) : until;
  const next_cursor = JSON.stringify(encodeCursor(list, [position]));
  return { json: `{"data":[${shown.map(({ json }) => json).join(",")}],"has_more":${has_more},"next_cursor":${next_cursor}}` };
}
