import { notFound } from "../../../kernel/errors.ts";
import { ALL_EVENT_TYPES, EVENT_TYPES, readableTypes, requireReadable } from "../../../kernel/events.ts";
import { LIMIT_DEFAULT, listIdentity } from "../../../kernel/page.ts";
import { requestedAccounts } from "../../../kernel/principal.ts";
import { exampleOf, type JsonSchema } from "../../../platform/http/schema-example.ts";
import type { Context } from "../../../platform/record/context.ts";
import { feedEndCursor, readFeedPage, readNewestFeedPage } from "../../../platform/record/feed.ts";
import { EVENT_FEED } from "../../../platform/record/sequencer.ts";
import { EVENT_CATALOGUE } from "./catalogue.ts";
import { eventOrNull, feedPage } from "./queries.ts";
import { type EventFeedQuery, eventOf } from "./schema.ts";

export async function getEvent(ctx: Context, id: string) {
  return (await eventOrNull(ctx.db.byKey, ctx.scope, id, readableTypes(ctx.principal))) ?? notFound(id);
}

/** A page of the feed, oldest first unless the newest are asked for. */
export async function readFeed(ctx: Context, query: EventFeedQuery): Promise<{ json: string }> {
  const { limit = LIMIT_DEFAULT, after, type, client_id, created_after, created_before, order } = query;
  const newest = order === "newest";
  const types = type ?? readableTypes(ctx.principal);
  requireReadable(ctx.principal, types);
  const clients = requestedAccounts(ctx.scope, client_id);
  const list = listIdentity("events", { type, client_id, created_after, created_before, ...(newest ? { order } : {}) });
  const paging = { list, after, limit, created_after, created_before, indexed: clients !== null };
  const read = newest ? readNewestFeedPage : readFeedPage;
  return read(ctx, EVENT_FEED, paging, (range) => feedPage(ctx.db, ctx.scope, { ...range, types, clients, limit, newest }));
}

/** The cursor after everything committed: whatever a reader gets from there on is new. */
export function feedEnd(ctx: Context, { type, client_id }: Pick<EventFeedQuery, "type" | "client_id">): Promise<string> {
  return feedEndCursor(ctx, EVENT_FEED, listIdentity("events", { type, client_id }));
}

/** Every event type with its schema and an example, regardless of scopes: it is documentation. */
export async function listEventTypes(): Promise<{ json: string }> {
  const data = ALL_EVENT_TYPES.map((type) => {
    const schema = eventOf(type);
    return {
      type,
      summary: EVENT_CATALOGUE[type].summary,
      required_scope: EVENT_TYPES[type],
      schema,
      example: exampleOf(schema as JsonSchema),
    };
  });
  return { json: JSON.stringify({ data, has_more: false, next_cursor: null }) };
}
