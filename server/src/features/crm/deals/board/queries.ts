import type { TenantScope } from "../../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";

/** The columns of a board from where the deals stand. A stage that is archived shows as long as deals stood in it. */
const boardOf = (standing: string) =>
  statement(`
  with standing as (${standing}), totals as (
    select d.stage_id, d.currency, count(*) as deals, coalesce(sum(d.amount_cents), 0) as amount_cents,
      coalesce(sum(d.mrr_cents), 0) as mrr_cents
    from standing d group by d.stage_id, d.currency
  )
  select json_build_object('pipeline_id', $2::text, 'as_of', wire_time($3::timestamptz), 'stages', coalesce(json_agg(
    json_build_object('stage_id', s.id, 'stage', s.name, 'stage_type', s.type, 'probability', s.probability,
      'deals', coalesce(t.deals, 0), 'totals', coalesce(t.totals, '[]')) order by s.archived, s.position), '[]'))::text as json
  from stages s left join lateral (
    select sum(t.deals) as deals, json_agg(json_build_object('currency', t.currency, 'deals', t.deals, 'amount_cents', t.amount_cents,
      'weighted_cents', round(t.amount_cents * s.probability / 100), 'mrr_cents', t.mrr_cents) order by t.currency) as totals
    from totals t where t.stage_id = s.id
  ) t on true
  where s.partner_id = $1 and s.pipeline_id = $2 and (not s.archived or t.deals is not null)`);

const boardNow = boardOf(`
    select d.stage_id, d.currency, d.amount_cents, d.mrr_cents from deals d
    where d.partner_id = $1 and d.pipeline_id = $2 and d.deleted_at is null`);

const boardThen = boardOf(`
    select h.stage_id, d.currency, d.amount_cents, d.mrr_cents
    from stages s
      join deal_stages h on h.partner_id = s.partner_id and h.stage_id = s.id and h.entered_at <= $3
        and (h.left_at is null or h.left_at > $3)
      join deals d on d.partner_id = h.partner_id and d.id = h.deal_id and (d.deleted_at is null or d.deleted_at > $3)
    where s.partner_id = $1 and s.pipeline_id = $2`);

/** How many deals stand in each stage of a pipeline, and what they are worth: now, or as they stood at a moment. */
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
