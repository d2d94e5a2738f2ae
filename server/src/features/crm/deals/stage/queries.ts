import { listIdentity } from "../../../../kernel/page.ts";
import { requestedAccounts, type TenantScope } from "../../../../kernel/principal.ts";
import { actorName } from "../../../../platform/db/actor-name.ts";
import { anyOf, byCreation, keysetPage, type Paging, type Sort } from "../../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { StageUse } from "../../../../platform/record/context.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import type { Deal } from "../model.ts";
import type { StageHistoryQuery } from "./schema.ts";

type Whose = Pick<TenantScope, "partner_id">;

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

/** The intervals of a partner. The id is that of an interval within its deal, in an order of text. */
const INTERVALS = "(select d.*, lpad(d.ordinal::text, 10, '0') as id from deal_stages d where d.partner_id = $1)";

const MOVED_BY = `c.moved_by, ${actorName("c.moved_by", "c.partner_id")} as moved_by_name`;

const daysOf = (now: string) =>
  `greatest(floor(extract(epoch from coalesce(c.left_at, ${now}::timestamptz) - c.entered_at) / 86400), 0)::int`;

const intervalJson = (now: string) => `(select row_to_json(x)::text from (select c.pipeline_id, c.stage_id, s.name as stage,
    s.type as stage_type, wire_time(c.entered_at) as entered_at, wire_time(c.left_at) as left_at,
    ${daysOf(now)} as days,
    ${MOVED_BY}, c.note
    from stages s where s.partner_id = $1 and s.id = c.stage_id) x)`;

/** The stage history of a deal, newest first. */
export function historyPage(db: Queryable, scope: TenantScope, id: string, now: Date, paging: Paging) {
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("deal-history", { id }),
      table: INTERVALS,
      json: (place) => intervalJson(place(now)),
      sort: byCreation(true),
      conditions: (place) => [`c.deal_id = ${place(id)}`],
    },
    paging,
  );
}

/** An interval with the names that a report shows. */
const reportJson = (
  now: string,
) => `(select row_to_json(x)::text from (select c.deal_id, d.name as deal, c.account_id, k.company as account,
    c.pipeline_id, p.name as pipeline, c.stage_id, s.name as stage, s.type as stage_type, wire_time(c.entered_at) as entered_at,
    wire_time(c.left_at) as left_at, ${daysOf(now)} as days, ${MOVED_BY}, c.note
    from deals d, clients k, pipelines p, stages s
    where d.partner_id = $1 and d.id = c.deal_id and k.partner_id = $1 and k.id = c.account_id
      and p.partner_id = $1 and p.id = c.pipeline_id and s.partner_id = $1 and s.id = c.stage_id) x)`;

/** The order of the primary key: the newest deal first, and in it the newest interval. */
const BY_DEAL: Sort = { descending: true, by: "c.deal_id", key: "c.deal_id", type: "string" };

/** The stage history of all deals that the caller may see. */
export function stageHistoryPage(db: Queryable, scope: TenantScope, query: StageHistoryQuery, now: Date) {
  const { limit: _, cursor: __, ...filter } = query;
  const { account_id, pipeline_id, entered_after, entered_before } = filter;
  const accounts = requestedAccounts(scope, account_id);
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("stage-history", filter),
      table: INTERVALS,
      json: (place) => reportJson(place(now)),
      sort: BY_DEAL,
      conditions: (place) => [
        "exists (select from deals d where d.partner_id = $1 and d.id = c.deal_id and d.deleted_at is null)",
        ...(accounts === null ? [] : [anyOf("c.account_id", accounts, place)]),
        ...(pipeline_id === undefined ? [] : [`c.pipeline_id = ${place(pipeline_id)}`]),
        ...(entered_after === undefined ? [] : [`c.entered_at >= ${place(entered_after)}`]),
        ...(entered_before === undefined ? [] : [`c.entered_at < ${place(entered_before)}`]),
      ],
    },
    query,
  );
}

const namedStatement = statement(`
  select s.id from stages s where s.partner_id = $1 and lower(s.name) in (select lower(n) from unnest($2::text[]) n)`);

/** The stages of all pipelines that have one of some names, in any case. */
export async function stagesNamed(db: Queryable, { partner_id }: TenantScope, names: readonly string[]): Promise<string[]> {
  return (await db.query<{ id: string }>(namedStatement, [partner_id, names])).map(({ id }) => id);
}

const dealCounts = statement(`
  select d.pipeline_id, d.stage_id, count(*)::int as deals, (count(*) filter (where d.status = 'open'))::int as open_deals
  from deals d where d.partner_id = $1 and d.pipeline_id = any ($2) and d.deleted_at is null
  group by d.pipeline_id, d.stage_id`);

/** How many deals are in each stage of some pipelines. */
export function stagesInUse(tx: Queryable, { partner_id }: Whose, pipeline_ids: readonly string[]): Promise<StageUse[]> {
  return tx.query<StageUse>(dealCounts, [partner_id, pipeline_ids]);
}

const everStatement = statement(`
  select s.id from unnest($2::text[]) s (id)
  where exists (select from deal_stages d where d.partner_id = $1 and d.stage_id = s.id)`);

/** Which of some stages a deal has ever been in. */
export async function stagesEverUsed(tx: Queryable, { partner_id }: Whose, stage_ids: readonly string[]): Promise<string[]> {
  return (await tx.query<{ id: string }>(everStatement, [partner_id, stage_ids])).map(({ id }) => id);
}
