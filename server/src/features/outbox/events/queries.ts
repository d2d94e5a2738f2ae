import { LIMIT_MAX } from "../../../kernel/page.ts";
import { boundClients, type TenantScope } from "../../../kernel/principal.ts";
import { composedStatement, type Queryable, statement } from "../../../platform/db/statement.ts";
import { type FeedRange, idsWithin } from "../../../platform/record/feed.ts";

const eventById = statement(`
  select convert_from(e.body, 'UTF8') as json
  from events e join event_feed f on f.partner_id = $1 and f.event_id = e.id
  where e.partner_id = $1 and e.id = $2 and ($3::text[] is null or f.client_id = any ($3)) and f.type = any ($4)`);

export async function eventOrNull(db: Queryable, scope: TenantScope, id: string, types: readonly string[]) {
  const [row] = await db.query<{ json: string }>(eventById, [scope.partner_id, id, boundClients(scope), types]);
  return row ?? null;
}

export type FeedFilter = FeedRange & {
  types: readonly string[];
  clients: readonly string[] | null;
  limit: number;
  newest: boolean;
};

/**
 * Up to `limit + 1` events of a range of the feed, in order, or in reverse. In order there are none at all where retention has passed
 * the position meanwhile: events would be missing before the rest. The longest page tells the planner that any page is short, so the plan is cached.
 */
export function feedPage(db: Queryable, scope: TenantScope, filter: FeedFilter) {
  const values: unknown[] = [scope.partner_id, filter.after, filter.until, filter.types, filter.limit + 1];
  const only = filter.clients === null ? "" : `and f.client_id = ${filter.clients.length === 1 ? "$6" : "any ($6)"}`;
  if (filter.clients !== null) values.push(filter.clients.length === 1 ? filter.clients[0] : filter.clients);
  const kept = filter.newest ? "" : "and $2 >= (select h.trimmed_seq from feed_heads h where h.partner_id = $1)";
  const order = filter.newest ? "f.seq desc" : "f.seq";
  const times = idsWithin(filter, "f.event_id", (value) => `$${values.push(value)}`);
  return db.query<{ seq: number; json: string }>(
    composedStatement(`
  select f.seq, convert_from(e.body, 'UTF8') as json
  from (
    select f.event_id, f.seq from event_feed f
    where f.partner_id = $1 and f.seq > $2 and f.seq <= $3 and f.type = any ($4) ${only} ${times}
      ${kept}
    order by ${order} limit ${LIMIT_MAX + 1}
  ) f join events e on e.partner_id = $1 and e.id = f.event_id
  order by ${order} limit $5`),
    values,
  );
}
