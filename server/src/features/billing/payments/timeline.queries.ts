import { PREFIXES } from "../../../kernel/ids.ts";
import type { TenantScope } from "../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";

const ENTRY_JSON = `(select row_to_json(x)::text from (select c.id, wire_time(c.created_at) as at, 'payment' as type,
    'payments.receive' as action, json_build_object('type', 'payer', 'id', c.link_id, 'name', c.payer ->> 'name') as actor,
    c.contact_id as record_id, null as changes, null as note, null as message,
    json_build_object('payment_link_id', c.link_id, 'amount_cents', c.amount_cents, 'tip_cents', c.tip_cents,
      'refunded_cents', c.refunded_cents, 'currency', c.currency, 'status', c.status, 'receipt_number', c.receipt_number) as payment) x)`;

const beforeStatement = statement(`
  select c.id, ${ENTRY_JSON} as json
  from payments c
  where c.partner_id = $1 and ($3::text is null or c.id < $3)
    and c.contact_id = any ($2::text[] || array(
      select l.contact_id from leads l where l.partner_id = $1 and l.id = any ($2) and l.contact_id is not null))
  order by c.id desc limit $4`);

/** What some contacts, and those that some leads became, have paid before a moment, as entries of their timeline, newest first. */
export function paymentsOf(
  db: Queryable,
  { partner_id }: TenantScope,
  person_ids: readonly string[],
  before: string | null,
  limit: number,
): Promise<{ id: string; json: string }[]> {
  const values = [partner_id, person_ids, before === null ? null : `${PREFIXES.payment}_${before}`, limit];
  return db.query<{ id: string; json: string }>(beforeStatement, values);
}
