import { type Queryable, statement } from "../../../../platform/db/statement.ts";

export type DeliveryRow = {
  endpoint_id: string;
  id: string;
  event_id: string;
  event_type: string;
  replay_id: string | null;
  test: boolean;
  attempts: number;
  next_at: Date;
  /** Null: the event is no longer kept. */
  body: Buffer | null;
};

const COLUMNS = "d.id, d.event_id, d.event_type, d.replay_id, d.test, d.attempts, d.next_at";

/** Ids begin with the time of the event: a range of them says in which partitions to look. */
export type IdRange = { from_id: string; before_id: string };

const due = (replay: "null" | "not null", room: string) => `
    (select ${COLUMNS} from deliveries d
     where d.partner_id = $1 and d.endpoint_id = w.endpoint_id and d.status = 'pending' and d.replay_id is ${replay}
       and d.next_at <= $5 and d.id >= $6 and d.id < $7
     order by d.next_at, d.id limit w.${room})`;

/**
 * What is due, for several endpoints of a partner: so much each, so that the backlog of none is ever read through. Bodies
 * are looked up one by one, because as a join the planner would rather read through all events.
 */
const windowStatement = statement(`
  select w.endpoint_id, d.*, (select e.body from events e where e.partner_id = $1 and e.id = d.event_id) as body
  from unnest($2::text[], $3::int[], $4::int[]) as w (endpoint_id, room, replay_room)
  cross join lateral (${due("null", "room")}
    union all ${due("not null", "replay_room")}
  ) d`);

export type Room = { endpoint_id: string; room: number; replay_room: number };

export function dueDeliveries(db: Queryable, partner_id: string, rooms: readonly Room[], now: Date, range: IdRange) {
  return db.query<DeliveryRow>(windowStatement, [
    partner_id,
    rooms.map(({ endpoint_id }) => endpoint_id),
    rooms.map(({ room }) => room),
    rooms.map(({ replay_room }) => replay_room),
    now,
    range.from_id,
    range.before_id,
  ]);
}

export type OrderedRow = DeliveryRow & { subject: string | null };

const POSITION = `left join lateral (
       select f.subject, f.seq from event_feed f where f.partner_id = $1 and f.event_id = d.event_id limit 1) f on true`;

const waiting = (replay: "null" | "not null") => `
    (select d.endpoint_id, d.replay_id, d.next_at, f.subject from deliveries d ${POSITION}
     where d.partner_id = $1 and d.endpoint_id = w.endpoint_id and d.status = 'pending' and d.replay_id is ${replay}
       and d.next_at > $3 and d.attempts > 0 and d.id < $4
     order by d.next_at limit $5)`;

const waitingStatement = statement(`
  select d.* from unnest($2::text[]) as w (endpoint_id)
  cross join lateral (${waiting("null")}
    union all ${waiting("not null")}
  ) d`);

export type WaitingRow = Pick<OrderedRow, "endpoint_id" | "replay_id" | "next_at" | "subject">;

/** What waits for its next attempt, for several endpoints of a partner: so much of each, live and replayed. */
export function waitingDeliveries(
  db: Queryable,
  partner_id: string,
  endpoint_ids: readonly string[],
  now: Date,
  before_id: string,
  max: number,
): Promise<WaitingRow[]> {
  return db.query(waitingStatement, [partner_id, endpoint_ids, now, before_id, max]);
}

/**
 * What is due for several endpoints of a partner, but for some streams. What is new is due, also by a clock that is behind that of its
 * writer: otherwise a later event of another writer would overtake it. It is read by id, which is nearly the order of the feed, and the
 * first of it in that order are given: an event of a long transaction has an older id than its position says. Replays are read one after the
 * other. An event with a subject and no position is committed and not sequenced yet.
 */
const ordered = (replay: "null" | "not null") =>
  statement(`
  select w.endpoint_id, d.*, (select e.body from events e where e.partner_id = $1 and e.id = d.event_id) as body
  from unnest($2::text[], $3::int[], $4::int[]) as w (endpoint_id, room, read_max)
  cross join lateral (
    select ${COLUMNS}, d.subject, d.read from (
      select d.*, count(*) over ()::int as read from (
        select ${COLUMNS}, f.subject, f.seq
        from deliveries d ${POSITION}
        where d.partner_id = $1 and d.endpoint_id = w.endpoint_id and d.status = 'pending' and d.replay_id is ${replay}
          and (d.next_at <= $6 or d.attempts = 0) and d.id < $7
          and w.endpoint_id || ' ' || coalesce(f.subject, '') not in (select b.name from unnest($5::text[]) b (name))
        order by d.replay_id, d.id limit w.read_max
      ) d
    ) d
    where d.subject is null or d.seq is not null
    order by coalesce(d.replay_id, ''), coalesce(d.seq, 0), d.id limit w.room
  ) d`);

const orderedLive = ordered("null");
const orderedReplayed = ordered("not null");

