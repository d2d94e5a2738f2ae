// Floor of "move a deal": node:http, JSON.parse and three statements in a transaction through a pool, in tables like the product's: the stay that
// ends, the one that begins, and the deal itself, which PostgreSQL renders. No key, no rules, no lock of the account, no change feed, no audit entry.
import { dealJson } from "@tributary/server/src/features/crm/deals/queries.ts";
import pg from "pg";
import { answer, POOL_SIZE, readBody, readSetting, refuse, serve } from "./floor.ts";

const { connection, partner_id } = readSetting();
const pool = new pg.Pool({ ...connection, max: POOL_SIZE });

const LEAVE =
  "update bench_deal_stages set left_at = $3 where partner_id = $1 and deal_id = $2 and left_at is null returning ordinal";
const ENTER = `insert into bench_deal_stages (partner_id, deal_id, ordinal, account_id, pipeline_id, stage_id, entered_at, moved_by)
  select $1, $2, $4 + 1, d.account_id, d.pipeline_id, s.id, $3, 'bench' from bench_deals d
  join stages s on s.partner_id = d.partner_id and s.pipeline_id = d.pipeline_id and s.name = $5 where d.partner_id = $1 and d.id = $2`;
const MOVE = `update bench_deals c set stage_id = s.id, status = s.type, stage_entered_at = $3, updated_at = $3, version = c.version + 1
  from stages s where s.partner_id = $1 and s.pipeline_id = c.pipeline_id and s.name = $4 and c.partner_id = $1 and c.id = $2
  returning ${dealJson("$3")} as json`;

async function move(id: string, stage: string): Promise<string> {
  const client = await pool.connect();
  try {
    const now = new Date();
    await client.query("begin");
    const { rows } = await client.query<{ ordinal: number }>({ name: "leave", text: LEAVE, values: [partner_id, id, now] });
    await client.query({ name: "enter", text: ENTER, values: [partner_id, id, now, rows[0]?.ordinal ?? 0, stage] });
    const moved = await client.query<{ json: string }>({ name: "move", text: MOVE, values: [partner_id, id, now, stage] });
    await client.query("commit");
    return moved.rows[0]?.json ?? "";
  } finally {
    client.release();
  }
}

serve((request, response) => {
  const id = /deal_\w+/.exec(request.url ?? "")?.[0] ?? "";
  readBody(request)
    .then((text) => move(id, (JSON.parse(text) as { stage: string }).stage))
    .then(
      (json) => answer(response, 200, json),
      (error: unknown) => refuse(response, error),
    );
});
