// Floor of "create a client": node:http, JSON.parse and the product's own insert through a pool, committed by itself,
// into a table like the product's with the same indexes and checks. No key, no check of the body, no foreign key, no
// transaction, no event, no audit entry, no idempotency.
import { insertClient } from "@tributary/server/src/features/clients/queries.ts";
import { newId } from "@tributary/server/src/kernel/ids.ts";
import type { Statement } from "@tributary/server/src/platform/db/statement.ts";
import type { Tx } from "@tributary/server/src/platform/record/context.ts";
import pg from "pg";
import { answer, POOL_SIZE, readBody, readSetting, refuse, serve } from "./floor.ts";

type Body = { company: string; external_id: string; contact: object; plan: string; mrr_cents: number; metadata: object };

const { connection, partner_id } = readSetting();
const pool = new pg.Pool({ ...connection, max: POOL_SIZE });
const elsewhere = (text: string) => text.replace("insert into clients", "insert into bench_clients");

async function query<Row>({ text }: Statement, values: readonly unknown[] = []): Promise<Row[]> {
  return (await pool.query({ name: "insert", text: elsewhere(text), values: [...values] })).rows as Row[];
}

async function insert(text: string): Promise<string> {
  const now = new Date();
  const fields = { ...(JSON.parse(text) as Body), currency: null, branding: null, tags: [] };
  const client = { ...fields, id: newId("client", now.getTime()), house: false, status: "active" as const };
  const { json } = await insertClient({ query, now } as Tx, { partner_id, clients: "all" }, client);
  return json;
}

serve((request, response) => {
  readBody(request)
    .then(insert)
    .then(
      (json) => answer(response, 201, json),
      (error: unknown) => refuse(response, error),
    );
});