/** How many deliveries of an endpoint are wanted, how many are read to find them, and the subjects to leave out; those without one are named "". */
export type OrderedRoom = { endpoint_id: string; room: number; read_max: number; without: readonly string[] };

/** The first in the order of the feed, by endpoint, and whether there is more. */
export async function dueInOrder(
  db: Queryable,
  partner_id: string,
  rooms: readonly OrderedRoom[],
  { replayed, now, before_id }: { replayed: boolean; now: Date; before_id: string },
): Promise<Map<string, { rows: OrderedRow[]; more: boolean }>> {
  const found = await db.query<OrderedRow & { read: number }>(replayed ? orderedReplayed : orderedLive, [
    partner_id,
    rooms.map(({ endpoint_id }) => endpoint_id),
    rooms.map(({ room }) => room),
    rooms.map(({ read_max }) => read_max),
    rooms.flatMap(({ endpoint_id, without }) => without.map((subject) => `${endpoint_id} ${subject}`)),
    now,
    before_id,
  ]);
  const byEndpoint = Map.groupBy(found, ({ endpoint_id }) => endpoint_id);
  return new Map(
    rooms.map(({ endpoint_id, room, read_max }) => {
      const rows = byEndpoint.get(endpoint_id) ?? [];
      return [endpoint_id, { rows, more: rows.length >= room || (rows[0]?.read ?? 0) >= read_max }];
    }),
  );
}

/** How an attempt ended, and what becomes of its delivery. */
export type Outcome = {
  endpoint_id: string;
  epoch: number;
  id: string;
  status: "pending" | "succeeded" | "failed";
  next_at: Date;
  started_at: Date;
  duration_ms: number;
  response_status: number | null;
  error: string | null;
  response: string | null;
  /** As JSON. */
  request_headers: string | null;
};

/**
 * Only the worker that has leased an endpoint may finish its deliveries, and only while they are pending: one that has lost
 * the lease changes nothing. Returns the leases that are still valid. Pending is tested by finished_at, which is in no
 * index. The ids are there once more, as a list and as a range: with the join alone, a plan made while there were few
 * deliveries reads all of the partner's each time. The range leaves out other months.
 */
const finishStatement = statement(`
  with o as (
    select o.* from unnest($3::text[], $4::int[], $5::text[], $6::text[], $7::timestamptz[], $8::timestamptz[], $9::int[],
      $10::int[], $11::text[], $12::text[], $13::text[], $14::timestamptz[])
      as o (endpoint_id, epoch, id, status, next_at, started_at, duration_ms, response_status, error, response, request_headers, finished_at)
    cross join lateral (
      select from webhook_lanes l
      where l.partner_id = $1 and l.endpoint_id = o.endpoint_id and l.owner = $2 and l.epoch = o.epoch limit 1
    ) held
  ), finished as (
    update deliveries d set status = o.status, attempts = d.attempts + 1, next_at = o.next_at,
      finished_at = o.finished_at,
      response_status = o.response_status, error = o.error
    from o
    where d.partner_id = $1 and d.id = o.id and d.id = any ($5) and d.id >= $15 and d.id <= $16 and d.finished_at is null
    returning d.id, o.endpoint_id, d.attempts, o.started_at, o.duration_ms, o.response_status, o.error, o.response,
      o.request_headers::json
  ), logged as (
    insert into delivery_attempts (partner_id, delivery_id, endpoint_id, number, started_at, duration_ms, status, error, response,
      request_headers)
    select $1, f.* from finished f
    on conflict do nothing
  )
  select distinct endpoint_id, epoch from o`);

export type LeaseKey = Pick<Outcome, "endpoint_id" | "epoch">;

export function finishDeliveries(tx: Queryable, partner_id: string, worker: string, outcomes: readonly Outcome[]) {
  const column = <Name extends keyof Outcome>(name: Name) => outcomes.map((outcome) => outcome[name]);
  const ids = column("id");
  return tx.query<LeaseKey>(finishStatement, [
    partner_id,
    worker,
    column("endpoint_id"),
    column("epoch"),
    ids,
    column("status"),
    column("next_at"),
    column("started_at"),
    column("duration_ms"),
    column("response_status"),
    column("error"),
    column("response"),
    column("request_headers"),
    outcomes.map(finishedAt),
    least(ids),
    greatest(ids),
  ]);
}

const least = (ids: readonly string[]) => ids.reduce((one, other) => (one < other ? one : other), "dlv_z");
const greatest = (ids: readonly string[]) => ids.reduce((one, other) => (one > other ? one : other), "");

function finishedAt({ status, started_at, duration_ms }: Outcome): Date | null {
  return status === "pending" ? null : new Date(started_at.getTime() + duration_ms);
}

/** A lost commit only repeats a delivery, so it need not wait for the disk. */
export const skipCommitWait = statement("set local synchronous_commit = off");
