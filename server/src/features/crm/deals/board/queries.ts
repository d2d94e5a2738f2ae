import { decodeCursor, encodeCursor, listIdentity } from "../../../../kernel/page.ts";
import type { TenantScope } from "../../../../kernel/principal.ts";
import { membersOf } from "../../../../platform/db/columns.ts";
import { timeWithin } from "../../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import { daysInStage, dealValue, REGISTRATION_JSON } from "../queries.ts";
import { BoardDeal, type BoardQuery } from "./schema.ts";

/** Whether a deal has been in its stage `s` for more whole days than the target of an open stage. */
export const overTarget = (entered_at: string, now: string) =>
  `s.type = 'open' and ${entered_at} <= ${now}::timestamptz - make_interval(days => s.target_days + 1)`;

const DEAL_JSON = `(select row_to_json(x) from (select ${membersOf(BoardDeal, {
  days_in_stage: daysInStage("$3"),
  days_over: `case when ${overTarget("c.stage_entered_at", "$3")} then ${daysInStage("$3")} - s.target_days else 0 end`,
  owner: "(select u.name from users u where u.partner_id = $1 and u.id = c.owner_id)",
  registration: REGISTRATION_JSON,
})}) x)`;

/** The deals that entered the stage `s` last, before a position. */
const LATEST = `
    select json_agg(x.json order by x.stage_entered_at desc, x.id desc) as deals, count(*)::int as count, min(x.stage_entered_at) as oldest_at,
      (array_agg(x.id order by x.stage_entered_at, x.id))[1] as oldest
    from (
      select c.id, c.stage_entered_at, ${DEAL_JSON} as json from deals c
      where c.partner_id = $1 and c.stage_id = s.id and c.deleted_at is null
        and (c.stage_entered_at, c.id) < ($6::timestamptz, $7)
      order by c.stage_entered_at desc, c.id desc limit $4
    ) x`;

/** The columns of a board from its deals. An archived stage is shown while it has deals. */
const boardOf = (deals: string) =>
  statement(`
  with placed as (${deals}), totals as (
    select d.stage_id, d.currency, count(*) as deals, coalesce(sum(d.amount_cents), 0) as amount_cents,
      coalesce(sum(d.mrr_cents), 0) as mrr_cents, sum(${dealValue("d")}) as value,
      count(*) filter (where ${overTarget("d.entered_at", "$3")}) as over_target
    from placed d join stages s on s.partner_id = $1 and s.id = d.stage_id
    group by d.stage_id, d.currency
  )
  select json_build_object('stage_id', s.id, 'stage', s.name, 'stage_type', s.type, 'probability', s.probability,
    'target_days', s.target_days, 'deals', coalesce(t.deals, 0), 'over_target', coalesce(t.over_target, 0), 'totals', coalesce(t.totals, '[]'),
    'latest_deals', coalesce(l.deals, '[]'))::text as json,
    s.id as stage_id, l.oldest, l.oldest_at, l.count = $4 and exists (
      select from deals c where c.partner_id = $1 and c.stage_id = s.id and c.deleted_at is null
        and (c.stage_entered_at, c.id) < (l.oldest_at, l.oldest)) as goes_on
  from stages s left join lateral (
    select sum(t.deals) as deals, sum(t.over_target) as over_target,
      json_agg(json_build_object('currency', t.currency, 'deals', t.deals, 'amount_cents', t.amount_cents,
        'weighted_cents', case when s.type = 'open' then round(t.value * s.probability / 100) else 0 end, 'mrr_cents', t.mrr_cents)
        order by t.currency) as totals
    from totals t where t.stage_id = s.id
  ) t on true cross join lateral (${LATEST}) l
  where s.partner_id = $1 and s.pipeline_id = $2 and ($5::text is null or s.id = $5) and (not s.archived or t.deals is not null)
  order by s.archived, s.position`);

const boardNow = boardOf(`
    select d.stage_id, d.stage_entered_at as entered_at, d.currency, d.sale, d.amount_cents, d.mrr_cents from deals d
    where d.partner_id = $1 and d.pipeline_id = $2 and d.deleted_at is null
      and ($5::text is null or d.stage_id = $5)`);

const boardThen = boardOf(`
    select h.stage_id, h.entered_at, d.currency, d.sale, d.amount_cents, d.mrr_cents
    from stages s
      join deal_stages h on h.partner_id = $1 and h.stage_id = s.id and h.entered_at <= $3
        and (h.left_at is null or h.left_at > $3)
      join deals d on d.partner_id = $1 and d.id = h.deal_id and (d.deleted_at is null or d.deleted_at > $3)
    where s.partner_id = $1 and s.pipeline_id = $2`);

type Column = { json: string; stage_id: string; goes_on: boolean; oldest: string | null; oldest_at: Date | null };

/** Identifies the column that a cursor belongs to. */
const columnOf = (pipeline_id: string, stage_id: string | undefined) => listIdentity("board", { pipeline_id, stage_id });
/** Before these comes every deal. */
const START = ["infinity", "~"] as const;

/** The number and value of the deals in each stage of a pipeline, now or at an earlier time, and now its latest deals. */
export async function boardJson(
  db: Queryable,
  scope: TenantScope,
  pipeline_id: string,
  { as_of, deals = 0, stage_id, cursor }: BoardQuery,
  now: Date,
): Promise<{ json: string }> {
  const at = as_of === undefined ? now : new Date(as_of);
  const position = cursor === undefined ? START : positionOf(columnOf(pipeline_id, stage_id), cursor);
  const values = [scope.partner_id, pipeline_id, at, deals, stage_id ?? null, ...position];
  const columns = await db.query<Column>(as_of === undefined ? boardNow : boardThen, values);
  const head = JSON.stringify({ pipeline_id, as_of: at.toISOString() });
  return { json: `${head.slice(0, -1)},"stages":[${columns.map((column) => columnJson(pipeline_id, column)).join(",")}]}` };
}

function positionOf(list: string, cursor: string): readonly [Date, string] {
  const [entered_ms, id] = decodeCursor(list, cursor, ["number", "string"]);
  return [timeWithin(Number(entered_ms)), String(id)];
}

function columnJson(pipeline_id: string, { json, stage_id, goes_on, oldest, oldest_at }: Column): string {
  const position = goes_on && oldest !== null && oldest_at !== null ? [oldest_at.getTime(), oldest] : null;
  const next_cursor = position === null ? null : encodeCursor(columnOf(pipeline_id, stage_id), position);
  return `${json.slice(0, -1)},"next_cursor":${JSON.stringify(next_cursor)}}`;
}
