import { firstIdAt, type Kind, PREFIXES } from "../../kernel/ids.ts";
import type { Database } from "../db/database.ts";
import { composedStatement, type Queryable, statement } from "../db/statement.ts";
import { CHANGE_FEED, EVENT_FEED, type Feed, sequenceAll } from "./sequencer.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const BATCH = 5_000;

/** Minimum retention: events, deliveries and audit entries are dropped by whole months, once all of the month has expired. */
export const KEEP_EVENTS_MS = 30 * DAY_MS;
export const KEEP_AUDIT_MS = 365 * DAY_MS;
/** In whole months before the current one. */
const KEEP_CLICKS_MONTHS = 13;
export const KEEP_REPLIES_MS = 24 * HOUR_MS;
const MONTHS_AHEAD = 24;

/** The longest that an event, or a delivery of one, is kept. */
const KEPT_EVENTS_MS = KEEP_EVENTS_MS + 32 * DAY_MS;

/**
 * The first id and the one after the last that an event, a delivery or the audit entry of an event can have now. A statement that names them
 * is planned for the few partitions between them, and not for all months that there are.
 */
export function keptIds(kind: "event" | "delivery" | "audit", now: Date): [first: string, end: string] {
  const now_ms = now.getTime();
  return [firstIdAt(kind, now_ms - KEPT_EVENTS_MS), firstIdAt(kind, now_ms + DAY_MS)];
}

/** The tables that are partitioned by month, and the column of ids that they are partitioned by. */
const PARTITIONED = {
  events: { kind: "event", column: "id" },
  deliveries: { kind: "delivery", column: "id" },
  delivery_attempts: { kind: "delivery", column: "delivery_id" },
  audit_entries: { kind: "audit", column: "id" },
  clicks: { kind: "click", column: "id" },
} as const satisfies Record<string, { kind: Kind; column: string }>;
type Partitioned = keyof typeof PARTITIONED;

/** The earlier of our time and the database's: a clock that is ahead must not delete anything too early. */
const earlierStatement = statement("select least($1::timestamptz, now()) as now");

async function earlierTime(db: Queryable, now: Date): Promise<Date> {
  return (await db.query<{ now: Date }>(earlierStatement, [now]))[0]?.now ?? now;
}

const aheadStatement = statement(`
  select add_partitions($1, $2, date_trunc('month', $3::timestamptz at time zone 'UTC')::date,
    (date_trunc('month', $3::timestamptz at time zone 'UTC') + make_interval(months => $4))::date)`);

const partitionsStatement = statement(`
  select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = $1::regclass order by 1`);

async function partitionsOf(db: Queryable, table: Partitioned): Promise<string[]> {
  return (await db.query<{ name: string }>(partitionsStatement, [table])).map(({ name }) => name);
}

/** Creates the partitions of the coming months. Returns how many were missing. */
export async function addPartitions(owner: Database, now: Date): Promise<number> {
  let added = 0;
  for (const table of Object.keys(PARTITIONED) as Partitioned[]) {
    const before = await partitionsOf(owner, table);
    await withShortLock(owner, (tx) => tx.query(aheadStatement, [table, PREFIXES[PARTITIONED[table].kind], now, MONTHS_AHEAD]));
    added += (await partitionsOf(owner, table)).length - before.length;
  }
  return added;
}

/** Trims the feeds and drops events, a month at a time, 30 days after its end. */
export async function dropOldEvents(db: Database, owner: Database, now: Date): Promise<{ trimmed: number; dropped: number }> {
  const month = startOfMonth(new Date((await earlierTime(owner, now)).getTime() - KEEP_EVENTS_MS));
  await sequenceAll(db);
  const trimmed = await trimFeeds(db, EVENT_FEED, firstIdAt("event", month.getTime()));
  return { trimmed, dropped: await dropBefore(owner, "events", month) };
}

/** Trims changes of records after 30 days. */
export async function dropOldChanges(db: Database, now: Date): Promise<number> {
  const before_ms = (await earlierTime(db, now)).getTime() - KEEP_EVENTS_MS;
  await sequenceAll(db);
  return trimFeeds(db, CHANGE_FEED, firstIdAt("change", before_ms));
}

