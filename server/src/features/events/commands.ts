import { fail, notFound } from "../../kernel/errors.ts";
import { ALL_EVENT_TYPES, EVENT_TYPES, readableTypes, requireReadable } from "../../kernel/events.ts";
import { decodeCursor, encodeCursor, LIMIT_DEFAULT, listIdentity } from "../../kernel/page.ts";
import { boundClients } from "../../kernel/principal.ts";
import { exampleOf, type JsonSchema } from "../../platform/http/schema-example.ts";
import type { Context } from "../../platform/record/context.ts";
import { sequencePartner } from "../../platform/record/sequencer.ts";
import { EVENT_CATALOGUE } from "./catalogue.ts";
import { eventOrNull, feedHead, feedPage } from "./queries.ts";
import { type EventFeedQuery, eventOf } from "./schema.ts";

export async function getEvent(ctx: Context, id: string) {
  return (await eventOrNull(ctx.db.byKey, ctx.scope, id, readableTypes(ctx.principal))) ?? notFound(id);
}

/**
 * A stretch of the feed. What has committed is placed first, so that a caller sees its own writes. The cursor moves on
 * even where the filter lets nothing through, and nothing ever appears behind it.
 */
export async function readFeed(ctx: Context, query: EventFeedQuery): Promise<{ json: string }> {
  const { limit = LIMIT_DEFAULT, type, client_id } = query;
  const types = type ?? readableTypes(ctx.principal);
  requireReadable(ctx.principal, types);
  const clients = askedClients(ctx, client_id);
  const list = listIdentity("events", { type, client_id });
  const fromEnd = query.after === "end";
  const given = query.after === undefined || fromEnd ? null : Number(decodeCursor(list, query.after, ["number"])[0]);
  await sequencePartner(ctx.db, ctx.scope.partner_id);
  const { seq: until, trimmed_seq } = await feedHead(ctx.db, ctx.scope);
  const after = given ?? (fromEnd ? until : trimmed_seq);
  // One behind the end is of a feed that a restore has set back.
  if (after < trimmed_seq || after > until) fail("cursor_expired");
  const rows = await feedPage(ctx.db, ctx.scope, { after, until, types, clients, limit });
  if (rows.length === 0 && after < until && after < (await feedHead(ctx.db, ctx.scope)).trimmed_seq) fail("cursor_expired");
  const shown = rows.slice(0, limit);
  const has_more = rows.length > limit;
  const position = has_more ? (shown.at(-1)?.seq ?? after) : until;
  const next_cursor = encodeCursor(list, [position]);
  return {
    json: `{"data":[${shown.map(({ json }) => json).join(",")}],"has_more":${has_more},"next_cursor":${JSON.stringify(next_cursor)}}`,
  };
}

/** The cursor behind everything that has committed by now: what a reader gets after it is new. */
export async function feedEnd(ctx: Context, { type, client_id }: Pick<EventFeedQuery, "type" | "client_id">): Promise<string> {
  await sequencePartner(ctx.db, ctx.scope.partner_id);
  const { seq } = await feedHead(ctx.db, ctx.scope);
  return encodeCursor(listIdentity("events", { type, client_id }), [seq]);
}

/** A client out of the caller's sight gives an empty feed, as one that never existed does. */
function askedClients(ctx: Context, asked: string | undefined): readonly string[] | null {
  const bound = boundClients(ctx.scope);
  if (asked === undefined) return bound;
  return bound === null || bound.includes(asked) ? [asked] : [];
}

/** Every event type with its schema and an example, whatever the key may read: it is documentation. */
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
