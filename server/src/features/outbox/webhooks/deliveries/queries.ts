import type { EventType } from "../../../../kernel/events.ts";
import { LIMIT_MAX } from "../../../../kernel/page.ts";
import { boundClients, type TenantScope } from "../../../../kernel/principal.ts";
import { composedStatement, type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { deliveryId, WANTS } from "../fan-out.queries.ts";

const ATTEMPTS_SHOWN = 100;

const FIELDS = `d.id, d.endpoint_id, d.event_id, d.event_type, d.test, d.replay_id, d.status, d.attempts,
    case when d.status = 'pending' then wire_time(d.next_at) end as next_at, wire_time(d.finished_at) as finished_at,
    d.response_status, d.error`;

const DELIVERY_JSON = `(select row_to_json(x)::text from (select ${FIELDS}) x)`;

const ATTEMPTS_JSON = `(select coalesce(json_agg(row_to_json(a)), '[]') from (
    select t.number, wire_time(t.started_at) as started_at, t.duration_ms, t.status, t.error, t.response,
      t.request_headers
    from delivery_attempts t where t.partner_id = $1 and t.delivery_id = d.id
    order by t.number desc limit ${ATTEMPTS_SHOWN}) a)`;

export type DeliveryFilter = {
  endpoint_id: string;
  status?: readonly string[] | undefined;
  event_type?: readonly string[] | undefined;
  event_id?: string | undefined;
  replay_id?: string | undefined;
  test?: boolean | undefined;
  /** Ids are time-ordered, so a range of time is a range of ids. */
  from_id: string | null;
  before_id: string | null;
  limit: number;
};

/** What an endpoint got before it was narrowed to a key's clients is not for that key. */
const concerns = (clients: string) => `(${clients}::text[] is null or d.test or exists (
    select from event_feed f where f.partner_id = $1 and f.event_id = d.event_id and f.client_id = any (${clients})))`;

/** A page of an endpoint's deliveries, newest event first. Only the filters given are in the statement. */
export function deliveriesPage(db: Queryable, scope: TenantScope, filter: DeliveryFilter) {
  const { endpoint_id, status, event_type, event_id, replay_id, test, from_id, before_id, limit } = filter;
  const values: unknown[] = [scope.partner_id, endpoint_id, limit + 1];
  const place = (value: unknown) => `$${values.push(value)}`;
  const conditions: string[] = [];
  const bound = boundClients(scope);
  if (bound !== null) conditions.push(concerns(place(bound)));
  if (status !== undefined) conditions.push(`d.status = any (${place(status)})`);
  if (event_type !== undefined) conditions.push(`d.event_type = any (${place(event_type)})`);
  if (event_id !== undefined) conditions.push(`d.event_id = ${place(event_id)}`);
  if (replay_id !== undefined) conditions.push(`d.replay_id = ${place(replay_id)}`);
  if (test !== undefined) conditions.push(test ? "d.test" : "not d.test");
  if (from_id !== null) conditions.push(`d.id >= ${place(from_id)}`);
  if (before_id !== null) conditions.push(`d.id < ${place(before_id)}`);
  return db.query<{ id: string; json: string }>(
    composedStatement(`
  select d.id, ${DELIVERY_JSON} as json
  from (
    select * from deliveries d
    where ${["d.partner_id = $1 and d.endpoint_id = $2", ...conditions].join(" and ")}
    order by d.id desc limit ${LIMIT_MAX + 1}
  ) d
  order by d.id desc limit $3`),
    values,
  );
}

/** A delivery is seen by whoever sees its endpoint and what it is about. */
const VISIBLE = `d.partner_id = $1 and d.id = $3 and ${concerns("$2")} and exists (
    select from webhook_endpoints w where w.partner_id = $1 and w.id = d.endpoint_id and ($2::text[] is null or w.client_ids <@ $2))`;

const BODY = `case when d.test or d.event_type = any ($4::text[]) then (
    select convert_from(e.body, 'UTF8') from events e where e.partner_id = $1 and e.id = d.event_id) end`;

const deliveryById = statement(`
  select d.id, (select row_to_json(x)::text from (
    select ${FIELDS}, ${BODY} as request_body, ${ATTEMPTS_JSON} as attempt_log) x) as json
  from deliveries d where ${VISIBLE}`);

/** One delivery of an endpoint that the caller may see, with its attempts, and its body if the caller may read that type. */
export async function deliveryOrNull(db: Queryable, scope: TenantScope, id: string, readable: readonly EventType[]) {
  const values = [scope.partner_id, boundClients(scope), id, readable];
  const [row] = await db.query<{ id: string; json: string }>(deliveryById, values);
  return row ?? null;
}

const lockDelivery = statement(`
  select d.id, d.status, d.event_type, d.test,
    (select f.client_id from event_feed f where f.partner_id = $1 and f.event_id = d.event_id) as client_id
  from deliveries d where ${VISIBLE} for no key update of d`);

export async function deliveryForUpdateOrNull(tx: Queryable, scope: TenantScope, id: string) {
  type Row = { id: string; status: string; event_type: EventType; test: boolean; client_id: string | null };
  const [row] = await tx.query<Row>(lockDelivery, [scope.partner_id, boundClients(scope), id]);
  return row ?? null;
}

const findEndpoint = statement(`select d.endpoint_id from deliveries d where ${VISIBLE}`);

/** The endpoint of a delivery that the caller may see. */
export async function endpointIdOrNull(db: Queryable, scope: TenantScope, id: string): Promise<string | null> {
  const [row] = await db.query<{ endpoint_id: string }>(findEndpoint, [scope.partner_id, boundClients(scope), id]);
  return row?.endpoint_id ?? null;
}

const cancelStatement = statement(`
  update deliveries d set status = 'cancelled', finished_at = $3
  from webhook_endpoints w
  where d.partner_id = $1 and d.endpoint_id = $2 and d.status = 'pending' and not d.test and w.partner_id = $1 and w.id = $2
    and not exists (
      select from (
        select d.event_type as type, f.client_id from event_feed f where f.partner_id = $1 and f.event_id = d.event_id
      ) e where ${WANTS})`);

/** Takes back what waits for an endpoint that was locked before and does not want it any more. */
export async function cancelUnwanted(tx: Tx, scope: TenantScope, endpoint_id: string): Promise<void> {
  await tx.query(cancelStatement, [scope.partner_id, endpoint_id, tx.now]);
}

/** Its attempts go on counting, because each is told from the others by its number. */
const retryStatement = statement(`
  with d as (
    update deliveries d set status = 'pending', next_at = $3, finished_at = null
    where d.partner_id = $1 and d.id = $2
    returning d.*
  )
  select d.id, ${DELIVERY_JSON} as json from d`);

/** Queues a delivery that was locked before for now. */
export async function saveRetry(tx: Tx, scope: TenantScope, id: string) {
  return saved(await tx.query<{ id: string; json: string }>(retryStatement, [scope.partner_id, id, tx.now]));
}

const insertTest = statement(`
  with d as (
    insert into deliveries (partner_id, id, endpoint_id, event_id, event_type, test, next_at)
    values ($1, ${deliveryId({ event: "$3::text", endpoint: "$2::text" })}, $2, $3, $4, true, $5)
    returning *
  )
  select d.id, ${DELIVERY_JSON} as json from d`);

/** Queues an event for one endpoint, whatever it usually gets. */
export async function insertTestDelivery(tx: Tx, scope: TenantScope, endpoint_id: string, event: { id: string; type: string }) {
  const values = [scope.partner_id, endpoint_id, event.id, event.type, tx.now];
  return saved(await tx.query<{ id: string; json: string }>(insertTest, values));
}

function saved([row]: { id: string; json: string }[]) {
  if (row === undefined) throw new Error("the delivery was not saved");
  return row;
}
