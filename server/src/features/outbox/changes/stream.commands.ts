import { ALL_RESOURCES, type Resource } from "../../../kernel/changes.ts";
import { encodeCursor, LIMIT_MAX, listIdentity } from "../../../kernel/page.ts";
import { requestedAccounts } from "../../../kernel/principal.ts";
import type { Result } from "../../../platform/http/route.ts";
import { eventMessage, HEARTBEAT_EVERY_MS, heartbeat } from "../../../platform/http/streams.ts";
import type { Context } from "../../../platform/record/context.ts";
import { feedBounds, readFeedRows } from "../../../platform/record/feed.ts";
import type { Listener } from "../../../platform/record/follow.ts";
import type { FollowedChange } from "../../../platform/record/recent-changes.ts";
import { CHANGE_FEED } from "../../../platform/record/sequencer.ts";
import { readableOf } from "./commands.ts";
import { changesPage } from "./queries.ts";
import type { ChangeStreamQuery } from "./schema.ts";

/** Which changes a stream follows, and what it tells of them. */
export type FollowedFeed = {
  /** The name of the list, whose cursors are the ids of messages. */
  list: string;
  after: string | undefined;
  resources: readonly Resource[];
  /** Null: all of the partner's. */
  accounts: readonly string[] | null;
  tell(changes: readonly FollowedChange[]): Promise<Told[]> | Told[];
};
/** A message about the change at a position. */
export type Told = { seq: number; event: string; json: string };

type Found = { changes: FollowedChange[]; position: number };

/** Streams which records change, from a cursor of the feed on: in its order, each change once. */
export async function streamChanges(ctx: Context, query: ChangeStreamQuery): Promise<Result> {
  const { after, resource, account_id } = query;
  return followFeed(ctx, {
    // As the feed names it, so that its cursors are the ids of messages.
    list: listIdentity("changes", { resource, account_id }),
    after,
    resources: readableOf(ctx, ALL_RESOURCES, resource),
    accounts: requestedAccounts(ctx.scope, account_id),
    tell: (changes) => changes.map((change) => ({ seq: change.seq, event: "change", json: hintJson(change) })),
  });
}

/** Streams what is told of changes, from a cursor of the feed on, without an end. */
export async function followFeed(ctx: Context, feed: FollowedFeed): Promise<Result> {
  const { list, after = "end" } = feed;
  const { after: first } = await feedBounds(ctx, CHANGE_FEED, list, after);
  const idOf = (position: number) => encodeCursor(list, [position]);

  async function* pieces(gone: AbortSignal): AsyncGenerator<string, void> {
    const listener = ctx.follower.listen(ctx.scope.partner_id);
    const { heartbeat_ms = HEARTBEAT_EVERY_MS } = ctx.settings;
    try {
      // At once, so that the reader knows that it is connected, and where it goes on if nothing happens until it is not.
      yield heartbeat(idOf(first));
      let [position, sent_ms] = [first, performance.now()];
      while (!gone.aborted && !ctx.follower.closed()) {
        const known = position;
        const found = keptChanges(listener, feed, known) ?? (await missedChanges(ctx, feed, known, listener.position()));
        position = found.position;
        const silent_ms = performance.now() - sent_ms;
        if (found.changes.length === 0 && silent_ms < heartbeat_ms) {
          if (position === known) await listener.wait(heartbeat_ms - silent_ms, gone);
          continue;
        }
        const told = await feed.tell(found.changes);
        yield told.map(({ seq, event, json }) => eventMessage(event, json, idOf(seq))).join("") || heartbeat(idOf(position));
        sent_ms = performance.now();
      }
    } finally {
      listener.leave();
    }
  }
  return { json: "", pieces };
}

/** Of what the follower has kept; null where the reader is too far behind. */
function keptChanges(listener: Listener, { resources, accounts }: FollowedFeed, position: number): Found | null {
  const stretch = listener.since(position, LIMIT_MAX);
  if (stretch === null) return null;
  const changes = stretch.changes.filter(
    ({ resource, account_id }) => resources.includes(resource as Resource) && (accounts?.includes(account_id) ?? true),
  );
  return { changes, position: stretch.position };
}

/** From the feed itself, for a reader that comes back or is slow. */
async function missedChanges(ctx: Context, feed: FollowedFeed, after: number, until: number): Promise<Found> {
  const { resources, accounts } = feed;
  const paging = { limit: LIMIT_MAX, indexed: accounts !== null };
  const { rows, position } = await readFeedRows(ctx, CHANGE_FEED, paging, { after, until }, (range) =>
    changesPage(ctx.db, ctx.scope, { ...range, resources, accounts, limit: LIMIT_MAX }),
  );
  return { changes: rows, position };
}

function hintJson({ resource, id, account_id, change, version }: FollowedChange): string {
  return JSON.stringify({ resource, id, account_id, change, version });
}
