import type { TenantScope } from "../../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import { dealValue } from "../queries.ts";

/** The columns of a board from its deals. An archived stage is shown while it has deals. */
const boardOf = (deals: string) =>
  statement(`
  with placed as (${deals}), totals as (
    select d.stage_id, d.currency, count(*) as deals, coalesce(sum(d.amount_cents), 0) as amount_cents,
      coalesce(sum(d.mrr_cents), 0) as mrr_cents, sum(${dealValue("d")}) as value
    from placed d group by d.stage_id, d.currency
  )
  select json_build_object('pipeline_id', $2::text, 'as_of', wire_time($3::timestamptz), 'stages', coalesce(json_agg(
    json_build_object('stage_id', s.id, 'stage', s.name, 'stage_type', s.type, 'probability', s.probability,
      'deals', coalesce(t.deals, 0), 'totals', coalesce(t.totals, '[]')) order by s.archived, s.position), '[]'))::text as json
  from stages s left join lateral (
    select sum(t.deals) as deals, json_agg(json_build_object('currency', t.currency, 'deals', t.deals, 'amount_cents', t.amount_cents,
      'weighted_cents', case when s.type = 'open' then round(t.value * s.probability / 100) else 0 end, 'mrr_cents', t.mrr_cents) order by t.currency) as totals
    from totals t where t.stage_id = s.id
  ) t on true
  where s.partner_id = $1 and s.pipeline_id = $2 and (not s.archived or t.deals is not null)`);

const boardNow = boardOf(`
    select d.stage_id, d.currency, d.sale, d.amount_cents, d.mrr_cents from deals d
    where d.partner_id = $1 and d.pipeline_id = $2 and d.deleted_at is null`);

const boardThen = boardOf(`
    select h.stage_id, d.currency, d.sale, d.amount_cents, d.mrr_cents
    from stages s
      join deal_stages h on h.partner_id = $1 and h.stage_id = s.id and h.entered_at <= $3
        and (h.left_at is null or h.left_at > $3)
      join deals d on d.partner_id = $1 and d.id = h.deal_id and (d.deleted_at is null or d.deleted_at > $3)
    where s.partner_id = $1 and s.pipeline_id = $2`);

/** The number and value of the deals in each stage of a pipeline, now or at an earlier time. */
export async function boardJson(
  db: Queryable,
  scope: TenantScope,
  pipeline_id: string,
  as_of: Date | null,
  now: Date,
): Promise<{ json: string }> {
  const [row] = await db.query<{ json: string }>(as_of === null ? boardNow : boardThen, [
    scope.partner_id,
    pipeline_id,
    as_of ?? now,
  ]);
  if (row === undefined) throw new Error("a board is one row");
  return row;
}
