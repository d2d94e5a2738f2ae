import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Accrued, Sold } from "./verify.model.ts";

const soldStatement = statement(`
  select u.id, u.price_cents, u.currency, u.share_bps, u.seller_share_cents, u.commission_id from snapshot_purchases u
  where u.partner_id = $1 and u.role = 'seller' and u.status = 'completed' order by u.id`);

/** The completed sales of a partner. */
export function soldBy(tx: Queryable, partner_id: string): Promise<Sold[]> {
  return tx.query<Sold>(soldStatement, [partner_id]);
}

const accruedStatement = statement(`
  select c.id, c.cause, c.base_cents, c.rate_bps, c.amount_cents, c.currency from commissions c
  where c.partner_id = $1 and c.kind = 'marketplace' order by c.id`);

/** The commissions of a partner by sales of snapshots. */
export function accruedBy(tx: Queryable, partner_id: string): Promise<Accrued[]> {
  return tx.query<Accrued>(accruedStatement, [partner_id]);
}
