import { boundClients, type TenantScope } from "../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { keptIds } from "../../../platform/record/retention.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { Endpoint } from "./model.ts";
import { COUNT_MAX } from "./schema.ts";

const DAY_MS = 86_400_000;
const SAMPLE = 1_000;

/** A key bound to some clients sees the endpoints that get events of no others. */
const VISIBLE = "w.partner_id = $1 and ($2::text[] is null or w.client_ids <@ $2)";

/** How an endpoint has answered: each part looks at a bounded number of rows, however many there are. */
const HEALTH_JSON = `(select row_to_json(h) from (select
    case when w.enabled then l.state else 'disabled' end as state, a.success_rate, a.p95_ms,
    case when w.enabled and l.state = 'healthy' then q.waiting else 0 end as pending,
    case when w.enabled and l.state = 'healthy' then 0 else q.waiting end as parked,
    wire_time(l.last_success_at) as last_success_at, wire_time(l.last_failure_at) as last_failure_at, w.disabled_reason
    from webhook_lanes l, (
      select round(avg((s.status between 200 and 299 and s.status is not null)::int), 4) as success_rate,
        percentile_disc(0.95) within group (order by s.duration_ms) as p95_ms
      from (
        select t.status, t.duration_ms from delivery_attempts t
        where t.partner_id = $1 and t.endpoint_id = w.id and t.started_at > $3
          and t.delivery_id >= $4 and t.delivery_id < $5
        order by t.started_at desc limit ${SAMPLE}
      ) s
    ) a, (
      select count(*)::int as waiting from (
        select from deliveries d
        where d.partner_id = $1 and d.endpoint_id = w.id and d.status = 'pending' and d.id >= $4 and d.id < $5
        limit ${COUNT_MAX}
      ) d
    ) q
    where l.partner_id = $1 and l.endpoint_id = w.id) h)`;

const ENDPOINT_JSON = `(select row_to_json(x)::text from (select
    w.id, w.url, w.event_types, w.client_ids, w.description, w.enabled, w.ordering, w.max_in_flight, w.rate_limit_per_second,
    w.timeout_ms, w.header_names, w.metadata,
    (select json_agg(json_build_object('hint', s.hint, 'created_at', wire_time(s.created_at), 'expires_at', wire_time(s.expires_at))
       order by s.created_at desc)
     from webhook_secrets s
     where s.partner_id = $1 and s.endpoint_id = w.id
       and (s.expires_at is null or s.expires_at > $3::timestamptz + interval '1 day')) as secrets,
    ${HEALTH_JSON} as health,
    w.created_by, wire_time(w.created_at) as created_at, wire_time(w.updated_at) as updated_at, w.version) x)`;

const COLUMNS = `w.id, w.version, w.url, w.event_types, w.client_ids, w.description, w.enabled, w.ordering, w.max_in_flight,
    w.rate_limit_per_second, w.timeout_ms, w.header_names, w.metadata`;

/** What the statements that show endpoints begin with: the tenant, its clients, and the time that health looks back over. */
function shown(scope: TenantScope, now: Date): unknown[] {
  return [scope.partner_id, boundClients(scope), new Date(now.getTime() - DAY_MS), ...keptIds("delivery", now)];
}

const endpointById = statement(`
  select w.id, w.version, ${ENDPOINT_JSON} as json from webhook_endpoints w where ${VISIBLE} and w.id = $6`);

/** One endpoint that the caller may see, as the API shows it. */
export async function endpointOrNull(db: Queryable, scope: TenantScope, id: string, now: Date) {
  const [row] = await db.query<Pick<Endpoint, "id" | "version" | "json">>(endpointById, [...shown(scope, now), id]);
  return row ?? null;
}

const endpointsStatement = statement(`
  select w.id, ${ENDPOINT_JSON} as json from webhook_endpoints w
  where ${VISIBLE} and ($6::text is null or w.id < $6)
  order by w.id desc limit $7`);

export function endpointsPage(db: Queryable, scope: TenantScope, after: string | null, limit: number, now: Date) {
  return db.query<Pick<Endpoint, "id" | "json">>(endpointsStatement, [...shown(scope, now), after, limit + 1]);
}

const lockStatement = statement(`select ${COLUMNS} from webhook_endpoints w where ${VISIBLE} and w.id = $3 for no key update`);
const findStatement = statement(`select ${COLUMNS} from webhook_endpoints w where ${VISIBLE} and w.id = $3`);

type EndpointRow = Omit<Endpoint, "json">;

/** One endpoint that the caller may change, locked until the transaction ends. */
export async function endpointForUpdateOrNull(tx: Queryable, scope: TenantScope, id: string): Promise<EndpointRow | null> {
  const [row] = await tx.query<EndpointRow>(lockStatement, [scope.partner_id, boundClients(scope), id]);
  return row ?? null;
}

