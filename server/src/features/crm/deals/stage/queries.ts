import { listIdentity } from "../../../../kernel/page.ts";
import type { TenantScope } from "../../../../kernel/principal.ts";
import { byCreation, keysetPage, type Paging } from "../../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { StageUse } from "../../../../platform/record/context.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import type { Deal } from "../model.ts";

const enterStatement = statement(`
  with previous as (
    update deal_stages d set left_at = $6 where d.partner_id = $1 and d.deal_id = $2 and d.left_at is null
    returning d.ordinal
  )
  insert into deal_stages (partner_id, deal_id, ordinal, account_id, pipeline_id, stage_id, entered_at, moved_by, note)
  select $1, $2, coalesce((select p.ordinal + 1 from previous p), 0), $3, $4, $5, $6, $7, $8`);

/** Ends the interval of a deal's previous stage, if any, and begins that of its current stage at the same instant. */
export async function enterStage(tx: Tx, scope: TenantScope, deal: Deal, moved_by: string, note: string | null): Promise<void> {
  const { id, account_id, pipeline_id, stage_id, stage_entered_at } = deal;
  await tx.query(enterStatement, [scope.partner_id, id, account_id, pipeline_id, stage_id, stage_entered_at, moved_by, note]);
}

const intervalJson = (now: string) => `(select row_to_json(x)::text from (select c.pipeline_id, c.stage_id, s.name as stage,
    s.type as stage_type, wire_time(c.entered_at) as entered_at, wire_time(c.left_at) as left_at,
    greatest(floor(extract(epoch from coalesce(c.left_at, ${now}::timestamptz) - c.entered_at) / 86400), 0)::int as days,
    c.moved_by, c.note
    from stages s where s.partner_id = $1 and s.id = c.stage_id) x)`;

/** The stage history of a deal, newest first. */
export function historyPage(db: Queryable, scope: TenantScope, id: string, now: Date, paging: Paging) {
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("deal-history", { id }),
      table: "(select d.*, lpad(d.ordinal::text, 10, '0') as id from deal_stages d where d.partner_id = $1)",
      json: (place) => intervalJson(place(now)),
      sort: byCreation(true),
      conditions: (place) => [`c.deal_id = ${place(id)}`],
    },
    paging,
  );
}

const dealCounts = statement(`
  select d.stage_id, count(*)::int as deals, (count(*) filter (where d.status = 'open'))::int as open_deals
  from deals d where d.partner_id = $1 and d.pipeline_id = $2 and d.deleted_at is null
  group by d.stage_id`);

/** How many deals are in each stage of a pipeline. */
export function stagesInUse(tx: Queryable, scope: TenantScope, id: string): Promise<StageUse[]> {
  return tx.query<StageUse>(dealCounts, [scope.partner_id, id]);
}
