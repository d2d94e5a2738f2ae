import { firstIdAt, type Kind, PREFIXES } from "../../kernel/ids.ts";
import type { Database } from "../db/database.ts";
import { composedStatement, type Queryable, statement } from "../db/statement.ts";
import { CHANGE_FEED, EVENT_FEED, type Feed, sequenceAll } from "./sequencer.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const BATCH = 5_000;

/** How long things are kept at least: events, their deliveries and audit entries go by whole months, once the whole month is over its time. */
export const KEEP_EVENTS_MS = 30 * DAY_MS;
export const KEEP_AUDIT_MS = 365 * DAY_MS;
export const KEEP_REPLIES_MS = 24 * HOUR_MS;
const MONTHS_AHEAD = 24;

/** The tables that are partitioned by month, and the column of ids that they are partitioned by. */
const PARTITIONED = {
  events: { kind: "event", column: "id" },
  deliveries: { kind: "delivery", column: "id" },
  delivery_attempts: { kind: "delivery", column: "delivery_id" },
  audit_entries: { kind: "audit", column: "id" },
} as const satisfies Record<string, { kind: Kind; column: string }>;
type Partitioned = keyof typeof PARTITIONED;

/** The earlier of our time and the database's: a clock that runs ahead must not throw anything away. */
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

/** Makes the partitions of the coming months. Returns how many were missing. */
export async function addPartitions(owner: Database, now: Date): Promise<number> {
  let added = 0;
  for (const table of Object.keys(PARTITIONED) as Partitioned[]) {
    const before = await partitionsOf(owner, table);
    await changing(owner, (tx) => tx.query(aheadStatement, [table, PREFIXES[PARTITIONED[table].kind], now, MONTHS_AHEAD]));
    added += (await partitionsOf(owner, table)).length - before.length;
  }
  return added;
}

/** Takes events out of the feeds and away, a month at a time, 30 days after its end. */
export async function dropOldEvents(db: Database, owner: Database, now: Date): Promise<{ trimmed: number; dropped: number }> {
  const month = startOfMonth(new Date((await earlierTime(owner, now)).getTime() - KEEP_EVENTS_MS));
  await sequenceAll(db);
  const trimmed = await trimFeeds(db, EVENT_FEED, firstIdAt("event", month.getTime()));
  return { trimmed, dropped: await dropBefore(owner, "events", month) };
}

/** Takes changes of records out of the feeds after 30 days. */
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

/** Deliveries go with the events they carry: what was not delivered by then has nothing left to send. */
export async function dropOldDeliveries(owner: Database, now: Date): Promise<number> {
  const month = startOfMonth(new Date((await earlierTime(owner, now)).getTime() - KEEP_EVENTS_MS));
  return (await dropBefore(owner, "delivery_attempts", month)) + (await dropBefore(owner, "deliveries", month));
}

/** The hashes outlive the entries: a proof that was given stays one. */
const keepLeaves = (source: string, condition = "") =>
  composedStatement(
    `insert into audit_leaves select partner_id, id, leaf_hash from ${source} ${condition} on conflict do nothing`,
  );

/** Drops the partitions before a month, and what lies before it in the one that takes everything else. */
async function dropBefore(owner: Database, table: Partitioned, month: Date): Promise<number> {
  const last = `${table}_${month.toISOString().slice(0, 7).replace("-", "_")}`;
  const old = (await partitionsOf(owner, table)).filter((name) => /_\d{4}_\d{2}$/.test(name) && name < last);
  for (const name of old) {
    await changing(owner, async (tx) => {
      if (table === "audit_entries") await tx.query(keepLeaves(name));
      await tx.query(composedStatement(`drop table ${name}`));
    });
  }
  const { kind, column } = PARTITIONED[table];
  const bound = firstIdAt(kind, month.getTime());
  if (table === "audit_entries") await owner.query(keepLeaves(`${table}_default`, "where id < $1"), [bound]);
  await owner.query(composedStatement(`delete from ${table}_default where ${column} < $1`), [bound]);
  return old.length;
}

const repliesStatement = statement(`
  with old as (
    delete from idempotency_replies r using (
      select partner_id, actor_id, key from idempotency_replies where created_at < $1 order by created_at limit $2
    ) o
    where r.partner_id = o.partner_id and r.actor_id = o.actor_id and r.key = o.key
    returning 1
  )
  select count(*)::int as count from old`);

/** Forgets the replies of requests that nobody repeats any more. */
export async function dropOldReplies(db: Database, now: Date): Promise<number> {
  const before = new Date((await earlierTime(db, now)).getTime() - KEEP_REPLIES_MS);
  let dropped = 0;
  for (let batch = BATCH; batch === BATCH; dropped += batch) {
    batch = (await db.query<{ count: number }>(repliesStatement, [before, BATCH]))[0]?.count ?? 0;
  }
  return dropped;
}

const waitShortly = statement("set local lock_timeout = '1s'");

/** A change of tables needs them for itself for a moment. Whoever comes meanwhile queues behind it, so it gives up soon. */
function changing(owner: Database, change: (tx: Queryable) => Promise<unknown>): Promise<unknown> {
  return owner.transaction(() => ({ open: (tx) => tx.query(waitShortly), run: change, close: () => [] }));
}

function startOfMonth(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1));
}
