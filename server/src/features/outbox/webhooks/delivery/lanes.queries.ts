import { type Queryable, type Statement, statement } from "../../../../platform/db/statement.ts";
import type { IdRange } from "./queries.ts";

const announceStatement = statement(`
  insert into webhook_workers (id, alive_until) values ($1, now() + make_interval(secs => $2))
  on conflict (id) do update set alive_until = excluded.alive_until`);

/**
 * Says that a worker is there, for so long. The database's time counts, because all workers share it. It may be said again,
 * because the answer to it can be lost.
 */
export async function announceWorker(db: Queryable, worker: string, lease_seconds: number): Promise<void> {
  await db.query(announceStatement, [worker, lease_seconds]);
}

const renewStatement = statement(`
  update webhook_workers set alive_until = now() + make_interval(secs => $2) where id = $1 and alive_until > now() returning 1`);

/** False when it comes too late: others may have taken what was the worker's. */
export async function renewWorker(db: Queryable, worker: string, lease_seconds: number): Promise<boolean> {
  return (await db.query(renewStatement, [worker, lease_seconds])).length > 0;
}

const livingStatement = statement("select id from webhook_workers where alive_until > now() order by id");

export async function livingWorkers(db: Queryable): Promise<string[]> {
  return (await db.query<{ id: string }>(livingStatement)).map(({ id }) => id);
}

const buryStatement = statement("delete from webhook_workers where id = $1 or alive_until < now() - interval '1 minute'");

/** Forgets a worker, and those that have been dead for a while. */
export async function deleteDeadWorkers(db: Queryable, worker: string | null): Promise<void> {
  await db.query(buryStatement, [worker]);
}

/**
 * Each endpoint that has something pending, with the time of its first delivery, by skipping through the index from one
 * endpoint to the next: what it costs depends on how many endpoints wait, not on how much waits for them.
 */
const waiting = (index: "live" | "replayed", tenant: string) => {
  const pending = `d.status = 'pending' and d.replay_id is ${index === "live" ? "null" : "not null"} and d.id >= $2 and d.id < $3`;
  return statement(`
    with recursive found as (
      (select d.partner_id, d.endpoint_id, d.next_at from deliveries d
       where ${pending} ${tenant}
       order by d.partner_id, d.endpoint_id, d.next_at limit 1)
      union all
      select n.partner_id, n.endpoint_id, n.next_at
      from found f cross join lateral (
        select d.partner_id, d.endpoint_id, d.next_at from deliveries d
        where ${pending} ${tenant} and (d.partner_id, d.endpoint_id) > (f.partner_id, f.endpoint_id)
        order by d.partner_id, d.endpoint_id, d.next_at limit 1
      ) n
    )
    select partner_id, endpoint_id, next_at, ${index === "replayed"} as replayed from found where next_at <= $1`);
};

const everywhere = [waiting("live", ""), waiting("replayed", "")] as const;
const atPartner = [waiting("live", "and d.partner_id = $4"), waiting("replayed", "and d.partner_id = $4")] as const;

export type DueLane = { partner_id: string; endpoint_id: string; next_at: Date; replayed: boolean };

/**
 * Endpoints with work that is due, among deliveries of a range: of all partners, or of one. What is sent again can be of any
 * age, and has a range of its own.
 */
export async function dueLanes(
  db: Queryable,
  now: Date,
  ranges: { live: IdRange; replayed: IdRange },
  partner_id: string | null,
): Promise<DueLane[]> {
  const tenant = partner_id === null ? [] : [partner_id];
  const [live, replayed] = partner_id === null ? everywhere : atPartner;
  const find = (waiting: Statement, { from_id, before_id }: IdRange) =>
    db.query<DueLane>(waiting, [now, from_id, before_id, ...tenant]);
  return (await Promise.all([find(live, ranges.live), find(replayed, ranges.replayed)])).flat();
}

const ENDPOINT = `e.url, e.ordering, e.max_in_flight, e.rate_limit_per_second, e.timeout_ms, e.headers, e.version,
    array(select s.secret from webhook_secrets s where s.partner_id = e.partner_id and s.endpoint_id = e.id order by s.created_at desc) as secrets,
    array(select coalesce(extract(epoch from s.expires_at) * 1000, 'infinity')::float8 from webhook_secrets s
      where s.partner_id = e.partner_id and s.endpoint_id = e.id order by s.created_at desc) as secret_ends_ms`;

export type EndpointRow = {
  endpoint_id: string;
  url: string;
  ordering: "none" | "subject" | "strict";
  max_in_flight: number;
  rate_limit_per_second: number | null;
  timeout_ms: number;
  headers: Buffer | null;
  version: number;
  secrets: Buffer[];
  secret_ends_ms: number[];
};

export type LaneHealth = {
  degraded_at: Date | null;
  probe_at: Date | null;
  probes: number;
  failing_since: Date | null;
  failures: number;
  last_success_at: Date | null;
  last_failure_at: Date | null;
};

export type LaneRow = EndpointRow & LaneHealth & { epoch: number };

/**
 * Takes endpoints for a worker that nobody has, or whose worker is dead for a second longer than it may think itself
 * alive, or that it has without knowing, because the answer to an earlier take was lost. The epoch tells every holding
 * from the one before. Disabled endpoints, and degraded ones before their next probe, are not worth holding.
 */
