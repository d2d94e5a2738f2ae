import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Item, PaidPayout, PayoutTransfer } from "./model.ts";

const payoutsStatement = statement(`
  select p.id, p.currency, p.statement_seq, p.net_cents, p.commission_count, p.status from payouts p
  where p.partner_id = $1 order by p.statement_seq`);

/** The payouts of a book, in the order of their statements. */
export function payoutsOf(tx: Queryable, partner_id: string): Promise<PaidPayout[]> {
  return tx.query<PaidPayout>(payoutsStatement, [partner_id]);
}

const seqStatement = statement("select b.statement_seq from books b where b.partner_id = $1");

/** The number of the last statement of a book. */
export async function lastStatement(tx: Queryable, partner_id: string): Promise<number> {
  return (await tx.query<{ statement_seq: number }>(seqStatement, [partner_id]))[0]?.statement_seq ?? 0;
}

const itemsStatement = statement(`
  select i.payout_id, i.commission_id, i.amount_cents, c.amount_cents as commission_cents, c.currency, c.status, c.payout_id as claimed_by
  from payout_items i join commissions c on c.partner_id = $1 and c.id = i.commission_id
  where i.partner_id = $1 and i.payout_id = $2 order by i.commission_id`);

/** What a payout contains, and how each commission stands now. */
export function itemsOf(tx: Queryable, partner_id: string, payout_id: string): Promise<Item[]> {
  return tx.query<Item>(itemsStatement, [partner_id, payout_id]);
}

const unlistedStatement = statement(`
  select c.id, c.payout_id from commissions c
  where c.partner_id = $1 and (c.payout_id is not null or c.status in ('scheduled', 'paid')) and not exists (
    select 1 from payout_items i where i.partner_id = $1 and i.commission_id = c.id and i.payout_id = c.payout_id)
  order by c.id`);

/** Commissions that are claimed without a payout that contains them. */
export function unlisted(tx: Queryable, partner_id: string): Promise<{ id: string; payout_id: string | null }[]> {
  return tx.query<{ id: string; payout_id: string | null }>(unlistedStatement, [partner_id]);
}

const transfersStatement = statement(`
  select t.payout_id, t.debit, t.credit, t.currency, t.amount_cents from ledger_transfers t
  where t.partner_id = $1 and t.payout_id is not null order by t.seq`);

/** The transfers of payouts, in their order. */
export function payoutTransfers(tx: Queryable, partner_id: string): Promise<PayoutTransfer[]> {
  return tx.query<PayoutTransfer>(transfersStatement, [partner_id]);
}
