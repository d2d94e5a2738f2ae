import { requestedAccounts, type TenantScope } from "../../../kernel/principal.ts";
import { anyOf, createdWithin, type Place } from "../../../platform/db/keyset.ts";
import { composedStatement, type Queryable } from "../../../platform/db/statement.ts";
import { dealValue } from "../deals/index.ts";
import type { Grouping, MetricsQuery } from "./schema.ts";

/** Documented as the limit of a reply. */
const ROWS_MAX = 1_000;

/** The key of a row and its name, for each grouping. Months are in UTC. */
const GROUPS: Record<Grouping, { key: string; name: string }> = {
  stage: { key: "d.stage_id", name: "(select s.name from stages s where s.partner_id = $1 and s.id = r.key)" },
  month: { key: "d.month", name: "null" },
  client: { key: "d.client", name: "(select k.company from clients k where k.partner_id = $1 and k.id = r.key)" },
  owner: { key: "d.owner_id", name: "(select u.name from users u where u.partner_id = $1 and u.id = r.key)" },
};

const FIGURES = `
  sum(d.created)::int as count,
  sum(d.closing) filter (where d.status = 'won')::int as won,
  sum(d.closing) filter (where d.status = 'lost')::int as lost,
  sum(d.created) filter (where d.status = 'open')::int as open,
  avg(d.days_to_win) filter (where d.closing = 1 and d.status = 'won') as days`;

/** The JSON members of a row with figures. */
const figuresOf = (row: string) => `
  'count', coalesce(${row}.count, 0), 'open', coalesce(${row}.open, 0), 'won', coalesce(${row}.won, 0), 'lost', coalesce(${row}.lost, 0),
  'win_rate', round(coalesce(${row}.won, 0)::numeric / nullif(coalesce(${row}.won, 0) + coalesce(${row}.lost, 0), 0), 4),
  'average_days_to_win', round(${row}.days, 2)`;

/** The value by currency. The weighted value is rounded once, after it is summed. */
const SUMS = `
  d.currency,
  coalesce(sum(d.value * d.created) filter (where d.status = 'open'), 0) as open,
  coalesce(sum(d.value * d.created * d.probability) filter (where d.status = 'open'), 0) as weighted,
  coalesce(sum(d.value * d.closing) filter (where d.status = 'won'), 0) as won,
  coalesce(sum(d.value * d.closing) filter (where d.status = 'lost'), 0) as lost`;

const VALUES_JSON = `
  json_agg(json_build_object('currency', v.currency, 'open_cents', v.open, 'weighted_cents', round(v.weighted / 100), 'won_cents', v.won,
    'lost_cents', v.lost) order by v.currency)`;

/**
 * The entries that are counted: one for each deal, or by month one for the creation of the deal and one for its close, so that a win
 * counts in the month in which it happened.
 */
const entriesOf = (grouping: Grouping) =>
  grouping === "month"
    ? `select d.*, e.created, e.closing, to_char(e.at at time zone 'UTC', 'YYYY-MM') as month
       from selected d, lateral (values (1, 0, d.created_at), (0, 1, coalesce(d.won_at, d.lost_at))) e (created, closing, at) where e.at is not null`
    : "select d.*, 1 as created, 1 as closing, null as month from selected d";

/** How many deals entered each stage, and how many of those entered a later one afterwards. */
const STAGE_STATISTICS = `
  select s.id, s.pipeline_id, p.name as pipeline, p.account_id, k.company as account, s.type, s.position, not p.is_default as pipeline_position, s.archived or p.archived as archived,
    count(distinct i.deal_id)::int as entered,
    count(distinct i.deal_id) filter (where exists (
      select from deal_stages l join stages t on t.partner_id = $1 and t.id = l.stage_id
      where l.partner_id = $1 and l.deal_id = i.deal_id and l.ordinal > i.ordinal and t.pipeline_id = s.pipeline_id
        and (t.type = 'won' or t.type = 'open' and t.position > s.position)))::int as advanced,
    avg(extract(epoch from i.left_at - i.entered_at) / 86400) as days
  from stages s
  join pipelines p on p.partner_id = $1 and p.id = s.pipeline_id
  join clients k on k.partner_id = $1 and k.id = p.account_id
  left join (deal_stages i join selected d on i.partner_id = $1 and d.id = i.deal_id) on i.stage_id = s.id
  where s.partner_id = $1`;

