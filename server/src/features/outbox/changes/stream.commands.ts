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

type Hint = Pick<FollowedChange, "resource" | "id" | "account_id" | "change" | "version">;
type Hints = { rows: { seq: number; json: string }[]; position: number };
type Filter = { resources: readonly Resource[]; accounts: readonly string[] | null };

/** Streams which records change, from a cursor of the feed on: in its order, each change once. */
export async function streamChanges(ctx: Context, query: ChangeStreamQuery): Promise<Result> {
  const { after = "end", resource, account_id } = query;
  const filter = { resources: readableOf(ctx, ALL_RESOURCES, resource), accounts: requestedAccounts(ctx.scope, account_id) };
  // As the feed names it, so that its cursors are the ids of messages.
  const list = listIdentity("changes", { resource, account_id });
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
        const found = keptHints(listener, filter, known) ?? (await missedHints(ctx, filter, known, listener.position()));
        position = found.position;
        const silent_ms = performance.now() - sent_ms;
        if (found.rows.length === 0 && silent_ms < heartbeat_ms) {
          if (position === known) await listener.wait(heartbeat_ms - silent_ms, gone);
          continue;
        }
        yield found.rows.map(({ seq, json }) => eventMessage("change", json, idOf(seq))).join("") || heartbeat(idOf(position));
        sent_ms = performance.now();
      }
    } finally {
      listener.leave();
    }
  }
  return { json: "", pieces };
}

/** Of what the follower has kept; null where the reader is too far behind. */
function keptHints(listener: Listener, { resources, accounts }: Filter, position: number): Hints | null {
  const stretch = listener.since(position, LIMIT_MAX);
  if (stretch === null) return null;
  const rows = stretch.changes.filter(
    ({ resource, account_id }) => resources.includes(resource as Resource) && (accounts?.includes(account_id) ?? true),
  );
  return { rows: rows.map((row) => ({ seq: row.seq, json: hintJson(row) })), position: stretch.position };
}

/** From the feed itself, for a reader that comes back or is slow. */
function missedHints(ctx: Context, { resources, accounts }: Filter, after: number, until: number): Promise<Hints> {
  const paging = { limit: LIMIT_MAX, indexed: accounts !== null };
  return readFeedRows(ctx, CHANGE_FEED, paging, { after, until }, async (range) => {
    const rows = await changesPage(ctx.db, ctx.scope, { ...range, resources, accounts, limit: LIMIT_MAX });
    return rows.map((row) => ({ seq: row.seq, json: hintJson(row) }));
  });
}

function hintJson({ resource, id, account_id, change, version }: Hint): string {
  return JSON.stringify({ resource, id, account_id, change, version });
}