/** One endpoint that the caller may see, without how it does. */
export async function endpointRowOrNull(db: Queryable, scope: TenantScope, id: string): Promise<EndpointRow | null> {
  const [row] = await db.query<EndpointRow>(findStatement, [scope.partner_id, boundClients(scope), id]);
  return row ?? null;
}

const lockPartner = statement("select from partners where id = $1 for no key update");
const countStatement = statement("select count(*)::int as count from webhook_endpoints where partner_id = $1");

/** How many endpoints a partner has. Nobody adds one before this transaction ends, so that it stays so. */
export async function countEndpointsForInsert(tx: Queryable, scope: TenantScope): Promise<number> {
  const [, [row]] = await Promise.all([
    tx.query(lockPartner, [scope.partner_id]),
    tx.query<{ count: number }>(countStatement, [scope.partner_id]),
  ]);
  return row?.count ?? 0;
}

export type EndpointFields = Omit<EndpointRow, "version" | "header_names">;
export type SealedHeaders = { headers: Buffer | null; header_names: string[] };

const insertStatement = statement(`
  insert into webhook_endpoints (partner_id, id, url, event_types, client_ids, description, enabled, disabled_reason, disabled_at,
    ordering, max_in_flight, rate_limit_per_second, timeout_ms, headers, header_names, metadata, created_by, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, case when not $7 then 'requested' end, case when not $7 then $16::timestamptz end,
    $8, $9, $10, $11, $12, $13, $14, $15, $16, $16)`);

const insertLane = statement("insert into webhook_lanes (partner_id, endpoint_id) values ($1, $2)");

export async function insertEndpoint(
  tx: Tx,
  scope: TenantScope,
  fields: EndpointFields & SealedHeaders,
  created_by: string,
): Promise<void> {
  const { id, url, event_types, client_ids, description, enabled, ordering, max_in_flight } = fields;
  const { rate_limit_per_second, timeout_ms, headers, header_names, metadata } = fields;
  const target = [scope.partner_id, id, url, event_types, client_ids, description, enabled];
  const manner = [ordering, max_in_flight, rate_limit_per_second, timeout_ms, headers, header_names, metadata];
  await Promise.all([
    tx.query(insertStatement, [...target, ...manner, created_by, tx.now]),
    tx.query(insertLane, [scope.partner_id, id]),
  ]);
}

/**
 * Whoever switches it on means it to be sent to at once, so that what it did before is forgotten. A cluster runs no part of a statement
 * whose last part is never true for the parameters alone.
 */
const updateStatement = statement(`
  with w as (
    update webhook_endpoints w set url = $3, event_types = $4, client_ids = $5, description = $6, enabled = $7,
      disabled_reason = case when not $7 then coalesce(w.disabled_reason, 'requested') end,
      disabled_at = case when not $7 then coalesce(w.disabled_at, $13::timestamptz) end,
      ordering = $8, max_in_flight = $9, rate_limit_per_second = $10, timeout_ms = $11, metadata = $12,
      updated_at = $13, version = w.version + 1
    where w.partner_id = $1 and w.id = $2
  )
  update webhook_lanes l set state = 'healthy', degraded_at = null, probe_at = null, probes = 0, failing_since = null, failures = 0
  from webhook_endpoints before
  where l.partner_id = $1 and l.endpoint_id = $2 and before.partner_id = $1 and before.id = $2 and before.enabled < $7`);

/** Saves the fields of an endpoint that was locked before. */
export async function saveFields(tx: Tx, scope: TenantScope, endpoint: EndpointFields): Promise<void> {
  const { id, url, event_types, client_ids, description, enabled, ordering, max_in_flight } = endpoint;
  const { rate_limit_per_second, timeout_ms, metadata } = endpoint;
  const target = [scope.partner_id, id, url, event_types, client_ids, description, enabled];
  await tx.query(updateStatement, [...target, ordering, max_in_flight, rate_limit_per_second, timeout_ms, metadata, tx.now]);
}

const headersStatement = statement(
  "update webhook_endpoints set headers = $3, header_names = $4 where partner_id = $1 and id = $2",
);

export async function saveHeaders(tx: Tx, scope: TenantScope, id: string, { headers, header_names }: SealedHeaders) {
  await tx.query(headersStatement, [scope.partner_id, id, headers, header_names]);
}

const deleteStatement = statement("delete from webhook_endpoints where partner_id = $1 and id = $2");

/** Its secrets, lane and replays go with it; its deliveries are then nobody's, and leave with their month. */
export async function removeEndpoint(tx: Tx, scope: TenantScope, id: string): Promise<void> {
  await tx.query(deleteStatement, [scope.partner_id, id]);
}
