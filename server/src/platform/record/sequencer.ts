import type { Database } from "../db/database.ts";
import { type Queryable, statement } from "../db/statement.ts";
import { orderForFeed, type WaitingEvent } from "./feed-order.ts";

const BATCH = 2_000;

const anyWaiting = statement("select 1 from event_feed where partner_id = $1 and seq is null limit 1");

const partnersWaiting = statement(`
  with recursive waiting as (
    (select partner_id from event_feed where seq is null order by partner_id limit 1)
    union all
    select (select f.partner_id from event_feed f where f.seq is null and f.partner_id > w.partner_id order by f.partner_id limit 1)
    from waiting w where w.partner_id is not null
  )
  select partner_id from waiting where partner_id is not null limit $1`);

const ensureHead = statement("insert into feed_heads (partner_id) values ($1) on conflict do nothing");

/** Only sequencers take this lock: writers never wait for it. */
const lockHead = statement("select seq from feed_heads where partner_id = $1 for update");

const oldestWaiting = statement(`
  select event_id, subject, subject_version, transaction_id, ordinal
  from event_feed where partner_id = $1 and seq is null
  order by transaction_id limit $2`);

/** Waiting events of some subjects and transactions. It reads all that wait, which is why it is asked only when there are many. */
const relatedWaiting = statement(`
  select event_id, subject, subject_version, transaction_id, ordinal
  from event_feed where partner_id = $1 and seq is null and (subject = any ($2) or transaction_id = any ($3))
  order by transaction_id`);

const placeEvents = statement(`
  update event_feed f set seq = e.seq
  from unnest($2::text[], $3::bigint[]) as e (event_id, seq)
  where f.partner_id = $1 and f.event_id = e.event_id`);

const advanceHead = statement("update feed_heads set seq = $2 where partner_id = $1");

/**
 * Gives every event of a partner that has committed by now its place in the feed. Returns how many it placed. A batch
 * that is not full took all there was: going on for what came meanwhile would hold a reader for as long as others write.
 */
export async function sequencePartner(db: Database, partner_id: string): Promise<number> {
  if ((await db.byKey.query(anyWaiting, [partner_id])).length === 0) return 0;
  let placed = 0;
  for (let batch = BATCH; batch >= BATCH; placed += batch) batch = await sequenceBatch(db, partner_id);
  return placed;
}

/** The same for every partner that has waiting events: the net behind the sequencing that reads do. */
export async function sequenceAll(db: Database, partners_max = 1_000): Promise<number> {
  let placed = 0;
  for (const { partner_id } of await db.query<{ partner_id: string }>(partnersWaiting, [partners_max])) {
    placed += await sequencePartner(db, partner_id);
  }
  return placed;
}

function sequenceBatch(db: Database, partner_id: string): Promise<number> {
  return db.transaction(() => {
    let queries: { events: WaitingEvent[]; seq: number } = { events: [], seq: 0 };
    return {
      open: (tx) => tx.query(ensureHead, [partner_id]),
      async run(tx) {
        queries = await readBatch(tx, partner_id);
        return queries.events.length;
      },
      close() {
        const { events, seq } = queries;
        return [
          {
            statement: placeEvents,
            values: [partner_id, events.map(({ event_id }) => event_id), events.map((_, index) => seq + index + 1)],
          },
          { statement: advanceHead, values: [partner_id, seq + events.length] },
        ];
      },
    };
  });
}

async function readBatch(tx: Queryable, partner_id: string): Promise<{ events: WaitingEvent[]; seq: number }> {
  const [[head], oldest] = await Promise.all([
    tx.query<{ seq: number }>(lockHead, [partner_id]),
    tx.query<WaitingEvent>(oldestWaiting, [partner_id, BATCH]),
  ]);
  const events = oldest.length < BATCH ? oldest : await withPredecessors(tx, partner_id, oldest);
  return { events: orderForFeed(events), seq: head?.seq ?? 0 };
}

/**
 * A batch that is cut off, with whatever must stand before or beside its events: earlier versions of the same subjects
 * and the rest of the same transactions. Without them it could place a later change before an earlier one.
 */
async function withPredecessors(tx: Queryable, partner_id: string, cut: WaitingEvent[]): Promise<WaitingEvent[]> {
  const batch = new Map(cut.map((event) => [event.event_id, event]));
  for (let size = 0; size < batch.size; ) {
    size = batch.size;
    const latest = new Map<string, number>();
    const transactions = new Set<string>();
    for (const { subject, subject_version, transaction_id } of batch.values()) {
      latest.set(subject, Math.max(subject_version, latest.get(subject) ?? 0));
      transactions.add(transaction_id);
    }
    for (const event of await tx.query<WaitingEvent>(relatedWaiting, [partner_id, [...latest.keys()], [...transactions]])) {
      const before = event.subject_version < (latest.get(event.subject) ?? 0);
      if (before || transactions.has(event.transaction_id)) batch.set(event.event_id, event);
    }
  }
  return [...batch.values()];
}
