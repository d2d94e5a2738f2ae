import { pollStatement, type Queryable, statement } from "../../../../platform/db/statement.ts";
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

const deleteDeadStatement = statement("delete from webhook_workers where id = $1 or alive_until < now() - interval '1 minute'");

/** Deletes one worker, and those that have been dead for a while. */
export async function deleteDeadWorkers(db: Queryable, worker: string | null): Promise<void> {
  await db.query(deleteDeadStatement, [worker]);
}

type Index = "live" | "replayed";

/** Written as the partial indexes have it; `$1` and `$2` are the range of ids. */
const pending = (index: Index) =>
  `d.status = 'pending' and d.replay_id is ${index === "live" ? "null" : "not null"} and d.id >= $1 and d.id < $2`;

const SCAN_MAX = 500;

/** The first pending deliveries, endpoint by endpoint: all of them, unless there is a backlog. */
const firstPending = (index: Index) =>
  pollStatement(`
  -- all partners: ten times a second in each worker
  select d.partner_id, d.endpoint_id, d.next_at from deliveries d where ${pending(index)}
  order by d.partner_id, d.endpoint_id, d.next_at limit ${SCAN_MAX}`);

/** Each endpoint with its first due delivery: the cost depends on the number of endpoints, not on the backlog. */
const firstOfLanes = (index: Index, tenant: string, condition: string) => `
  select l.partner_id, l.endpoint_id, d.next_at
  from webhook_lanes l cross join lateral (
    select d.next_at from deliveries d
    where d.partner_id = ${tenant} and d.endpoint_id = l.endpoint_id and ${pending(index)} and d.next_at <= $3
    order by d.next_at limit 1
  ) d
  ${condition}`;

const everywhere = (index: Index) => ({
  few: firstPending(index),
  many: pollStatement(
    `-- all partners: instead, while there is a backlog${firstOfLanes(index, "l.partner_id", "order by l.partner_id, l.endpoint_id")}`,
  ),
});
const atPartner = (index: Index) => statement(firstOfLanes(index, "$4", "where l.partner_id = $4 order by l.endpoint_id"));

const EVERYWHERE = { live: everywhere("live"), replayed: everywhere("replayed") };
const AT_PARTNER = { live: atPartner("live"), replayed: atPartner("replayed") };

export type DueLane = { partner_id: string; endpoint_id: string; next_at: Date; replayed: boolean };

/**
 * Endpoints with due deliveries, of a range of ids: of all partners, or of one. Replays can be of any age, and have a range
 * of their own.
 */
export async function dueLanes(
  db: Queryable,
  now: Date,
  ranges: { live: IdRange; replayed: IdRange },
  partner_id: string | null,
): Promise<DueLane[]> {
  const find = async (index: Index) => {
    const rows =
      partner_id === null
        ? await dueEverywhere(db, index, ranges[index], now)
        : await db.query<DueRow>(AT_PARTNER[index], [ranges[index].from_id, ranges[index].before_id, now, partner_id]);
    return rows.map((row) => ({ ...row, replayed: index === "replayed" }));
  };
  return (await Promise.all([find("live"), find("replayed")])).flat();
}

type DueRow = Omit<DueLane, "replayed">;

async function dueEverywhere(db: Queryable, index: Index, { from_id, before_id }: IdRange, now: Date): Promise<DueRow[]> {
  const { few, many } = EVERYWHERE[index];
  const rows = await db.query<DueRow>(few, [from_id, before_id]);
  if (rows.length >= SCAN_MAX) return db.query<DueRow>(many, [from_id, before_id, now]);
  // The rows are ordered: the first of an endpoint is the one that is due first.
  const first = rows.filter(({ endpoint_id }, position) => endpoint_id !== rows[position - 1]?.endpoint_id);
  return first.filter(({ next_at }) => next_at <= now);
}

const ENDPOINT = `e.url, e.ordering, e.max_in_flight, e.rate_limit_per_second, e.timeout_ms, e.headers, e.version,
    array(select s.secret from webhook_secrets s where s.partner_id = $1 and s.endpoint_id = e.id order by s.created_at desc) as secrets,
    array(select coalesce(extract(epoch from s.expires_at) * 1000, 'infinity')::float8 from webhook_secrets s
      where s.partner_id = $1 and s.endpoint_id = e.id order by s.created_at desc) as secret_ends_ms`;

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

const ownersStatement = statement(`
  select distinct l.owner from webhook_lanes l where l.partner_id = $1 and l.endpoint_id = any($2::text[]) and l.owner <> $3`);

const livingOwners = statement(`
  select w.id from webhook_workers w where w.id = any($1::text[]) and w.alive_until > now() - interval '1 second'`);

/** Owners of some endpoints that have been dead for a second longer than they may think themselves alive. */
async function deadOwners(db: Queryable, partner_id: string, worker: string, endpoint_ids: string[]): Promise<string[]> {
  const owners = await db.query<{ owner: string }>(ownersStatement, [partner_id, endpoint_ids, worker]);
  if (owners.length === 0) return [];
  const living = await db.query<{ id: string }>(livingOwners, [owners.map(({ owner }) => owner)]);
  return owners.map(({ owner }) => owner).filter((owner) => !living.some(({ id }) => id === owner));
}

/**
 * Leases endpoints that nobody has, or that a dead worker had, or that the worker has without knowing, because the answer
 * to an earlier call was lost. Every lease has an epoch of its own. Disabled endpoints, and degraded ones before their next
 * probe, are left.
 */
const acquireStatement = statement(`
  with acquired as (
    update webhook_lanes l set owner = $2, epoch = l.epoch + 1
    from webhook_endpoints e
    where l.partner_id = $1 and l.endpoint_id = any($3::text[]) and e.partner_id = $1 and e.id = l.endpoint_id
      and e.enabled and (l.state = 'healthy' or l.probe_at <= $4)
      and (l.owner is null or l.owner = $2 or l.owner = any($5::text[]))
    returning l.*
  )
  select l.endpoint_id, l.epoch, l.degraded_at, l.probe_at, l.probes, l.failing_since, l.failures, l.last_success_at,
    l.last_failure_at, ${ENDPOINT}
  from acquired l join webhook_endpoints e on e.partner_id = $1 and e.id = l.endpoint_id`);

export async function acquireLanes(db: Queryable, partner_id: string, worker: string, endpoint_ids: string[], now: Date) {
  const dead = await deadOwners(db, partner_id, worker, endpoint_ids);
  return db.query<LaneRow>(acquireStatement, [partner_id, worker, endpoint_ids, now, dead]);
}

const endpointsStatement = statement(`
  select e.id as endpoint_id, ${ENDPOINT} from webhook_endpoints e where e.partner_id = $1 and e.id = any($2::text[])`);

export function endpointsOf(db: Queryable, partner_id: string, endpoint_ids: string[]): Promise<EndpointRow[]> {
  return db.query(endpointsStatement, [partner_id, endpoint_ids]);
}

const leasedStatement = pollStatement(`
  -- all partners: once a second in each worker
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

const releaseAllStatement = statement(`
  -- all partners: when a worker stops
  update webhook_lanes l set owner = null where l.owner = $1`);

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
