import { firstIdAtTime } from "../../../kernel/ids.ts";
import type { Place } from "../../../platform/db/keyset.ts";
import { composedStatement, type Queryable } from "../../../platform/db/statement.ts";
import type { Grouping } from "./list.schema.ts";

/** Documented as the limit of a reply. */
const ROWS_MAX = 1_000;

/** The key of a row and its name, for each grouping, and which commissions it covers. */
const GROUPS: Record<Grouping, { key: string; name: string; of: string; order: string }> = {
  month: { key: "m.key", name: "null", of: "true", order: "g.key" },
  client: {
    key: "case when c.level = 0 then c.client_id end",
    name: "(select k.company from clients k where k.partner_id = $1 and k.id = g.key)",
    of: "true",
    order: "g.amount_cents desc, g.key",
  },
  kind: { key: "c.kind", name: "null", of: "true", order: "g.amount_cents desc, g.key" },
  sub_partner: {
    key: "c.source_partner_id",
    name: "(select p.company from partners p where p.id = g.key)",
    of: "c.source_partner_id is not null",
    order: "g.amount_cents desc, g.key",
  },
};

export type SummaryFilter = { currency: string | undefined; accrued_after: string; accrued_before: string };

/** Amounts of the commissions of a partner within a range of time, grouped, as the JSON of the reply. */
export async function commissionSummary(
  db: Queryable,
  partner_id: string,
  grouping: Grouping,
  { currency, accrued_after, accrued_before }: SummaryFilter,
): Promise<string> {
  const ranges =
    grouping === "month" ? monthsOf(accrued_after, accrued_before) : [{ key: "", from: accrued_after, to: accrued_before }];
  const idAt = (time: string) => firstIdAtTime("commission", time);
  const values: unknown[] = [
    partner_id,
    ranges.map(({ key }) => key),
    ranges.map(({ from }) => idAt(from)),
    ranges.map(({ to }) => idAt(to)),
    accrued_after,
    accrued_before,
  ];
  const place: Place = (value) => `$${values.push(value)}`;
  const { key, name, of, order } = GROUPS[grouping];
  const [row] = await db.query<{ json: string }>(
    composedStatement(`
  with grouped as (
    select g.* from unnest($2::text[], $3::text[], $4::text[]) as m (key, first_id, end_id) cross join lateral (
      select ${key} as key, c.currency, count(*)::int as count, sum(c.amount_cents)::bigint as amount_cents
      from commissions c
      where c.partner_id = $1 and c.id >= m.first_id and c.id < m.end_id
        and ${of}${currency === undefined ? "" : ` and c.currency = ${place(currency)}`}
      group by 1, 2) g
  ),
  placed as (select g.*, row_number() over (order by ${order}, g.currency) as place from grouped g)
  select json_build_object('group_by', '${grouping}', 'accrued_after', wire_time($5), 'accrued_before', wire_time($6),
    'data', coalesce((
      select json_agg(json_build_object('key', g.key, 'name', ${name}, 'currency', g.currency, 'count', g.count, 'amount_cents', g.amount_cents)
        order by g.place)
      from placed g where g.place <= ${ROWS_MAX}), '[]'),
    'truncated', (select count(*) > ${ROWS_MAX} from placed))::text as json`),
    values,
  );
  return row?.json ?? "";
}

type Range = { key: string; from: string; to: string };

/** The months in UTC that a range of time touches. Ids begin with the time, so that each month is a range of ids. */
function monthsOf(accrued_after: string, accrued_before: string): Range[] {
  const months: Range[] = [];
  for (let from = new Date(accrued_after); from < new Date(accrued_before); ) {
    const next = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1));
    const to = next < new Date(accrued_before) ? next.toISOString() : accrued_before;
    months.push({ key: from.toISOString().slice(0, 7), from: from.toISOString(), to });
    from = next;
  }
  return months;
}
