import { type Difference, verifyBook } from "../../src/features/money/charges/index.ts";
import { checkPayouts } from "../../src/features/money/payouts/index.ts";
import { checkPurchases } from "../../src/features/snapshots/marketplace/index.ts";
import type { TestDatabase } from "./database.ts";
import type { World } from "./world.ts";

/** Accounts that hold another amount than the commissions that stand in them. What was written off is no expense. */
const UNEQUAL_ACCOUNTS = `
  with rows as (
    select partner_id, currency, case status when 'paid' then 'cash' else status end as account, amount_cents
    from commissions where status <> 'void'
    union all
    select c.partner_id, c.currency, case r.reason_code when 'write_off' then 'written_off' when 'payout_returned' then 'cash' else 'expense' end, -c.amount_cents
    from commissions c join commissions r on r.partner_id = c.partner_id and r.id = coalesce(c.root_id, c.id)
  ), posted as (
    select partner_id, currency, debit as account, -amount_cents as amount_cents from ledger_transfers
    union all
    select partner_id, currency, credit, amount_cents from ledger_transfers
  ), summed as (
    select partner_id, currency, account, sum(amount_cents) as rows, 0 as ledger from rows group by 1, 2, 3
    union all
    select partner_id, currency, account, 0, sum(amount_cents) from posted group by 1, 2, 3
  )
  select 'account' as fault, partner_id, currency, account, sum(rows) as rows, sum(ledger) as ledger
  from summed group by 2, 3, 4 having sum(rows) <> sum(ledger)`;

/** Roots whose rows do not stand together while no payout has claimed them, or that are void with an amount, or not void without one. */
const BROKEN_ROOTS = `
  select 'root' as fault, partner_id, coalesce(root_id, id) as id, sum(amount_cents) as amount_cents, array_agg(status) as statuses
  from commissions group by 2, 3
  having count(distinct status) filter (where status not in ('scheduled', 'paid')) > 1
    or (sum(amount_cents) = 0 and not bool_or(status in ('scheduled', 'paid'))) <> bool_or(status = 'void')
    or count(distinct currency) > 1 or count(distinct hold_until) filter (where status = 'pending') > 1`;

/** Commissions that were not told exactly once, and what was told without a commission. */
const UNTOLD = `
  select 'event' as fault, partner_id, id, e.told from commissions c full join (
    select partner_id, subject as id, count(*) as told from event_feed where type = 'commission.accrued' group by 1, 2
  ) e using (partner_id, id)
  where c.id is null or e.told is distinct from 1`;

/** Transfers out of order, with a gap before them, or with other balances than the transfers up to them. */
const BROKEN_TRANSFERS = `
  with sides as (
    select partner_id, seq, currency, debit as account, -amount_cents as amount_cents, debit_after as after from ledger_transfers
    union all
    select partner_id, seq, currency, credit, amount_cents, credit_after from ledger_transfers
  ), running as (
    select *, sum(amount_cents) over (partition by partner_id, currency, account order by seq) as balance from sides
  ), numbered as (
    select *, row_number() over w as place, lag(at) over w as previous from ledger_transfers window w as (partition by partner_id order by seq)
  )
  select 'balance' as fault, partner_id, seq from running where balance <> after
  union all
  select 'sequence', partner_id, seq from numbered where seq <> place or at < previous`;

/** Commissions whose last transfer did not go where they stand, and transfers without one. */
const MISPLACED = `
  select 'transfer' as fault, partner_id, c.id, c.status, t.account from commissions c full join (
    select distinct on (t.partner_id, t.commission_id) t.partner_id, t.commission_id,
      case when c.amount_cents > 0 then t.credit else t.debit end as account
    from ledger_transfers t join commissions c on c.partner_id = t.partner_id and c.id = t.commission_id
    order by t.partner_id, t.commission_id, t.seq desc
  ) t using (partner_id)
  where t.commission_id = c.id and c.status <> 'void'
    and case when c.status in ('scheduled', 'paid') then 'approved' else c.status end <> t.account
  union all
  select 'untransferred', c.partner_id, c.id, c.status, null from commissions c
  where not exists (select 1 from ledger_transfers t where t.partner_id = c.partner_id and t.commission_id = c.id)`;

