import { GENERAL, type Json, type TestPartner, type World } from "./world.ts";

/** A deal made through the API, as the reply shows it. */
export async function newDeal(world: World, { key }: TestPartner, fields: object = {}): Promise<Json> {
  const { status, body, text } = await world.call("POST", `${GENERAL}/deals`, { key, body: { name: "Ten seats", ...fields } });
  if (status !== 201) throw new Error(`the deal was not created: ${text}`);
  return body;
}

/** Moves a deal. */
export const moveDeal = (world: World, { key }: Pick<TestPartner, "key">, id: string, body: object) =>
  world.call("POST", `${GENERAL}/deals/${id}/stage`, { key, body });

/** The default pipeline of an account. */
export async function pipelineOf(world: World, { key }: TestPartner, account_id: string): Promise<Json> {
  const { body } = await world.call("GET", `${GENERAL}/pipelines?account_id=${account_id}&limit=100`, { key });
  return body.data.find(({ is_default }: Json) => is_default);
}

/**
 * Deals whose stages do not tell one story: the first began when the deal was made, each begins where the one before ended, the last
 * has no end and is where the deal stands.
 */
export function brokenHistories(world: World): Promise<object[]> {
  return world.db.sql(`
    select d.id, h.faults from deals d left join lateral (
      select count(*) as stages, array_remove(array_agg(case
        when i.ordinal <> i.place then 'ordinal' when i.entered_at is distinct from i.previous_left_at and i.ordinal > 0 then 'gap'
        when i.left_at is null <> i.is_last then 'open' when i.is_last and (i.stage_id, i.pipeline_id, i.entered_at) is distinct from
          (d.stage_id, d.pipeline_id, d.stage_entered_at) then 'elsewhere' end), null) as faults
      from (
        select s.*, row_number() over w - 1 as place, lag(s.left_at) over w as previous_left_at,
          lead(s.ordinal) over w is null as is_last
        from deal_stages s where s.partner_id = d.partner_id and s.deal_id = d.id window w as (order by s.ordinal)
      ) i
    ) h on true
    join stages s on s.partner_id = d.partner_id and s.id = d.stage_id
    where h.stages = 0 or h.faults <> '{}' or s.type <> d.status`);
}