async function trimFeeds(db: Database, feed: Feed, bound: string): Promise<number> {
  let trimmed = 0;
  for (let after: string | undefined = ""; after !== undefined; ) {
    const partners: { partner_id: string }[] = await db.query<{ partner_id: string }>(feed.partners, [after]);
    for (const { partner_id } of partners) trimmed += await trimFeed(db, feed, partner_id, bound);
    after = partners.at(-1)?.partner_id;
  }
  return trimmed;
}

async function trimFeed(db: Database, feed: Feed, partner_id: string, bound: string): Promise<number> {
  let trimmed = 0;
  for (let batch = BATCH; batch === BATCH; trimmed += batch) {
    batch = (await db.query<{ count: number }>(feed.trim, [partner_id, bound, BATCH]))[0]?.count ?? 0;
  }
  return trimmed;
}

export async function dropOldAudit(owner: Database, now: Date): Promise<number> {
  const month = startOfMonth(new Date((await earlierTime(owner, now)).getTime() - KEEP_AUDIT_MS));
  return dropBefore(owner, "audit_entries", month);
}

/** Clicks are kept for 13 months, so that a month can be compared with that of the year before; the counts of days are kept for good. */
export async function dropOldClicks(owner: Database, now: Date): Promise<number> {
  const at = await earlierTime(owner, now);
  return dropBefore(owner, "clicks", new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - KEEP_CLICKS_MONTHS, 1)));
}

/** Deliveries are dropped with their events: without an event there is nothing to send. */
export async function dropOldDeliveries(owner: Database, now: Date): Promise<number> {
  const month = startOfMonth(new Date((await earlierTime(owner, now)).getTime() - KEEP_EVENTS_MS));
  return (await dropBefore(owner, "delivery_attempts", month)) + (await dropBefore(owner, "deliveries", month));
}

/** The hashes outlive the entries, so that issued proofs stay valid. */
const keepLeaves = (source: string, condition = "") =>
  composedStatement(`
  -- all partners: once a day
  insert into audit_leaves select partner_id, id, leaf_hash from ${source} ${condition} on conflict do nothing`);

/** Drops the partitions before a month, and older rows in the default partition. */
async function dropBefore(owner: Database, table: Partitioned, month: Date): Promise<number> {
  const last = `${table}_${month.toISOString().slice(0, 7).replace("-", "_")}`;
  const old = (await partitionsOf(owner, table)).filter((name) => /_\d{4}_\d{2}$/.test(name) && name < last);
  for (const name of old) {
    await withShortLock(owner, async (tx) => {
      if (table === "audit_entries") await tx.query(keepLeaves(name));
      await tx.query(composedStatement(`drop table ${name}`));
    });
  }
  const { kind, column } = PARTITIONED[table];
  const bound = firstIdAt(kind, month.getTime());
  if (table === "audit_entries") await owner.query(keepLeaves(`${table}_default`, "where id < $1"), [bound]);
  await owner.query(composedStatement(`-- all partners: once a day\ndelete from ${table}_default where ${column} < $1`), [bound]);
  return old.length;
}

const oldReplies = statement(`
  -- all partners: once an hour
  select partner_id, actor_id, key from idempotency_replies where created_at < $1 limit $2`);

const deleteReplies = statement(`
  delete from idempotency_replies r using unnest($2::text[], $3::text[]) as o (actor_id, key)
  where r.partner_id = $1 and r.actor_id = o.actor_id and r.key = o.key`);

/** Deletes the replies of requests that are not repeated any more. */
export async function dropOldReplies(db: Database, now: Date): Promise<number> {
  const before = new Date((await earlierTime(db, now)).getTime() - KEEP_REPLIES_MS);
  let dropped = 0;
  for (let batch = BATCH; batch === BATCH; dropped += batch) {
    const old = await db.query<{ partner_id: string; actor_id: string; key: string }>(oldReplies, [before, BATCH]);
    for (const [partner_id, replies] of Map.groupBy(old, (reply) => reply.partner_id)) {
      const values = [partner_id, replies.map(({ actor_id }) => actor_id), replies.map(({ key }) => key)];
      await db.query(deleteReplies, values);
    }
    batch = old.length;
  }
  return dropped;
}

const limitLockWait = statement("set local lock_timeout = '1s'");

/** DDL needs an exclusive lock, and everybody else queues behind it, so it gives up soon. */
function withShortLock(owner: Database, change: (tx: Queryable) => Promise<unknown>): Promise<unknown> {
  return owner.transaction(() => ({ open: (tx) => tx.query(limitLockWait), run: change, close: () => [] }));
}

function startOfMonth(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1));
}
