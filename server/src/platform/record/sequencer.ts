import type { Database } from "../db/database.ts";
import { type Queryable, statement } from "../db/statement.ts";
import { orderForFeed, type Waiting } from "./feed-order.ts";

const BATCH = 2_000;

/** A feed: the table that has the places, the column with the ids in it, and the table of the last places given. */
export type Feed = ReturnType<typeof feedOf>;

function feedOf(table: string, id: string, heads: string) {
  const waiting = `select ${id} as id, subject, subject_version, transaction_id, ordinal from ${table} where partner_id = $1 and seq is null`;
  return {
    anyWaiting: statement(`select 1 from ${table} where partner_id = $1 and seq is null limit 1`),
    partnersWaiting: statement(`
  with recursive waiting as (
    (select partner_id from ${table} where seq is null order by partner_id limit 1)
    union all
    select (select f.partner_id from ${table} f where f.seq is null and f.partner_id > w.partner_id order by f.partner_id limit 1)
    from waiting w where w.partner_id is not null
  )
  select partner_id from waiting where partner_id is not null limit $1`),
    ensureHead: statement(`insert into ${heads} (partner_id) values ($1) on conflict do nothing`),
    /** Only sequencers take this lock: writers never wait for it. */
    lockHead: statement(`select seq from ${heads} where partner_id = $1 for update`),
    oldestWaiting: statement(`${waiting} order by transaction_id limit $2`),
    /** What waits of some subjects and transactions. It reads all that wait, which is why it is asked only when there is much. */
    relatedWaiting: statement(`${waiting} and (subject = any ($2) or transaction_id = any ($3)) order by transaction_id`),
    place: statement(`
  update ${table} f set seq = e.seq
  from unnest($2::text[], $3::bigint[]) as e (id, seq)
  where f.partner_id = $1 and f.${id} = e.id`),
    advanceHead: statement(`update ${heads} set seq = $2 where partner_id = $1`),
    /** With whether anything waits for its place, as of the same moment. */
    head: statement(`
  select coalesce(h.seq, 0) as seq, coalesce(h.trimmed_seq, 0) as trimmed_seq,
    exists (select from ${table} f where f.partner_id = $1 and f.seq is null) as waiting
  from (values ($1::text)) p (id) left join ${heads} h on h.partner_id = p.id`),
    partners: statement(`select partner_id from ${heads} where partner_id > $1 order by partner_id limit 1000`),
    /** One statement, so that a reader sees a thing in its place, or the mark that it is gone, and never neither. */
    trim: statement(`
  with old as (
    select ${id} as id from ${table} where partner_id = $1 and ${id} < $2 and seq is not null order by ${id} limit $3
  ), gone as (
    delete from ${table} f using old where f.partner_id = $1 and f.${id} = old.id returning f.seq
  )
  update ${heads} h set trimmed_seq = greatest(h.trimmed_seq, (select max(seq) from gone))
  where h.partner_id = $1 and exists (select from gone)
  returning (select count(*)::int from gone) as count`),
  };
}

export const EVENT_FEED = feedOf("event_feed", "event_id", "feed_heads");
export const CHANGE_FEED = feedOf("change_feed", "change_id", "change_heads");

/**
 * Gives everything of a partner that has committed by now its place in the feed. Returns how many it placed. A batch
 * that is not full took all there was: going on for what came meanwhile would hold a reader for as long as others write.
 */
export async function sequencePartner(db: Database, feed: Feed, partner_id: string): Promise<number> {
  if ((await db.byKey.query(feed.anyWaiting, [partner_id])).length === 0) return 0;
  let placed = 0;
  for (let batch = BATCH; batch >= BATCH; placed += batch) batch = await sequenceBatch(db, feed, partner_id);
  return placed;
}

/** The same for every partner that has something waiting: the net behind the sequencing that reads do. */
export async function sequenceAll(db: Database, partners_max = 1_000): Promise<number> {
  let placed = 0;
  for (const feed of [EVENT_FEED, CHANGE_FEED]) {
    for (const { partner_id } of await db.query<{ partner_id: string }>(feed.partnersWaiting, [partners_max])) {
      placed += await sequencePartner(db, feed, partner_id);
    }
  }
  return placed;
}

function sequenceBatch(db: Database, feed: Feed, partner_id: string): Promise<number> {
  return db.transaction(() => {
    let queries: { events: Waiting[]; seq: number } = { events: [], seq: 0 };
    return {
      open: (tx) => tx.query(feed.ensureHead, [partner_id]),
      async run(tx) {
        queries = await readBatch(tx, feed, partner_id);
        return queries.events.length;
      },
      close() {
        const { events, seq } = queries;
        return [
          {
            statement: feed.place,
            values: [partner_id, events.map(({ id }) => id), events.map((_, index) => seq + index + 1)],
          },
          { statement: feed.advanceHead, values: [partner_id, seq + events.length] },
        ];
      },
    };
  });
}

async function readBatch(tx: Queryable, feed: Feed, partner_id: string): Promise<{ events: Waiting[]; seq: number }> {
  const [[head], oldest] = await Promise.all([
    tx.query<{ seq: number }>(feed.lockHead, [partner_id]),
    tx.query<Waiting>(feed.oldestWaiting, [partner_id, BATCH]),
  ]);
  const events = oldest.length < BATCH ? oldest : await withPredecessors(tx, feed, partner_id, oldest);
  return { events: orderForFeed(events), seq: head?.seq ?? 0 };
}

/**
 * A batch that is cut off, with whatever must stand before or beside its events: earlier versions of the same subjects
 * and the rest of the same transactions. Without them it could place a later change before an earlier one.
 */
async function withPredecessors(tx: Queryable, feed: Feed, partner_id: string, cut: Waiting[]): Promise<Waiting[]> {
  const batch = new Map(cut.map((event) => [event.id, event]));
  for (let size = 0; size < batch.size; ) {
    size = batch.size;
    const latest = new Map<string, number>();
    const transactions = new Set<string>();
    for (const { subject, subject_version, transaction_id } of batch.values()) {
      latest.set(subject, Math.max(subject_version, latest.get(subject) ?? 0));
      transactions.add(transaction_id);
    }
    for (const event of await tx.query<Waiting>(feed.relatedWaiting, [partner_id, [...latest.keys()], [...transactions]])) {
      const before = event.subject_version < (latest.get(event.subject) ?? 0);
      if (before || transactions.has(event.transaction_id)) batch.set(event.id, event);
    }
  }
  return [...batch.values()];
}
