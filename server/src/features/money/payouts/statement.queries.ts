import { notFound } from "../../../kernel/errors.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Statement, StatementPayout, StatementRow } from "./papers/index.ts";

type Head = Omit<Statement, "rows" | "statement_number" | "payout"> & { statement_seq: number; payout: StatementPayout };

const headStatement = statement(`
  select json_build_object('name', g.name) as programme, json_build_object('company', q.company, 'id', q.id) as partner, p.statement_seq,
    json_build_object('id', p.id, 'currency', p.currency, 'gross_cents', p.gross_cents, 'adjustments_cents', p.adjustments_cents,
      'carry_in_cents', p.carry_in_cents, 'net_cents', p.net_cents, 'count', p.commission_count, 'period_from', wire_time(p.period_from),
      'period_to', wire_time(p.period_to), 'cutoff', wire_time(p.period_to), 'scheduled_for', wire_time(p.scheduled_for),
      'status', p.status, 'paid_at', wire_time(p.paid_at), 'reference', p.reference, 'method_hint', a.hint) as payout
  from payouts p
    join partners q on q.id = p.partner_id
    join payout_attempts a on a.partner_id = $1 and a.payout_id = p.id and a.attempt = p.attempt
    cross join programme g
  where p.partner_id = $1 and p.id = $2`);

/** What stands at the top of a statement. */
export async function statementHead(db: Queryable, partner_id: string, id: string): Promise<Head> {
  return (await db.query<Head>(headStatement, [partner_id, id]))[0] ?? notFound(id);
}

const rowsStatement = statement(`
  select c.id as commission_id, c.accrued_at, c.kind, c.level, c.base_cents, c.rate_bps, i.amount_cents, c.reason_code,
    case when c.level = 0 then (select e.terms->>'plan' from earnings e
      where e.partner_id = $1 and e.deal_id = c.deal_id and e.round = c.round) end as plan,
    case when c.level = 0 then (select k.company from clients k where k.partner_id = $1 and k.id = c.client_id)
      else (select q.company from partners q where q.id = c.source_partner_id) end as client,
    case when c.level = 0 then (select x.external_id from charges x where x.partner_id = $1 and x.id = c.charge_id) end as charge
  from payout_items i join commissions c on c.partner_id = $1 and c.id = i.commission_id
  where i.partner_id = $1 and i.payout_id = $2 and i.commission_id > $3 order by i.commission_id limit $4`);

const BATCH = 500;

/** The commissions of a payout as its statement lists them, oldest first. An override names the sub-partner, and no sale of it. */
export async function* statementRows(db: Queryable, partner_id: string, payout_id: string): AsyncGenerator<StatementRow> {
  for (let after = ""; ; ) {
    const rows = await db.query<StatementRow>(rowsStatement, [partner_id, payout_id, after, BATCH]);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = last.commission_id;
  }
}
