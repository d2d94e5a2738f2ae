import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Status } from "./model.ts";

/** What a run with a cutoff claims. Every negative amount is due, so that it is set off as soon as possible. */
const CLAIMABLE = "(c.status = 'approved' and (c.hold_until <= $2 or c.amount_cents < 0))";
/** What it would claim: also what is approved by then. */
const DUE = `(${CLAIMABLE} or (c.status = 'pending' and c.hold_until <= $2))`;

/** What was due at the last run already. */
const CARRIED = "coalesce(c.hold_until <= $3::timestamptz and c.accrued_at <= $4::timestamptz, false)";

const SUMS = `c.currency, count(*)::int as count,
    coalesce(sum(c.amount_cents) filter (where ${CARRIED}), 0)::bigint as carry_in_cents,
    coalesce(sum(c.amount_cents) filter (where not ${CARRIED} and c.amount_cents > 0), 0)::bigint as gross_cents,
    coalesce(sum(c.amount_cents) filter (where not ${CARRIED} and c.amount_cents < 0), 0)::bigint as adjustments_cents,
    min(c.accrued_at) as first_at`;

/** What is due to a partner in one currency: what was carried over from the last run, and what has come since. */
export type Due = {
  currency: string;
  count: number;
  carry_in_cents: number;
  gross_cents: number;
  adjustments_cents: number;
  first_at: Date;
};

/** When the last run was made, and up to which time it looked. */
export type LastRun = { cutoff: Date; at: Date };

const ofPartner = (rows: string) =>
  statement(`select ${SUMS} from commissions c where c.partner_id = $1 and ${rows} group by c.currency order by c.currency`);
const dueStatement = ofPartner(DUE);
const claimableStatement = ofPartner(CLAIMABLE);

/** What is due to a partner by a time, by currency. */
export function dueOf(db: Queryable, partner_id: string, cutoff: Date, last: LastRun | null): Promise<Due[]> {
  return db.query<Due>(dueStatement, [partner_id, cutoff, last?.cutoff ?? null, last?.at ?? null]);
}

/** What can be claimed now of a locked book, by currency. */
export function claimableOf(tx: Queryable, partner_id: string, cutoff: Date, last: LastRun | null): Promise<Due[]> {
  return tx.query<Due>(claimableStatement, [partner_id, cutoff, last?.cutoff ?? null, last?.at ?? null]);
}

const allDueStatement = statement(`
  -- all partners: the preview of a payout run
  select c.partner_id, ${SUMS} from commissions c
  where c.partner_id > $1 and ${DUE} group by c.partner_id, c.currency order by c.partner_id, c.currency`);

/** What is due to all partners by a time, by currency. */
export function dueOfAll(db: Queryable, cutoff: Date, last: LastRun | null): Promise<(Due & { partner_id: string })[]> {
  return db.query<Due & { partner_id: string }>(allDueStatement, ["", cutoff, last?.cutoff ?? null, last?.at ?? null]);
}

const exists = (condition: string) =>
  `exists (select 1 from commissions c where c.partner_id = b.partner_id and c.status = ${condition})`;
const PENDING = exists("'pending' and c.hold_until <= $2");
const PAYABLE = `(${exists("'approved'")} or ${PENDING})`;

const payableStatement = statement(`
  -- all partners: the step of a payout run
  select b.partner_id, ${PENDING} as pending from books b where b.partner_id > $1 and ${PAYABLE} order by b.partner_id limit $3`);

/** The next partners with something due, and whether some of it waits for its approval. */
export function payablePartners(db: Queryable, after: string, cutoff: Date, limit: number) {
  return db.query<{ partner_id: string; pending: boolean }>(payableStatement, [after, cutoff, limit]);
}

const payableCountStatement = statement(`
  -- all partners: the start of a payout run
  select count(*)::int as count from books b where b.partner_id > $1 and ${PAYABLE}`);

export async function countPayable(db: Queryable, cutoff: Date): Promise<number> {
  return (await db.query<{ count: number }>(payableCountStatement, ["", cutoff]))[0]?.count ?? 0;
}

const waitingStatement = statement(`
  select c.currency,
    coalesce(sum(c.amount_cents) filter (where c.hold_until is null), 0)::bigint as awaiting_cents,
    coalesce(sum(c.amount_cents) filter (where c.hold_until > $2), 0)::bigint as in_hold_cents,
    min(c.hold_until) filter (where c.hold_until > $2) as in_hold_until
  from commissions c where c.partner_id = $1 and c.status = 'pending' group by c.currency`);

/** What is pending after a time: until the client has paid, or until the hold is over. */
export type Waiting = { currency: string; awaiting_cents: number; in_hold_cents: number; in_hold_until: Date | null };

export function waitingAfter(db: Queryable, partner_id: string, cutoff: Date): Promise<Waiting[]> {
  return db.query<Waiting>(waitingStatement, [partner_id, cutoff]);
}

export type Claimed = { id: string; version: number; amount_cents: number };

const claimStatement = statement(`
  update commissions c set status = 'scheduled', payout_id = $4, version = c.version + 1
  where c.partner_id = $1 and c.status = 'approved' and c.currency = $2 and (c.hold_until <= $3 or c.amount_cents < 0)
  returning c.id, c.version, c.amount_cents`);

/** Claims what is due in one currency of a locked book. */
export function claimDue(tx: Queryable, partner_id: string, currency: string, cutoff: Date, payout_id: string) {
  return tx.query<Claimed>(claimStatement, [partner_id, currency, cutoff, payout_id]);
}

const itemsStatement = statement(`
  insert into payout_items (partner_id, payout_id, commission_id, amount_cents)
  select c.partner_id, c.payout_id, c.id, c.amount_cents from commissions c where c.partner_id = $1 and c.payout_id = $2`);

/** Keeps what a payout has claimed. */
export async function insertItems(tx: Queryable, partner_id: string, payout_id: string): Promise<void> {
  await tx.query(itemsStatement, [partner_id, payout_id]);
}

const payStatement = statement(`
  update commissions c set status = 'paid', version = c.version + 1 where c.partner_id = $1 and c.payout_id = $2
  returning c.id, c.version, c.amount_cents`);

export function payClaimed(tx: Queryable, partner_id: string, payout_id: string): Promise<Claimed[]> {
  return tx.query<Claimed>(payStatement, [partner_id, payout_id]);
}

const rootsStatement = statement(`
  select distinct coalesce(c.root_id, c.id) as id from commissions c where c.partner_id = $1 and c.payout_id = $2`);

/** The roots of what a payout has claimed. */
export async function claimedRoots(tx: Queryable, partner_id: string, payout_id: string): Promise<string[]> {
  return (await tx.query<{ id: string }>(rootsStatement, [partner_id, payout_id])).map(({ id }) => id);
}

export type ClaimedStatus = Extract<Status, "scheduled" | "paid">;
