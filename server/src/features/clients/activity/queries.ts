import type { TenantScope } from "../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";

export type ActivityFilter = {
  client_id: string;
  types: readonly string[];
  /** The part of an id after its prefix, which orders ids of every kind by time. */
  after: string | null;
  limit: number;
};

export type ActivityRow = { id: string; place: string; name: string; data: string };

/** Both sides are read newest first by an index of their own, each as far as a page goes, and then put together. */
export function activityPage(db: Queryable, scope: TenantScope, filter: ActivityFilter): Promise<ActivityRow[]> {
  const { client_id, types, after, limit } = filter;
  const before = (column: string, prefix: string) => (after === null ? "" : `and ${column} < '${prefix}_' || $5`);
  return db.query<ActivityRow>(
    statement(`
  select * from (
    (select a.id, substr(a.id, 5) as place, a.action as name,
       json_build_object('actor', b.body -> 'actor', 'changes', b.body -> 'changes')::text as data
     from audit_entries a, lateral (select convert_from(a.body, 'UTF8')::json as body) b
     where a.partner_id = $1 and a.client_id = $2 and not a.tallied ${before("a.id", "aud")}
     order by a.id desc limit $3)
    union all
    (select f.event_id, substr(f.event_id, 5), f.type, (convert_from(e.body, 'UTF8')::json -> 'data')::text
     from event_feed f join events e on e.partner_id = f.partner_id and e.id = f.event_id
     where f.partner_id = $1 and f.client_id = $2 and f.type = any ($4) ${before("f.event_id", "evt")}
     order by f.event_id desc limit $3)
  ) x
  order by x.place desc limit $3`),
    [scope.partner_id, client_id, limit + 1, types, ...(after === null ? [] : [after])],
  );
}