const acquireStatement = statement(`
  with acquired as (
    update webhook_lanes l set owner = $2, epoch = l.epoch + 1
    from webhook_endpoints e
    where l.partner_id = $1 and l.endpoint_id = any($3::text[]) and e.partner_id = $1 and e.id = l.endpoint_id
      and e.enabled and (l.state = 'healthy' or l.probe_at <= $4)
      and (l.owner is null or l.owner = $2 or not exists (
        select from webhook_workers w where w.id = l.owner and w.alive_until > now() - interval '1 second'))
    returning l.*
  )
  select l.endpoint_id, l.epoch, l.degraded_at, l.probe_at, l.probes, l.failing_since, l.failures, l.last_success_at,
    l.last_failure_at, ${ENDPOINT}
  from acquired l join webhook_endpoints e on e.partner_id = $1 and e.id = l.endpoint_id`);

export function acquireLanes(db: Queryable, partner_id: string, worker: string, endpoint_ids: string[], now: Date) {
  return db.query<LaneRow>(acquireStatement, [partner_id, worker, endpoint_ids, now]);
}

const endpointsStatement = statement(`
  select e.id as endpoint_id, ${ENDPOINT} from webhook_endpoints e where e.partner_id = $1 and e.id = any($2::text[])`);

export function endpointsOf(db: Queryable, partner_id: string, endpoint_ids: string[]): Promise<EndpointRow[]> {
  return db.query(endpointsStatement, [partner_id, endpoint_ids]);
}

const leasedStatement = statement(`
  select l.endpoint_id, l.epoch, e.enabled, e.version, array(
    select coalesce(extract(epoch from s.expires_at) * 1000, 'infinity')::float8 from webhook_secrets s
    where s.partner_id = e.partner_id and s.endpoint_id = e.id order by s.created_at desc) as secret_ends_ms
  from webhook_lanes l join webhook_endpoints e on e.partner_id = l.partner_id and e.id = l.endpoint_id
  where l.owner = $1`);

export type LeasedLane = { endpoint_id: string; epoch: number; enabled: boolean; version: number; secret_ends_ms: number[] };

/** What a worker really holds, and what there is to notice about it: a change, an end, a new secret. */
export function leasedLanes(db: Queryable, worker: string): Promise<LeasedLane[]> {
  return db.query(leasedStatement, [worker]);
}

const releaseStatement = statement(`
  update webhook_lanes l set owner = null where l.partner_id = $1 and l.owner = $2 and l.endpoint_id = any($3::text[])`);

export async function releaseLanes(db: Queryable, partner_id: string, worker: string, endpoint_ids: string[]): Promise<void> {
  await db.query(releaseStatement, [partner_id, worker, endpoint_ids]);
}

const releaseAllStatement = statement("update webhook_lanes l set owner = null where l.owner = $1");

export async function releaseAllLanes(db: Queryable, worker: string): Promise<void> {
  await db.query(releaseAllStatement, [worker]);
}

const saveStatement = statement(`
  update webhook_lanes l set state = case when h.degraded_at is null then 'healthy' else 'degraded' end,
    degraded_at = h.degraded_at, probe_at = h.probe_at, probes = h.probes, failing_since = h.failing_since,
    failures = h.failures, last_success_at = h.last_success_at, last_failure_at = h.last_failure_at
  from unnest($3::text[], $4::int[], $5::timestamptz[], $6::timestamptz[], $7::int[], $8::timestamptz[], $9::int[],
    $10::timestamptz[], $11::timestamptz[])
    as h (endpoint_id, epoch, degraded_at, probe_at, probes, failing_since, failures, last_success_at, last_failure_at)
  where l.partner_id = $1 and l.owner = $2 and l.endpoint_id = h.endpoint_id and l.epoch = h.epoch`);

/** How endpoints of a partner have answered, as their worker alone may say. */
export async function saveHealth(
  db: Queryable,
  partner_id: string,
  worker: string,
  lanes: readonly (LaneHealth & { endpoint_id: string; epoch: number })[],
): Promise<void> {
  const column = <Name extends keyof (typeof lanes)[number]>(name: Name) => lanes.map((lane) => lane[name]);
  await db.query(saveStatement, [
    partner_id,
    worker,
    column("endpoint_id"),
    column("epoch"),
    column("degraded_at"),
    column("probe_at"),
    column("probes"),
    column("failing_since"),
    column("failures"),
    column("last_success_at"),
    column("last_failure_at"),
  ]);
}

const disableStatement = statement(`
  update webhook_endpoints e set enabled = false, disabled_reason = $3, disabled_at = $4, updated_at = $4, version = e.version + 1
  where e.partner_id = $1 and e.id = $2 and e.enabled and e.version = $5
  returning 1`);

/** False when it was changed or disabled meanwhile, or is gone. */
export async function disableEndpoint(
  tx: Queryable,
  partner_id: string,
  { id, version }: { id: string; version: number },
  reason: "gone" | "failing",
  now: Date,
): Promise<boolean> {
  return (await tx.query(disableStatement, [partner_id, id, reason, now, version])).length > 0;
}
