import type { TenantScope } from "../../../../kernel/principal.ts";
import { violatedConstraint } from "../../../../platform/db/connection.ts";
import { pollStatement, type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { deliveryId, WANTS } from "../fan-out.queries.ts";
import { TOTAL_MAX } from "./schema.ts";

/** What a replay is about: events of a range of ids, of some types or all that the endpoint gets, and whether only the failed. */
export type ReplayRequest = { since: string; until: string; types: string[] | null; only_failed: boolean };

const REPLAY_JSON = `(select row_to_json(x)::text from (select
    r.id, r.endpoint_id, r.request ->> 'since' as since, r.request ->> 'until' as until,
    nullif(r.request -> 'types', 'null') as types, (r.request -> 'only_failed')::boolean as only_failed,
    r.state, r.total, r.queued, r.created_by, wire_time(r.created_at) as created_at, wire_time(r.finished_at) as finished_at) x)`;

const TAKEN = `${WANTS} and ($5::text[] is null or e.type = any ($5))`;
const EVENT = "(select f.event_id as id, f.type, f.client_id from event_feed f where f.partner_id = $1) e";

/** Where a replay finds its events `e` for the endpoint `w`, by which ids it goes through them, and each of them once. */
type Source = { rows: string; place: string; each: string };

const ALL: Source = {
  place: "e.id",
  each: "e.id",
  rows: `webhook_endpoints w join ${EVENT} on ${TAKEN}
    where w.partner_id = $1 and w.id = $2 and e.id >= $3 and e.id < $4`,
};

/**
 * By the deliveries that were given up, which are few, of events without one that arrived or still may: those begin
 * with the same time. Asking for the deliveries of every event instead took 40 µs an event.
 */
const FAILED: Source = {
  place: "f.id",
  each: "distinct e.id",
  rows: `webhook_endpoints w
      join deliveries f on f.partner_id = $1 and f.endpoint_id = w.id and f.status in ('failed', 'cancelled')
      join ${EVENT} on e.id = f.event_id and ${TAKEN}
    where w.partner_id = $1 and w.id = $2 and f.id >= $3 and f.id < $4 and not exists (
      select from deliveries d
      where d.partner_id = $1 and d.endpoint_id = $2 and d.status in ('succeeded', 'pending') and d.event_id = f.event_id
        and d.id >= substr(f.id, 1, 14) and d.id < substr(f.id, 1, 14) || 'g')`,
};

const forBoth = (text: (source: Source) => string) => ({ all: statement(text(ALL)), failed: statement(text(FAILED)) });

/** A part of a replay: from an id on, before another; of deliveries where only the failed are wanted, else of events. */
export type FeedRange = { endpoint_id: string; from_id: string; before_id: string } & Pick<
  ReplayRequest,
  "types" | "only_failed"
>;

const sourceOf = ({ only_failed }: FeedRange) => (only_failed ? "failed" : "all");
const valuesOf = (partner_id: string, { endpoint_id, from_id, before_id, types }: FeedRange) => [
  partner_id,
  endpoint_id,
  from_id,
  before_id,
  types,
];

const countStatements = forBoth(
  ({ rows, each }) => `select count(*)::int as count from (select ${each} from ${rows} limit ${TOTAL_MAX}) m`,
);

/** How many events a replay is about, counted up to a bound. */
export async function countMatching(db: Queryable, scope: TenantScope, stretch: FeedRange): Promise<number> {
  const values = valuesOf(scope.partner_id, stretch);
  const [row] = await db.query<{ count: number }>(countStatements[sourceOf(stretch)], values);
  return row?.count ?? 0;
}

const KEPT_MAX = 100;

const deleteOldest = statement(`
  delete from webhook_replays where partner_id = $1 and endpoint_id = $2 and state <> 'running' and id <= (
    select id from webhook_replays where partner_id = $1 and endpoint_id = $2 order by id desc offset ${KEPT_MAX - 1} limit 1)`);

const insertStatement = statement(`
  with r as (
    insert into webhook_replays (partner_id, id, endpoint_id, request, total, created_by, created_at)
    values ($1, $2, $3, $4, $5, $6, $7)
    returning *
  )
  select r.id, ${REPLAY_JSON} as json from r`);

/** There is one that runs already. */
export class ReplayRunning extends Error {}

export type NewReplay = { id: string; endpoint_id: string; request: ReplayRequest; total: number; created_by: string };

export async function insertReplay(tx: Tx, scope: TenantScope, replay: NewReplay): Promise<{ id: string; json: string }> {
  const { id, endpoint_id, request, total, created_by } = replay;
  const values = [scope.partner_id, id, endpoint_id, request, total, created_by, tx.now];
  try {
    const [, [row]] = await Promise.all([
      tx.query(deleteOldest, [scope.partner_id, endpoint_id]),
      tx.query<{ id: string; json: string }>(insertStatement, values),
    ]);
    if (row === undefined) throw new Error("the replay was not saved");
    return row;
  } catch (error) {
    throw violatedConstraint(error) === "webhook_replays_running" ? new ReplayRunning("running", { cause: error }) : error;
  }
}

const runningStatement = statement(`
  select id from webhook_replays where partner_id = $1 and endpoint_id = $2 and state = 'running'`);

export async function runningReplayOrNull(db: Queryable, scope: TenantScope, endpoint_id: string): Promise<string | null> {
  return (await db.query<{ id: string }>(runningStatement, [scope.partner_id, endpoint_id]))[0]?.id ?? null;
}

const replayById = statement(`
  select r.id, ${REPLAY_JSON} as json from webhook_replays r where r.partner_id = $1 and r.endpoint_id = $2 and r.id = $3`);

export async function replayOrNull(db: Queryable, scope: TenantScope, endpoint_id: string, id: string) {
  const [row] = await db.query<{ id: string; json: string }>(replayById, [scope.partner_id, endpoint_id, id]);
  return row ?? null;
}

const replaysStatement = statement(`
  select r.id, ${REPLAY_JSON} as json from webhook_replays r
  where r.partner_id = $1 and r.endpoint_id = $2 and ($3::text is null or r.id < $3)
  order by r.id desc limit $4`);

export function replaysPage(db: Queryable, scope: TenantScope, endpoint_id: string, after: string | null, limit: number) {
  return db.query<{ id: string; json: string }>(replaysStatement, [scope.partner_id, endpoint_id, after, limit + 1]);
}

const cancelStatement = statement(`
  update webhook_replays set state = 'cancelled', finished_at = $4
  where partner_id = $1 and endpoint_id = $2 and id = $3 and state = 'running'`);

const withdrawStatement = statement(`
  with gone as (
    update deliveries set status = 'cancelled', finished_at = $3
    where partner_id = $1 and replay_id = $2 and status = 'pending'
    returning 1
  )
  select count(*)::int as count from gone`);

/** Stops a replay and takes back what it has queued and is not sent yet. Returns how much that was. */
export async function saveCancellation(tx: Tx, scope: TenantScope, endpoint_id: string, id: string): Promise<number> {
  const [, [row]] = await Promise.all([
    tx.query(cancelStatement, [scope.partner_id, endpoint_id, id, tx.now]),
    tx.query<{ count: number }>(withdrawStatement, [scope.partner_id, id, tx.now]),
  ]);
  return row?.count ?? 0;
}

const allRunning = pollStatement(`
  -- all partners: every half second in each worker
  select r.partner_id, r.id from webhook_replays r
    join webhook_endpoints w on w.partner_id = r.partner_id and w.id = r.endpoint_id
  where r.state = 'running' and w.enabled
  order by r.id limit 1000`);

export function runningReplays(db: Queryable): Promise<{ partner_id: string; id: string }[]> {
  return db.query(allRunning);
}

/** Whoever works on it has it alone; the others pass on to the next. */
const lockRunning = statement(`
  select r.endpoint_id, r.request, r.cursor from webhook_replays r
  where r.partner_id = $1 and r.id = $2 and r.state = 'running' for update skip locked`);

export type RunningReplay = { endpoint_id: string; request: ReplayRequest; cursor: string | null };

export async function runningReplayForUpdateOrNull(tx: Queryable, partner_id: string, id: string): Promise<RunningReplay | null> {
  return (await tx.query<RunningReplay>(lockRunning, [partner_id, id]))[0] ?? null;
}

const waitingStatement = statement(`
  select count(*)::int as count from (
    select from deliveries where partner_id = $1 and replay_id = $2 and status = 'pending' and attempts = 0 limit $3) d`);

/** How many of a replay's deliveries wait for their first attempt. */
export async function waitingDeliveries(tx: Queryable, partner_id: string, id: string, limit: number): Promise<number> {
  return (await tx.query<{ count: number }>(waitingStatement, [partner_id, id, limit]))[0]?.count ?? 0;
}

const queueStatements = forBoth(
  ({ rows, place }) => `
  with chosen as (
    select ${deliveryId({ replay: "$6::text" })} as id, w.id as endpoint_id, e.id as event_id, e.type, ${place} as place
    from ${rows}
    order by ${place} limit $7
  ), queued as (
    insert into deliveries (partner_id, id, endpoint_id, event_id, event_type, replay_id, next_at)
    select $1, c.id, c.endpoint_id, c.event_id, c.type, $6, $8 from chosen c
    on conflict do nothing
    returning 1
  )
  select (select count(*)::int from queued) as queued, count(*) < $7 as done, max(place) as last from chosen`,
);

/** How many a portion has queued, where it ended, and whether it was the last. */
export type Portion = { queued: number; last: string | null; done: boolean };

/** Queues the next events of a replay. */
export async function queueMatching(
  tx: Queryable,
  partner_id: string,
  stretch: FeedRange,
  to: { replay_id: string; limit: number; now: Date },
): Promise<Portion> {
  const values = [...valuesOf(partner_id, stretch), to.replay_id, to.limit, to.now];
  const [row] = await tx.query<Portion>(queueStatements[sourceOf(stretch)], values);
  return row ?? { queued: 0, last: null, done: true };
}

const progressStatement = statement(`
  update webhook_replays set cursor = coalesce($3, cursor), queued = queued + $4,
    total = greatest(total, least(queued + $4, ${TOTAL_MAX})),
    state = case when $5 then 'done' else state end, finished_at = case when $5 then $6::timestamptz end
  where partner_id = $1 and id = $2`);

export async function saveProgress(
  tx: Queryable,
  replay: { partner_id: string; id: string },
  made: Portion,
  now: Date,
): Promise<void> {
  await tx.query(progressStatement, [replay.partner_id, replay.id, made.last, made.queued, made.done, now]);
}
