import { RECORDS, RESOURCES } from "../../../kernel/changes.ts";
import { firstIdAt } from "../../../kernel/ids.ts";
import type { TenantScope } from "../../../kernel/principal.ts";
import type { Scope } from "../../../kernel/scopes.ts";
import type { Place } from "../../../platform/db/keyset.ts";
import { composedStatement, type Queryable } from "../../../platform/db/statement.ts";
import { keptIds } from "../../../platform/record/retention.ts";
import { NEEDS, type NeedKind, SHOWN_MAX } from "./needs.schema.ts";

const DAY_MS = 86_400_000;
/** How long before an end it needs attention, and how long a failure does. */
const SOON_DAYS = 14;
const FAILED_DAYS = 30;
/** How many of a kind are counted, so that the cost is bounded. */
const COUNTED_MAX = 100;

type Needed = { scope: TenantScope; house_account_id: string; scopes: ReadonlySet<Scope>; now: Date };
/** Rows with `id`, `since` and `json` of the partner $1. */
type Rows = (place: Place, needed: Needed) => string;

const daysFrom = (now: Date, days: number) => new Date(now.getTime() + days * DAY_MS);
const timeOf = (place: Place, at: Date) => `${place(at)}::timestamptz`;

const FAILING: Rows = (place, { now }) => {
  const [first, end] = keptIds("delivery", now).map(place);
  return `
  select w.id, coalesce(w.disabled_at, l.failing_since, l.degraded_at) as since, json_build_object('name', w.url,
    'state', case when w.enabled then 'degraded' else 'disabled' end, 'disabled_reason', w.disabled_reason,
    'last_status', (
      select t.status from delivery_attempts t
      where t.partner_id = $1 and t.endpoint_id = w.id and t.delivery_id >= ${first} and t.delivery_id < ${end}
      order by t.started_at desc limit 1),
    'parked', (
      select count(*) from (
        select from deliveries d
        where d.partner_id = $1 and d.endpoint_id = w.id and d.status = 'pending' and d.id >= ${first} and d.id < ${end} limit 10000) d)) as json
  from webhook_endpoints w join webhook_lanes l on l.partner_id = $1 and l.endpoint_id = w.id
  where w.partner_id = $1 and case when w.enabled then l.state = 'degraded' else w.disabled_reason <> 'requested' end`;
};

const registrations =
  (since: string, condition: (place: Place, now: Date) => string): Rows =>
  (place, { now }) =>
    `
  select r.deal_id as id, ${since} as since, json_build_object('name', coalesce(d.company, d.name), 'protected_until', wire_time(r.protected_until),
    'reason', r.reason, 'plan', d.plan, 'mrr_cents', d.mrr_cents, 'currency', d.currency) as json
  from registrations r join deals d on d.partner_id = $1 and d.id = r.deal_id and d.deleted_at is null
  where r.partner_id = $1 and r.outcome is null and ${condition(place, now)}`;

const OVER_TARGET: Rows = (place, { house_account_id, now }) => `
  select d.id, d.stage_entered_at + make_interval(days => s.target_days + 1) as since, json_build_object('name', coalesce(d.company, d.name),
    'stage_id', s.id, 'stage', s.name, 'target_days', s.target_days,
    'days_in_stage', floor(extract(epoch from ${timeOf(place, now)} - d.stage_entered_at) / 86400),
    'mrr_cents', d.mrr_cents, 'amount_cents', d.amount_cents, 'currency', d.currency,
    'owner', (select u.name from users u where u.partner_id = $1 and u.id = d.owner_id)) as json
  from pipelines p
    join stages s on s.partner_id = $1 and s.pipeline_id = p.id and s.type = 'open'
    cross join lateral (
      select * from deals d
      where d.partner_id = $1 and d.stage_id = s.id and d.deleted_at is null
        and d.stage_entered_at <= ${timeOf(place, now)} - make_interval(days => s.target_days + 1)
      order by d.stage_entered_at limit ${COUNTED_MAX}
    ) d
  where p.partner_id = $1 and p.account_id = ${place(house_account_id)}`;

const EXPIRING_KEYS: Rows = (place, { now }) => `
  select k.id, k.expires_at - interval '${SOON_DAYS} days' as since,
    json_build_object('name', k.name, 'hint', k.hint, 'expires_at', wire_time(k.expires_at)) as json
  from keys k
  where k.partner_id = $1 and k.revoked_at is null and k.expires_at > ${place(now)} and k.expires_at <= ${place(daysFrom(now, SOON_DAYS))}`;

