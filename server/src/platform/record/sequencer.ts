import type { Database } from "../db/database.ts";
import { pollStatement, type Queryable, statement } from "../db/statement.ts";
import { orderForFeed, type PendingEntry } from "./feed-order.ts";

/** So many pending entries are read at once. */
export const BATCH = 2_000;

/** A feed: the kind of its ids, the table of positions, and the table with the last position of each partner. */
export type Feed = ReturnType<typeof feedOf>;

/** `order` is the column of the index of pending entries: their ids, or those of their transactions. Either is in the order of time. */
function feedOf(kind: "event" | "change", table: string, heads: string, order: string) {
  const id = `${kind}_id`;
  const pending = `select ${id} as id, subject, subject_version, transaction_id, ordinal from ${table} where partner_id = $1 and seq is null`;
  return {
    kind,
    anyPending: statement(`select 1 from ${table} where partner_id = $1 and seq is null limit 1`),
    partnersPending: pollStatement(`
  -- all partners: every half second in each worker, and before retention
  select distinct partner_id from ${table} where seq is null order by partner_id limit $1`),
    ensureHead: statement(`insert into ${heads} (partner_id) values ($1) on conflict do nothing`),
    /** Only sequencers take this lock: writers never wait for it. */
    lockHead: statement(`select seq from ${heads} where partner_id = $1 for update`),
    oldestPending: statement(`${pending} order by ${order} limit $2`),
    /** Pending entries of some subjects and transactions. It reads all pending ones, so it is used only for a full batch. */
    relatedPending: statement(`${pending} and (subject = any ($2) or transaction_id = any ($3)) order by transaction_id`),
    setPositions: statement(`
  update ${table} f set seq = e.seq
  from unnest($2::text[], $3::bigint[]) as e (id, seq)
  where f.partner_id = $1 and f.${id} = e.id and f.seq is null`),
    advanceHead: statement(`update ${heads} set seq = $2 where partner_id = $1`),
    /** With whether anything is pending, in the same snapshot. */
    head: statement(`
  select coalesce(h.seq, 0) as seq, coalesce(h.trimmed_seq, 0) as trimmed_seq,
    exists (select from ${table} f where f.partner_id = $1 and f.seq is null) as pending
  from (values (1)) one left join ${heads} h on h.partner_id = $1`),
    /** The first entry from a position on. */
    entryFrom: statement(`
  select f.seq, f.${id} as id from ${table} f where f.partner_id = $1 and f.seq >= $2 order by f.seq limit 1`),
    partners: statement(`
  -- all partners: once a day, for retention
  select partner_id from ${heads} where partner_id > $1 order by partner_id limit 1000`),
    /** The oldest positions of old entries. One statement, so that a reader sees either an entry or the mark that it is deleted. */
    trim: statement(`
  with old as (
    select e.seq from (select f.seq, f.${id} as id from ${table} f where f.partner_id = $1 and f.seq is not null order by f.seq limit $3) e
    where e.id < $2
  ), deleted as (
    delete from ${table} f using old where f.partner_id = $1 and f.seq = old.seq returning f.seq
  ), mark as (
    update ${heads} h set trimmed_seq = greatest(h.trimmed_seq, g.seq)
    from (select max(seq) as seq from deleted) g
    where h.partner_id = $1 and g.seq is not null
  )
  select count(*)::int as count from deleted`),
  };
}

export const EVENT_FEED = feedOf("event", "event_feed", "feed_heads", "transaction_id");
export const CHANGE_FEED = feedOf("change", "change_feed", "change_heads", "change_id");

/**
 * Assigns feed positions to everything that a partner has committed. Returns how many. It ends with the first batch that is
 * not full: going on for newer commits would block a reader for as long as others write.
 */
export async function sequencePartner(db: Database, feed: Feed, partner_id: string): Promise<number> {
  if ((await db.byKey.query(feed.anyPending, [partner_id])).length === 0) return 0;
  let sequenced = 0;
  for (let batch = BATCH; batch >= BATCH; sequenced += batch) batch = await sequenceBatch(db, feed, partner_id);
  return sequenced;
}

/** Sequences every partner with pending entries whose feed nobody reads; readers sequence for themselves. */
export async function sequenceAll(db: Database, partners_max = 1_000): Promise<number> {
  let sequenced = 0;
  for (const feed of [EVENT_FEED, CHANGE_FEED]) {
    for (const { partner_id } of await db.query<{ partner_id: string }>(feed.partnersPending, [partners_max])) {
      sequenced += await sequencePartner(db, feed, partner_id);
    }
  }
  return sequenced;
}

function sequenceBatch(db: Database, feed: Feed, partner_id: string): Promise<number> {
  return db.transaction(() => {
    let batch: { events: PendingEntry[]; seq: number } = { events: [], seq: 0 };
    return {
      open: (tx) => tx.query(feed.ensureHead, [partner_id]),
      async run(tx) {
        batch = await readBatch(tx, feed, partner_id);
        return batch.events.length;
      },
      close() {
        const { events, seq } = batch;
        return [
          {
            statement: feed.setPositions,
            values: [partner_id, events.map(({ id }) => id), events.map((_, index) => seq + index + 1)],
          },
          { statement: feed.advanceHead, values: [partner_id, seq + events.length] },
        ];
      },
    };
  });
}

async function readBatch(tx: Queryable, feed: Feed, partner_id: string): Promise<{ events: PendingEntry[]; seq: number }> {
  const [[head], oldest] = await Promise.all([
    tx.query<{ seq: number }>(feed.lockHead, [partner_id]),
    tx.query<PendingEntry>(feed.oldestPending, [partner_id, BATCH]),
  ]);
  const events = oldest.length < BATCH ? oldest : await withPredecessors(tx, feed, partner_id, oldest);
  return { events: orderForFeed(events), seq: head?.seq ?? 0 };
}

/**
 * A full batch, with what must precede or accompany its events: earlier versions of the same subjects and the rest of the
 * same transactions. Without them a later change could get a position before an earlier one.
 */
async function withPredecessors(tx: Queryable, feed: Feed, partner_id: string, full: PendingEntry[]): Promise<PendingEntry[]> {
  const batch = new Map(full.map((event) => [event.id, event]));
  for (let size = 0; size < batch.size; ) {
    size = batch.size;
    const latest = new Map<string, number>();
    const transactions = new Set<string>();
    for (const { subject, subject_version, transaction_id } of batch.values()) {
      latest.set(subject, Math.max(subject_version, latest.get(subject) ?? 0));
      transactions.add(transaction_id);
    }
    for (const event of await tx.query<PendingEntry>(feed.relatedPending, [partner_id, [...latest.keys()], [...transactions]])) {
      const before = event.subject_version < (latest.get(event.subject) ?? 0);
      if (before || transactions.has(event.transaction_id)) batch.set(event.id, event);
    }
  }
  return [...batch.values()];
}
