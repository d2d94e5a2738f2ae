import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { PastCharge } from "./model.ts";

/** What the seller earned by the charge `c` for the sale `e`: each root that it caused, or settled, with the rows that name it. */
const earned = (partner: string) => `(
    select coalesce(sum(m.amount_cents), 0)::bigint
    from commissions r
      join commissions m on m.partner_id = ${partner} and m.deal_id = e.deal_id and coalesce(m.root_id, m.id) = r.id
    where r.partner_id = ${partner} and r.cause in (
      'charge:' || c.id || ':' || e.deal_id || ':' || e.round || ':first:0',
      'charge:' || c.id || ':' || e.deal_id || ':' || e.round || ':recurring:0',
      case when e.first_charge_id = c.id then 'win:' || e.deal_id || ':' || e.round || ':0' end))`;

const COLUMNS = `c.partner_id, c.id, c.client_id, k.company as client_company, c.deal_id, c.amount_cents, c.currency, c.months, c.plan, c.charged_at,
    c.refunded_cents, e.terms, e.grade, e.link_id, e.mrr_cents, e.currency as sale_currency, e.window_until, e.first_charge_id, f.charged_at as first_charged_at`;

const past = (partner: string) => `
  select ${COLUMNS}, ${earned(partner)} as earned_cents
  from charges c
    join earnings e on e.partner_id = ${partner} and e.deal_id = c.deal_id and e.round = c.round
    join clients k on k.partner_id = ${partner} and k.id = c.client_id
    left join charges f on f.partner_id = ${partner} and f.id = e.first_charge_id
  where c.charged_at >= $1 and c.charged_at < $2`;

const ofPartner = statement(`${past("$4")} and c.partner_id = $4 order by c.charged_at desc, c.id desc limit $3`);
const ofAll = statement(`${past("c.partner_id")} order by c.charged_at desc, c.id desc limit $3`);

/** The charges of a partner, or of all for the operator, that earned for a sale within a time, newest first. */
export function pastCharges(
  db: Queryable,
  partner_id: string | null,
  from: Date,
  to: Date,
  limit: number,
): Promise<PastCharge[]> {
  if (partner_id === null) return db.query<PastCharge>(ofAll, [from, to, limit]);
  return db.query<PastCharge>(ofPartner, [from, to, limit, partner_id]);
}
