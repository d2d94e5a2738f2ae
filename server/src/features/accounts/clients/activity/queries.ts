import type { TenantScope } from "../../../../kernel/principal.ts";
import { actorName } from "../../../../platform/db/actor-name.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";

export type ActivityRow = { id: string; name: string; data: string };

const ACTION = `a.id, a.action as name, json_build_object('actor', json_build_object('type', b.body #> '{actor,type}', 'id', a.actor_id,
    'name', ${actorName("a.actor_id", "a.partner_id")}), 'changes', b.body -> 'changes')::text as data
  from audit_entries a, lateral (select convert_from(a.body, 'UTF8')::json as body) b
  where a.partner_id = $1 and a.client_id = $2 and not a.tallied and a.id < $3`;
// Two statements in one, each by an index of its own.
const auditPage = statement(`
  (select ${ACTION} and a.target = a.client_id order by a.id desc limit $4)
  union all
  (select ${ACTION} and $5 and a.action like 'payments.%' order by a.id desc limit $4)
  order by id desc limit $4`);

/** Audit entries about a client before one of them, newest first, with what its customers have paid if the caller may see that. */
export function actionsBefore(
  db: Queryable,
  scope: TenantScope,
  client_id: string,
  { before_id, paid }: { before_id: string; paid: boolean },
  limit: number,
) {
  return db.query<ActivityRow>(auditPage, [scope.partner_id, client_id, before_id, limit, paid]);
}

const eventPage = statement(`
  select f.event_id as id, f.type as name, f.seq, (convert_from(e.body, 'UTF8')::json -> 'data')::text as data
  from event_feed f join events e on e.partner_id = $1 and e.id = f.event_id
  where f.partner_id = $1 and f.client_id = $2 and f.type = any ($3) and f.seq < $4
  order by f.seq desc limit $5`);

export type EventsBefore = { types: readonly string[]; seq: number };

/** Events of a client before a position in the feed, newest first. */
export function eventsBefore(db: Queryable, scope: TenantScope, client_id: string, before: EventsBefore, limit: number) {
  return db.query<ActivityRow & { seq: number }>(eventPage, [scope.partner_id, client_id, before.types, before.seq, limit]);
}