const FAILED_IMPORTS: Rows = (place, { scopes, now }) => `
  select i.id, i.finished_at as since, json_build_object('name', c.company, 'account_id', i.account_id, 'resource', i.resource,
    'code', i.failure ->> 'code', 'processed', i.processed, 'total', i.total) as json
  from imports i join clients c on c.partner_id = $1 and c.id = i.account_id
  where i.partner_id = $1 and i.status = 'failed' and i.id >= ${place(firstIdAt("import", daysFrom(now, -FAILED_DAYS).getTime()))}
    and i.resource = any (${place(RECORDS.filter((resource) => scopes.has(RESOURCES[resource])))})`;

const WAITING_APPROVALS: Rows = (place, { now }) => `
  select a.id, a.created_at as since, json_build_object('name', g.name, 'account_id', a.account_id, 'company', c.company, 'tool', a.tool,
    'expires_at', wire_time(a.expires_at)) as json
  from tool_approvals a
    join agents g on g.partner_id = $1 and g.id = a.agent_id
    join clients c on c.partner_id = $1 and c.id = a.account_id
  where a.partner_id = $1 and a.status = 'pending' and a.expires_at > ${timeOf(place, now)}`;

/** As long as the seller has not submitted anything since. */
const REFUSED: Rows = (place, { now }) => `
  select l.id, l.reviewed_at as since, json_build_object('name', l.submitted_name, 'version', l.submitted_version,
    'listed_version', l.listed_version, 'reason', l.review_reason) as json
  from snapshot_listings l
  where l.seller_partner_id = $1 and l.review = 'rejected' and l.visibility <> 'private'
    and l.reviewed_at > ${place(daysFrom(now, -FAILED_DAYS))}`;

const SUSPENDED: Rows = () => `
  select c.id, c.suspended_at as since,
    json_build_object('name', c.company, 'reason', c.status_reason, 'mrr_cents', c.mrr_cents, 'currency', c.currency) as json
  from clients c where c.partner_id = $1 and c.status = 'suspended' and not c.house`;

const INVITED: Rows = () => `
  select u.id, u.created_at as since, json_build_object('name', u.name, 'email', u.email, 'role', u.role) as json
  from users u where u.partner_id = $1 and u.state = 'invited'`;

/** As the index of open registrations has it. */
const OPEN = "r.status in ('submitted', 'approved', 'needs_info')";

/** What each kind is read by, in the order in which they are shown. */
const ROWS: Record<NeedKind, Rows> = {
  webhook_failing: FAILING,
  import_failed: FAILED_IMPORTS,
  approval_pending: WAITING_APPROVALS,
  registration_rejected: registrations(
    "r.decided_at",
    (place, now) => `r.status = 'rejected' and r.decided_at > ${place(daysFrom(now, -FAILED_DAYS))}`,
  ),
  registration_needs_info: registrations("r.decided_at", () => `${OPEN} and r.status = 'needs_info'`),
  registration_ending: registrations(
    `r.protected_until - interval '${SOON_DAYS} days'`,
    (place, now) =>
      `${OPEN} and r.status = 'approved' and r.protected_until > ${place(now)} and r.protected_until <= ${place(daysFrom(now, SOON_DAYS))}`,
  ),
  deal_over_target: OVER_TARGET,
  key_expiring: EXPIRING_KEYS,
  listing_refused: REFUSED,
  client_suspended: SUSPENDED,
  registration_submitted: registrations("r.submitted_at", () => `${OPEN} and r.status = 'submitted'`),
  user_invited: INVITED,
};

type Row = { kind: NeedKind; count: number; items: string };

/** What needs attention, of the kinds that the caller may see: of each how many, up to 100, and the oldest few. */
export function needsOf(db: Queryable, needed: Needed): Promise<Row[]> {
  const values: unknown[] = [needed.scope.partner_id];
  const place: Place = (value) => `$${values.push(value)}`;
  const kinds = (Object.keys(ROWS) as NeedKind[]).filter((kind) => needed.scopes.has(NEEDS[kind].scope));
  const parts = kinds.map(
    (kind, index) => `
  select ${index} as position, '${kind}' as kind, count(*)::int as count,
    json_agg(json_build_object('kind', '${kind}', 'id', n.id, 'since', wire_time(n.since), 'facts', n.json) order by n.since, n.id)
      filter (where n.place <= ${SHOWN_MAX})::text as items
  from (
    select n.*, row_number() over (order by n.since, n.id) as place
    from (select * from (${ROWS[kind](place, needed)}) n order by n.since, n.id limit ${COUNTED_MAX}) n
  ) n having count(*) > 0`,
  );
  return db.query<Row>(composedStatement(`${parts.join(" union all ")} order by position`), values);
}
