// Floor of "create a client": node:http, JSON.parse and the product's own insert through a pool, committed by itself,
// into a table like the product's with the same indexes and checks. No key, no check of the body, no foreign key, no
// transaction, no event, no audit entry, no idempotency.
import { insertClient } from "@tributary/server/src/features/accounts/clients/queries.ts";
import { newId } from "@tributary/server/src/kernel/ids.ts";
import type { Tx } from "@tributary/server/src/platform/record/tx.ts";
import { elsewhere, readSetting, serveWrite } from "./floor.ts";

type Body = { company: string; external_id: string; contact: object; plan: string; mrr_cents: number; metadata: object };

const { partner_id } = readSetting();
const { query } = elsewhere("clients");

serveWrite(201, async (text) => {
  const now = new Date();
  const fields = { ...(JSON.parse(text) as Body), currency: "usd", branding: null, tags: [] };
  const client = { ...fields, id: newId("client", now.getTime()), house: false, status: "active" as const, snapshots: [] };
  const { json } = await insertClient({ query, now } as Tx, { partner_id, clients: "all" }, client);
  return json;
});
