import type { TenantScope } from "../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { keptIds } from "../../../platform/record/retention.ts";
import { overTarget } from "../../crm/deals/index.ts";
import type { Closed } from "./model.ts";

const partnerStatement = statement(`
  select p.house_account_id, coalesce(p.movements_since, p.created_at) as movements_since from partners p where p.id = $1`);

export type Base = { house_account_id: string; movements_since: Date };

/** The partner's own account, and since when the movements of its clients are known. */
export async function baseOf(db: Queryable, { partner_id }: TenantScope): Promise<Base> {
  const [row] = await db.query<Base>(partnerStatement, [partner_id]);
  if (row === undefined) throw new Error("the partner does not exist");
  return row;
}

const clientsStatement = statement(`
  select c.status, c.currency, count(*)::int as clients, sum(c.mrr_cents)::bigint as mrr_cents
  from clients c where c.partner_id = $1 and not c.house
  group by c.status, c.currency`);

export type ClientCount = { status: "pending" | "active" | "suspended" | "churned"; currency: string } & Figures;
type Figures = { clients: number; mrr_cents: number };

/** The number and revenue of clients, by status and currency. */
export function clientCounts(db: Queryable, { partner_id }: TenantScope): Promise<ClientCount[]> {
  return db.query<ClientCount>(clientsStatement, [partner_id]);
}

const movementsStatement = statement(`
  select to_char(m.at at time zone 'UTC', 'YYYY-MM') as month, m.currency, sum(m.clients)::int as clients, sum(m.mrr_cents)::bigint as mrr_cents
  from client_movements m where m.partner_id = $1 and m.at >= $2
  group by 1, 2`);

export type MonthMovement = { month: string; currency: string } & Figures;

/** By how much the number and revenue of active clients have changed in each month since a time. */
export function movementsSince(db: Queryable, { partner_id }: TenantScope, since: Date): Promise<MonthMovement[]> {
  return db.query<MonthMovement>(movementsStatement, [partner_id, since]);
}

const openStatement = statement(`
  select d.currency, count(*)::int as deals, coalesce(sum(d.mrr_cents), 0)::bigint as mrr_cents,
    coalesce(sum(d.amount_cents), 0)::bigint as amount_cents,
    count(*) filter (where ${overTarget("d.stage_entered_at", "$3")})::int as over_target
  from pipelines p
    join stages s on s.partner_id = $1 and s.pipeline_id = p.id and s.type = 'open'
    join deals d on d.partner_id = $1 and d.stage_id = s.id and d.deleted_at is null
  where p.partner_id = $1 and p.account_id = $2
  group by d.currency order by d.currency`);

export type OpenDeals = { currency: string; deals: number; mrr_cents: number; amount_cents: number; over_target: number };

/** The open deals of an account, by currency. */
export function openDeals(db: Queryable, { partner_id }: TenantScope, account_id: string, now: Date): Promise<OpenDeals[]> {
  return db.query<OpenDeals>(openStatement, [partner_id, account_id, now]);
}

const closedStatement = statement(`
  select to_char(coalesce(d.won_at, d.lost_at) at time zone 'UTC', 'YYYY-MM-DD') as day, d.status, d.currency, count(*)::int as deals,
    coalesce(sum(d.mrr_cents), 0)::bigint as mrr_cents, coalesce(sum(d.amount_cents), 0)::bigint as amount_cents
  from deals d
  where d.partner_id = $1 and d.account_id = $2 and d.deleted_at is null and d.status <> 'open' and coalesce(d.won_at, d.lost_at) >= $3
  group by 1, 2, 3`);

/** The deals of an account that were decided since a time, by day, outcome and currency. */
export function closedDeals(db: Queryable, { partner_id }: TenantScope, account_id: string, since: Date): Promise<Closed[]> {
  return db.query<Closed>(closedStatement, [partner_id, account_id, since]);
}

/** The audit entries of an event's transaction have its time in their ids. */
const ACTOR = `
    select x.body -> 'actor' ->> 'type' as type, x.body -> 'actor' ->> 'id' as id
    from audit_entries a, lateral (select convert_from(a.body, 'UTF8')::json as body) x
    where a.partner_id = $1 and a.target = f.subject and a.id >= 'aud_' || substr(f.event_id, 5, 10)
      and a.id < 'aud_' || substr(f.event_id, 5, 10) || '~' and not a.tallied and $3
      and a.id >= $7 and a.id < $8
    limit 1`;

const recentStatement = statement(`
  with f as (
    select f.event_id, f.type, f.subject, f.client_id from event_feed f
    where f.partner_id = $1 and f.type = any ($2) order by f.event_id desc limit $4
  )
  select coalesce(json_agg(json_build_object('id', f.event_id, 'type', f.type, 'created', b.body -> 'created', 'subject', f.subject,
    'name', coalesce(b.body -> 'data' ->> 'company', (select d.name from deals d where d.partner_id = $1 and d.id = f.subject),
      (select c.company from clients c where c.partner_id = $1 and c.id = coalesce(f.client_id, b.body -> 'data' ->> 'client_id'))),
    'actor', case when u.id is not null then json_build_object('type', u.type, 'id', u.id, 'name',
      coalesce((select k.name from keys k where k.id = u.id), (select p.name from users p where p.id = u.id))) end,
    'data', b.body -> 'data') order by f.event_id desc), '[]')::text as json
  from f join events e on e.partner_id = $1 and e.id = f.event_id and e.id >= $5 and e.id < $6
    cross join lateral (select convert_from(e.body, 'UTF8')::json as body) b
    left join lateral (${ACTOR}) u on true`);

const RECENT = 10;

/** The last events of some types as JSON, each with the name of what it is about, and with who did it where the caller may know. */
export async function recentEvents(
  db: Queryable,
  { partner_id }: TenantScope,
  types: readonly string[],
  with_actors: boolean,
  now: Date,
): Promise<string> {
  const kept = [...keptIds("event", now), ...keptIds("audit", now)];
  const [row] = await db.query<{ json: string }>(recentStatement, [partner_id, types, with_actors, RECENT, ...kept]);
  return row?.json ?? "[]";
}
