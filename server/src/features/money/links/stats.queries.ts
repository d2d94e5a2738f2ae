import type { TenantScope } from "../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";

/** Sales that were won; one that was reopened since is not, whether or not the operator had voided something of it. */
const EARNS = "coalesce(e.end_reason not in ('reversed', 'voided'), true)";

/** The totals of a link of the partner $1, as JSON. Each part is read by an index of its own. */
export const totalsJson = (link: string) => `(
    select json_build_object('clicks', d.clicks, 'unique', d.visitors, 'bots', d.bots, 'repeats', d.repeats,
      'leads', a.leads, 'deals', a.deals, 'won', e.won, 'commissions', coalesce(m.commissions, '[]'))
    from (
      select coalesce(sum(d.clicks), 0)::int as clicks, coalesce(sum(d.visitors), 0)::int as visitors,
        coalesce(sum(d.bots), 0)::int as bots, coalesce(sum(d.repeats), 0)::int as repeats
      from link_days d where d.partner_id = $1 and d.link_id = ${link}) d,
      (select count(*) filter (where a.kind = 'lead')::int as leads, count(*) filter (where a.kind = 'deal')::int as deals
      from attributions a where a.partner_id = $1 and a.link_id = ${link}) a,
      (select count(*)::int as won from earnings e where e.partner_id = $1 and e.link_id = ${link} and ${EARNS}) e,
      (select json_agg(json_build_object('currency', s.currency, 'amount_cents', s.amount_cents) order by s.currency) as commissions
      from (
        select m.currency, sum(m.amount_cents)::bigint as amount_cents
        from earnings e join commissions m on m.partner_id = $1 and m.deal_id = e.deal_id and m.round = e.round
        where e.partner_id = $1 and e.link_id = ${link} and m.level = 0
        group by m.currency) s) m)`;

const DAY_OF = (time: string) => `(${time} at time zone 'UTC')::date`;
const WITHIN = (time: string) =>
  `${time} >= $3::date::timestamp at time zone 'UTC' and ${time} < ($4::date + 1)::timestamp at time zone 'UTC'`;

const statsStatement = statement(`
  with a as (
    select ${DAY_OF("a.created_at")} as day, count(*) filter (where a.kind = 'lead')::int as leads,
      count(*) filter (where a.kind = 'deal')::int as deals
    from attributions a where a.partner_id = $1 and a.link_id = $2 and ${WITHIN("a.created_at")} group by 1
  ),
  e as (
    select ${DAY_OF("e.opened_at")} as day, count(*)::int as won
    from earnings e where e.partner_id = $1 and e.link_id = $2 and ${EARNS} and ${WITHIN("e.opened_at")} group by 1
  ),
  m as (
    select ${DAY_OF("m.accrued_at")} as day, m.currency, sum(m.amount_cents)::bigint as amount_cents
    from earnings e join commissions m on m.partner_id = $1 and m.deal_id = e.deal_id and m.round = e.round
    where e.partner_id = $1 and e.link_id = $2 and m.level = 0 and ${WITHIN("m.accrued_at")} group by 1, 2
  )
  select to_char(s.day, 'YYYY-MM-DD') as day, coalesce(d.clicks, 0) as clicks, coalesce(d.visitors, 0) as unique,
    coalesce(d.bots, 0) as bots, coalesce(d.repeats, 0) as repeats, coalesce(a.leads, 0) as leads, coalesce(a.deals, 0) as deals,
    coalesce(e.won, 0) as won, coalesce((
      select json_agg(json_build_object('currency', m.currency, 'amount_cents', m.amount_cents) order by m.currency)
      from m where m.day = s.day), '[]') as commissions
  from (select g::date as day from generate_series($3::date::timestamp, $4::date::timestamp, interval '1 day') g) s
    left join link_days d on d.partner_id = $1 and d.link_id = $2 and d.day = s.day
    left join a on a.day = s.day left join e on e.day = s.day
  order by s.day`);

export type LinkDay = {
  day: string;
  clicks: number;
  unique: number;
  bots: number;
  repeats: number;
  leads: number;
  deals: number;
  won: number;
  commissions: { currency: string; amount_cents: number }[];
};

/** What happened to a link on each day of a range. */
export function linkDays(db: Queryable, { partner_id }: TenantScope, id: string, from: string, to: string): Promise<LinkDay[]> {
  return db.query<LinkDay>(statsStatement, [partner_id, id, from, to]);
}