/** Payouts whose commissions do not sum to them, whose transfers do not lead where they stand, or whose statements have a gap. */
const BROKEN_PAYOUTS = `
  with items as (select partner_id, payout_id, sum(amount_cents) as sum, count(*) as count from payout_items group by 1, 2),
  moved as (
    select distinct on (partner_id, payout_id) partner_id, payout_id, credit from ledger_transfers
    where payout_id is not null order by partner_id, payout_id, seq desc
  )
  select 'items' as fault, p.partner_id, p.id from payouts p left join items i on i.partner_id = p.partner_id and i.payout_id = p.id
  where i.sum is distinct from p.net_cents or i.count <> p.commission_count
  union all
  select 'claimed', p.partner_id, p.id from payouts p
  where p.status <> 'cancelled' and exists (
    select 1 from payout_items i join commissions c on c.partner_id = i.partner_id and c.id = i.commission_id
    where i.partner_id = p.partner_id and i.payout_id = p.id
      and (c.payout_id is distinct from p.id or c.amount_cents <> i.amount_cents
        or c.status <> case when p.status = 'paid' then 'paid' else 'scheduled' end))
  union all
  select 'unclaimed', c.partner_id, c.id from commissions c
  where (c.payout_id is not null) <> (c.status in ('scheduled', 'paid')) or (c.payout_id is not null and not exists (
    select 1 from payout_items i where i.partner_id = c.partner_id and i.payout_id = c.payout_id and i.commission_id = c.id))
  union all
  select 'twice', i.partner_id, i.commission_id from payout_items i join payouts p on p.partner_id = i.partner_id and p.id = i.payout_id
  where p.status <> 'cancelled' group by 2, 3 having count(*) > 1
  union all
  select 'transfers', t.partner_id, t.payout_id from ledger_transfers t join payouts p on p.partner_id = t.partner_id and p.id = t.payout_id
  group by 2, 3, p.net_cents, p.status
  having count(*) <> case when p.status in ('paid', 'cancelled') then 2 else 1 end or bool_or(t.amount_cents <> p.net_cents)
  union all
  select 'moved', p.partner_id, p.id from payouts p left join moved m on m.partner_id = p.partner_id and m.payout_id = p.id
  where m.credit is distinct from case p.status when 'paid' then 'cash' when 'cancelled' then 'approved' else 'scheduled' end
  union all
  select 'statements', b.partner_id, b.statement_seq::text from books b
  where b.statement_seq <> (select count(*) from payouts p where p.partner_id = b.partner_id)
    or b.statement_seq <> (select coalesce(max(p.statement_seq), 0) from payouts p where p.partner_id = b.partner_id)
  union all
  select 'told', p.partner_id, p.id from payouts p
  where (select count(*) from event_feed e where e.partner_id = p.partner_id and e.subject = p.id and e.type = 'payout.scheduled') <> p.attempt
    or (select count(*) from event_feed e where e.partner_id = p.partner_id and e.subject = p.id and e.type = 'payout.paid')
      <> (p.status = 'paid')::int`;

/** Charges that say something else was refunded than their refunds do. */
const MISREFUNDED = `
  select 'refund' as fault, c.partner_id, c.id, c.refunded_cents, r.sum from charges c left join lateral (
    select coalesce(sum(applied_cents), 0) as sum from refunds r where r.partner_id = c.partner_id and r.charge_id = c.id) r on true
  where c.refunded_cents <> r.sum`;

/** Roots of charges that were refunded whole, at any level, whose rows do not sum to zero. */
const LEFT_OF_REFUNDED = `
  with refunded as (select id, partner_id from charges where refunded_cents = amount_cents and amount_cents > 0),
  caused as (
    select c.partner_id, c.id from commissions c join refunded r on split_part(c.cause, ':', 2) = r.id where c.cause like 'charge:%'
    union all
    select c.partner_id, c.id from commissions c
    join earnings e on c.cause like 'win:' || e.deal_id || ':' || e.round || ':%'
    join refunded r on r.partner_id = e.partner_id and r.id = e.first_charge_id
  )
  select 'left of a refund' as fault, a.partner_id, a.id, sum(c.amount_cents) as amount_cents
  from caused a join commissions c on c.partner_id = a.partner_id and coalesce(c.root_id, c.id) = a.id
  group by 2, 3 having sum(c.amount_cents) <> 0`;

/** Rounds that were taken back, at any level, of which something is left; and charges that still say they earned for one. */
const LEFT_OF_REVERSED = `
  with roots as (
    select c.partner_id, c.id, e.deal_id from commissions c
    join earnings e on e.end_reason in ('reversed', 'voided')
      and (c.cause like 'win:' || e.deal_id || ':' || e.round || ':%' or c.cause like 'charge:%:' || e.deal_id || ':' || e.round || ':%')
  )
  select 'left of a sale' as fault, r.partner_id, r.id from roots r
  join commissions c on c.partner_id = r.partner_id and coalesce(c.root_id, c.id) = r.id
  group by 2, 3 having sum(c.amount_cents) <> 0
  union all
  select 'charge of a sale', c.partner_id, c.id from charges c
  join earnings e on e.partner_id = c.partner_id and e.deal_id = c.deal_id and e.round = c.round where e.end_reason in ('reversed', 'voided')`;

const CHECKS = [
  BROKEN_PAYOUTS,
  UNEQUAL_ACCOUNTS,
  BROKEN_ROOTS,
  UNTOLD,
  BROKEN_TRANSFERS,
  MISPLACED,
  MISREFUNDED,
  LEFT_OF_REFUNDED,
  LEFT_OF_REVERSED,
];

/** Whatever in the books contradicts itself, in SQL of its own. Empty when everything owed is there once. */
export async function brokenBooks(sql: TestDatabase["sql"]): Promise<object[]> {
  return (await Promise.all(CHECKS.map((text) => sql(text)))).flat();
}

/** What `tributary ledger verify` finds in the books of some partners. */
export async function verifyLedger({ app }: World, partners: readonly { partner_id: string }[]): Promise<Difference[]> {
  const found: Difference[] = [];
  for (const { partner_id } of partners)
    found.push(...(await verifyBook(app.services.db, partner_id, [checkPayouts, checkPurchases])).differences);
  return found;
}
