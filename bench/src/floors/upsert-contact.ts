// Floor of "upsert a contact": node:http, JSON.parse and one `insert … on conflict (phone) do update`, committed by itself, in a table
// like the product's. It goes by the phone alone. No key, no check, no lock of the account, no change feed, no audit entry.
import { CONTACT_JSON } from "@tributary/server/src/features/crm/contacts/queries.ts";
import { newId } from "@tributary/server/src/kernel/ids.ts";
import { elsewhere, readSetting, serveWrite } from "./floor.ts";

type Body = { account_id: string; name: string; phone: string; company: string };

const { partner_id } = readSetting();
const { query } = elsewhere("contacts");
const upsert = {
  name: "upsert",
  text: `insert into contacts as c (partner_id, id, account_id, name, phone, company, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $7)
    on conflict (partner_id, account_id, phone) where deleted_at is null and not phone_shared
    do update set name = excluded.name, company = excluded.company, updated_at = excluded.updated_at, version = c.version + 1
    returning ${CONTACT_JSON} as json`,
};

serveWrite(200, async (text) => {
  const now = new Date();
  const { account_id, name, phone, company } = JSON.parse(text) as Body;
  const [row] = await query<{ json: string }>(upsert, [
    partner_id,
    newId("contact", now.getTime()),
    account_id,
    name,
    phone,
    company,
    now,
  ]);
  return row?.json ?? "";
});
