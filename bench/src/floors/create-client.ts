// Floor of "create a client": node:http, JSON.parse and one insert of a client through a pool, committed by itself, whose row comes back with its JSON,
// into a table like the product's with the same indexes and checks. No key, no check of the body, no foreign key, no transaction, no event, no audit
// entry, no idempotency. The statement is its own, so that the floor stays where it is when the product's insert gets cheaper.
import { CLIENT_JSON, INSERTED } from "@tributary/server/src/features/accounts/clients/queries.ts";
import { newId } from "@tributary/server/src/kernel/ids.ts";
import { insertValues, valuesOf } from "@tributary/server/src/platform/db/columns.ts";
import { elsewhere, readSetting, serveWrite } from "./floor.ts";

type Body = { company: string; external_id: string; contact: object; plan: string; mrr_cents: number; metadata: object };

const insert = {
  name: "insert",
  text: `
    with c as (insert into clients ${insertValues(INSERTED)} returning *)
    select c.version, c.version || '-' || p.version as etag, ${CLIENT_JSON} as json from c join partners p on p.id = $1`,
};

const { partner_id } = readSetting();
const { query } = elsewhere("clients");

serveWrite(201, async (text) => {
  const now = new Date();
  const fields = { ...(JSON.parse(text) as Body), currency: "usd", branding: null, tags: [] };
  const state = { id: newId("client", now.getTime()), house: false, status: "active", snapshots: "[]", activated_at: now };
  const row = { ...fields, ...state, partner_id, status_changed_at: now, created_at: now, updated_at: now };
  const [client] = await query<{ json: string }>(insert, valuesOf(row, INSERTED));
  if (client === undefined) throw new Error("there was such a client");
  return client.json;
});
