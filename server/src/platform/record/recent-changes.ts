/** How many changes are kept for the listeners of a partner. */
const KEPT_MAX = 1_000;

export type FollowedChange = {
  seq: number;
  resource: string;
  id: string;
  account_id: string;
  change: string;
  version: number;
};

/** Changes in the order of the feed, and the position up to which there are no others. */
export type Stretch = { changes: FollowedChange[]; position: number };

export type RecentChanges = ReturnType<typeof createRecentChanges>;

/** The last changes of a feed, from a position on. Each is kept once, however many read it, and no more than so many of them. */
export function createRecentChanges(from: number, kept_max = KEPT_MAX) {
  let start = from;
  let position = from;
  let kept: FollowedChange[] = [];

  return {
    position: () => position,
    /** Adds what follows, up to a position. */
    add({ changes, position: until }: Stretch): void {
      kept.push(...changes);
      position = until;
      start = kept.at(-kept_max - 1)?.seq ?? start;
      kept = kept.slice(-kept_max);
    },
    /** The first changes after a position, `limit` at most; null where some of them are no longer kept. */
    since(after: number, limit: number): Stretch | null {
      if (after >= position) return { changes: [], position: after };
      if (after < start) return null;
      const first = kept.findLastIndex(({ seq }) => seq <= after) + 1;
      const changes = kept.slice(first, first + limit);
      return { changes, position: changes.length < limit ? position : (changes.at(-1)?.seq ?? position) };
    },
  };
}
