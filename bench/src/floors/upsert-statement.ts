import { CONTACT_JSON } from "@tributary/server/src/features/crm/contacts/queries.ts";
import { newId } from "@tributary/server/src/kernel/ids.ts";
import type { Query } from "@tributary/server/src/platform/db/statement.ts";

type Body = { account_id: string; name: string; phone: string; company: string };

const upsert = {
  name: "upsert",
  text: `insert into contacts as c (partner_id, id, account_id, name, phone, company, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $7)
    on conflict (partner_id, account_id, phone) where deleted_at is null and not phone_shared
    do update set name = excluded.name, company = excluded.company, updated_at = excluded.updated_at, version = c.version + 1
    returning ${CONTACT_JSON} as json, c.id, c.account_id, c.version`,
};

export type Upserted = { json: string; id: string; account_id: string; version: number };

/** One statement that updates the contact with a phone, or inserts it. */
export function upsertQuery(partner_id: string, text: string, now: Date): Query {
  const { account_id, name, phone, company } = JSON.parse(text) as Body;
  return { statement: upsert, values: [partner_id, newId("contact", now.getTime()), account_id, name, phone, company, now] };
}
