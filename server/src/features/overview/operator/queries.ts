import { objectJson } from "../../../platform/db/columns.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { DuePurchase, FailingEndpoint, LargestPartner, WaitingListing, WaitingRegistration, WaitingRequest } from "./schema.ts";

/** How many of each are shown, and how many that wait are counted. */
const SHOWN = 10;
const COUNTED_MAX = 1_000;
const LARGEST = 5;
export const RECENT = 10;

const partnersStatement = statement(`
  select json_build_object('active', count(*) filter (where p.status = 'active'), 'suspended', count(*) filter (where p.status = 'suspended'),
    'new_this_month', count(*) filter (where p.created_at >= date_trunc('month', $1::timestamptz)))::text as json
  from partners p`);

/** All partners: the operator's overview; once per page that a person opens. */
const clientsStatement = statement(`
  with counted as (
    select c.status, c.currency, count(*) as clients, sum(c.mrr_cents) as mrr_cents from clients c where not c.house group by 1, 2
  )
  select json_build_object(${["pending", "active", "suspended", "churned"]
    .map((status) => `'${status}', coalesce(sum(c.clients) filter (where c.status = '${status}'), 0)`)
    .join(", ")})::text as json,
    (select coalesce(json_agg(json_build_object('currency', m.currency, 'mrr_cents', m.mrr_cents) order by m.mrr_cents desc, m.currency), '[]')::text
     from counted m where m.status = 'active' and m.mrr_cents > 0) as mrr
  from counted c`);

/** All partners: the operator's overview; once per page that a person opens. */
const largestStatement = statement(`
  with largest as (
    select c.partner_id, count(*) as clients, sum(c.mrr_cents) as mrr_cents, min(c.currency) as currency from clients c
    where not c.house and c.status = 'active' and c.currency = (select default_currency from programme)
    group by c.partner_id order by mrr_cents desc, c.partner_id limit ${LARGEST}
  )
  select coalesce(json_agg(${objectJson(LargestPartner, "x")} order by x.mrr_cents desc, x.partner_id), '[]')::text as json
  from (select l.*, p.company, p.grade from largest l join partners p on p.id = l.partner_id) x`);

/** What waits, as its number and the oldest of it, by its first column. */
const waiting = (rows: string, item: string, by = "id") => `
  select json_build_object('waiting', (select count(*) from (${rows} limit ${COUNTED_MAX}) x),
    'oldest', coalesce((select json_agg(${item} order by x.${by}) from (${rows} order by 1 limit ${SHOWN}) x), '[]'))::text as json`;

/** All partners: the operator's overview; once per page that a person opens. */
const registrationsStatement = statement(
  waiting(
    `select r.deal_id as id, r.deal_id, r.partner_id, p.company as partner, coalesce(d.company, d.name) as company, d.plan, d.mrr_cents, d.currency,
      r.submitted_at
    from registrations r join deals d on d.partner_id = r.partner_id and d.id = r.deal_id join partners p on p.id = r.partner_id
    where r.status = 'submitted' and d.deleted_at is null`,
    objectJson(WaitingRegistration, "x"),
  ),
);

/** All partners: the operator's overview; once per page that a person opens. */
const requestsStatement = statement(
  waiting(
    `select a.id, a.partner_id, p.company as partner, a.message, a.created_at
    from access_requests a join partners p on p.id = a.partner_id where a.status = 'open'`,
    objectJson(WaitingRequest, "x"),
  ),
);

const listingsStatement = statement(
  waiting(
    `select l.submitted_at, l.id as snapshot_id, l.seller_partner_id as partner_id, p.company as partner, l.submitted_name as name,
      l.submitted_version as version, l.price_cents, l.currency
    from snapshot_listings l join partners p on p.id = l.seller_partner_id
    where l.review = 'pending' and l.visibility <> 'private'`,
    objectJson(WaitingListing, "x"),
    "submitted_at",
  ),
);

/** All partners: the operator's overview; once per page that a person opens. */
const purchasesStatement = statement(
  waiting(
    `select u.id, u.partner_id, p.company as partner, u.snapshot_id, l.name, u.price_cents, u.currency, u.created_at
    from snapshot_purchases u join partners p on p.id = u.partner_id join snapshot_listings l on l.id = u.snapshot_id
    where u.status = 'due' and u.role = 'buyer'`,
    objectJson(DuePurchase, "x"),
  ),
);

/** All partners: the operator's overview; once per page that a person opens. */
const endpointsStatement = statement(`
  select coalesce(json_agg(${objectJson(FailingEndpoint, "x")} order by x.failing_since), '[]')::text as json
  from (
    select w.id as endpoint_id, w.partner_id, p.company as partner, w.url, coalesce(l.failing_since, l.degraded_at) as failing_since
    from webhook_lanes l
      join webhook_endpoints w on w.partner_id = l.partner_id and w.id = l.endpoint_id and w.enabled
      join partners p on p.id = w.partner_id
    where l.state = 'degraded' order by failing_since limit ${SHOWN}
  ) x`);

/** The parts of the overview that the database renders, each as JSON. */
export async function programmeFigures(db: Queryable, now: Date): Promise<Record<string, string>> {
  const one = async <Row extends { json: string }>(rows: Promise<Row[]>): Promise<Row> => {
    const [row] = await rows;
    return row ?? Promise.reject(new Error("an overview is one row"));
  };
  const [partners, clients, largest, registrations, requests, listings, purchases, endpoints] = await Promise.all([
    one(db.query<{ json: string }>(partnersStatement, [now])),
    one(db.query<{ json: string; mrr: string }>(clientsStatement)),
    one(db.query<{ json: string }>(largestStatement)),
    one(db.query<{ json: string }>(registrationsStatement)),
    one(db.query<{ json: string }>(requestsStatement)),
    one(db.query<{ json: string }>(listingsStatement)),
    one(db.query<{ json: string }>(purchasesStatement)),
    one(db.query<{ json: string }>(endpointsStatement)),
  ]);
  return {
    partners: partners.json,
    clients: clients.json,
    mrr: clients.mrr,
    largest_partners: largest.json,
    registrations: registrations.json,
    access_requests: requests.json,
    listings: listings.json,
    purchases: purchases.json,
    failing_endpoints: endpoints.json,
  };
}