/** The key of a row as a text that can be hashed: a deal without an owner has none, and `is not distinct from` is a loop over all pairs. */
const keyed = (row: string) => `coalesce(${row}.key, '')`;

/** The figures of the selected deals, as the JSON of the reply. */
export async function dealMetrics(db: Queryable, scope: TenantScope, grouping: Grouping, query: MetricsQuery): Promise<string> {
  const values: unknown[] = [scope.partner_id];
  const place: Place = (value) => `$${values.push(value)}`;
  const accounts = requestedAccounts(scope, query.account_id);
  const conditions = conditionsOf(query, accounts, place);
  const { key, name } = GROUPS[grouping];
  const [row] = await db.query<{ json: string }>(
    composedStatement(`
  with selected as materialized (
    select c.*, ${dealValue("c")} as value, s.probability, case when c.sale then c.client_id else c.account_id end as client,
      extract(epoch from c.won_at - c.created_at) / 86400 as days_to_win
    from deals c join stages s on s.partner_id = $1 and s.id = c.stage_id
    where ${["c.partner_id = $1", "c.deleted_at is null", ...conditions].join(" and ")}
  ),
  entries as materialized (${entriesOf(grouping)}),
  total as (select ${FIGURES} from entries d),
  total_value as (select ${VALUES_JSON} as json from (select ${SUMS} from entries d group by d.currency) v),
  grouped as (select ${key} as key, ${FIGURES} from entries d group by ${key}),
  grouped_value as (
    select v.key, ${VALUES_JSON} as json from (select ${key} as key, ${SUMS} from entries d group by ${key}, d.currency) v group by v.key
  ),
  rows as (${grouping === "stage" ? stageRows(query, accounts, place) : groupRows(grouping)})
  select json_build_object('group_by', '${grouping}',
    'total', (select json_build_object(${figuresOf("t")}, 'values', coalesce((select json from total_value), '[]')) from total t),
    'data', coalesce((
      select json_agg(json_build_object('key', r.key, 'name', ${name}, ${figuresOf("r")}, 'values', coalesce(v.json, '[]'), 'stage', r.stage)
        order by r.place)
      from rows r left join grouped_value v on ${keyed("v")} = ${keyed("r")} where r.place <= ${ROWS_MAX}), '[]'),
    'truncated', (select count(*) > ${ROWS_MAX} from rows))::text as json`),
    values,
  );
  return row?.json ?? "";
}

/** Every stage in order, also those without deals; archived ones only if a deal was in them. */
const stageRows = ({ pipeline_id }: MetricsQuery, accounts: readonly string[] | null, place: Place) => `
  select t.id as key, g.count, g.open, g.won, g.lost, g.days,
    row_number() over (order by t.account_id, t.pipeline_position, t.pipeline_id, t.position, t.id) as place,
    json_build_object('pipeline_id', t.pipeline_id, 'pipeline', t.pipeline, 'account_id', t.account_id, 'account', t.account, 'type', t.type, 'position', t.position, 'entered', t.entered, 'advanced', t.advanced,
      'conversion', case when t.type = 'open' then round(t.advanced::numeric / nullif(t.entered, 0), 4) end,
      'average_days_in_stage', round(t.days, 2)) as stage
  from (
    ${STAGE_STATISTICS}
      ${accounts === null ? "" : `and ${anyOf("p.account_id", accounts, place)}`}
      ${pipeline_id === undefined ? "" : `and p.id = ${place(pipeline_id)}`}
    group by s.partner_id, s.id, p.partner_id, p.id, k.partner_id, k.id) t
  left join grouped g on g.key = t.id where t.entered > 0 or not t.archived`;

/** The latest month first; clients and owners by the number of their deals. */
const groupRows = (grouping: Grouping) => `
  select g.*, row_number() over (order by ${grouping === "month" ? "g.key desc" : "g.count desc, g.key"}) as place, null::json as stage from grouped g`;

function conditionsOf(query: MetricsQuery, accounts: readonly string[] | null, place: Place): string[] {
  const { pipeline_id, owner_id, sale } = query;
  return [
    ...createdWithin("deal", query, place),
    ...(accounts === null ? [] : [anyOf("c.account_id", accounts, place)]),
    ...(pipeline_id === undefined ? [] : [`c.pipeline_id = ${place(pipeline_id)}`]),
    ...(owner_id === undefined ? [] : [`c.owner_id = ${place(owner_id)}`]),
    ...(sale === undefined ? [] : [`c.sale = ${place(sale)}`]),
  ];
}
