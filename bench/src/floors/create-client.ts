// Floor of "create a client": node:http, JSON.parse and one insert through a pool, committed by itself, into a table
// like the product's with the same indexes and checks, whose JSON PostgreSQL renders. No key, no checks of the body,
// no transaction, no event, no audit entry, no idempotency.
import { newId } from "@tributary/server/src/kernel/ids.ts";
import pg from "pg";
import { answer, POOL_SIZE, readBody, readSetting, refuse, serve } from "./floor.ts";

type Body = { company: string; external_id: string; contact: object; plan: string; mrr_cents: number; metadata: object };

const INSERT = `
  insert into bench_clients (partner_id, id, company, external_id, contact, plan, mrr_cents, currency, metadata, status,
    status_changed_at, activated_at, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, 'usd', $8, 'active', $9, $9, $9, $9)
  returning (select row_to_json(x)::text from (select id, partner_id, house, company, external_id, contact, plan, mrr_cents,
    currency, status, status_reason, wire_time(status_changed_at) as status_changed_at, $10::json as branding,
    'partner' as branding_source, '[]'::json as snapshots, metadata, wire_time(activated_at) as activated_at,
    wire_time(suspended_at) as suspended_at, wire_time(churned_at) as churned_at, wire_time(created_at) as created_at,
    wire_time(updated_at) as updated_at, version) x) as json`;

const { connection, partner_id } = readSetting();
const pool = new pg.Pool({ ...connection, max: POOL_SIZE });
const { rows } = await pool.query<{ branding: object }>("select branding from partners where id = $1", [partner_id]);
const branding = JSON.stringify(rows[0]?.branding);

async function insert(text: string): Promise<string> {
  const now = new Date();
  const { company, external_id, contact, plan, mrr_cents, metadata } = JSON.parse(text) as Body;
  const id = newId("client", now.getTime());
  const values = [partner_id, id, company, external_id, contact, plan, mrr_cents, metadata, now, branding];
  const { rows } = await pool.query<{ json: string }>({ name: "insert", text: INSERT, values });
  return rows[0]?.json ?? "";
}

serve((request, response) => {
  readBody(request)
    .then(insert)
    .then(
      (json) => answer(response, 201, json),
      (error: unknown) => refuse(response, error),
    );
});
