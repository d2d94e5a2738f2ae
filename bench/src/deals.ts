import { newId } from "@tributary/server/src/kernel/ids.ts";
import pg from "pg";
import { requestBytes } from "./requests.ts";
import type { FloorRow } from "./rows.ts";
import type { Stage } from "./stage.ts";

const DEALS = 500;
const STAGES = ["Qualified", "Proposal"];

/** Deals of a client, all new, in the product's tables and in the floor's. Returns their ids. */
export async function seedDeals({ owner, secrets, login }: Stage): Promise<string[]> {
  const headers = { authorization: `Bearer ${secrets.api_key}`, "content-type": "application/json" };
  const reply = await fetch(`${secrets.base_url}/v1/partners/clients`, {
    method: "POST",
    headers,
    body: '{"company": "Moving"}',
  });
  const { id: account_id } = (await reply.json()) as { id: string };
  // The first use creates the pipeline.
  await fetch(`${secrets.base_url}/v1/pipelines?account_id=${account_id}`, { headers });
  const ids = Array.from({ length: DEALS }, () => newId("deal", Date.now()));
  await owner.query(
    `insert into deals (partner_id, id, account_id, sale, pipeline_id, stage_id, status, stage_entered_at, name, amount_cents, currency,
       created_at, updated_at)
     select $1, v.id, $2, false, p.id, s.id, 'open', now(), 'Ten seats', 120000, 'usd', now(), now()
     from unnest($3::text[]) v (id), pipelines p join stages s on s.partner_id = p.partner_id and s.pipeline_id = p.id and s.name = 'New'
     where p.partner_id = $1 and p.account_id = $2 and p.is_default`,
    [secrets.partner_id, account_id, ids],
  );
  await owner.query(
    `insert into deal_stages (partner_id, deal_id, ordinal, account_id, pipeline_id, stage_id, entered_at, moved_by)
     select partner_id, id, 0, account_id, pipeline_id, stage_id, created_at, 'bench' from deals where id = any ($1)`,
    [ids],
  );
  for (const table of ["deals", "deal_stages"]) {
    await owner.query(`create table bench_${table} (like ${table} including all)`);
    await owner.query(`insert into bench_${table} select * from ${table}`);
    await owner.query(`grant select, insert, update on bench_${table} to ${pg.escapeIdentifier(login)}`);
  }
  return ids;
}

/** Moves of one deal after the other, to and fro. */
export function dealRows(keys: readonly string[], deal_ids: readonly string[]): FloorRow[] {
  let turn = 0;
  const nextRequest = () => {
    const id = deal_ids[turn % deal_ids.length];
    const stage = STAGES[Math.floor(turn / deal_ids.length) % STAGES.length];
    turn += 1;
    const key = keys[turn % keys.length] ?? "";
    return requestBytes(key, "POST", `/v1/deals/${id}/stage`, JSON.stringify({ stage }), { "idempotency-key": `move-${turn}` });
  };
  return [{ name: "move a deal", goal: 0.4, floor: "move-deal", nextRequest }];
}
