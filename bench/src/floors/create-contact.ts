// Floor of "create a contact": node:http, JSON.parse and one insert of a contact, autocommitted, whose row comes back with its JSON. The statement is
// its own, so that the floor stays where it is when the product's insert gets cheaper.
import { FIELD_TYPES, FIELDS } from "@tributary/server/src/features/crm/contacts/model.ts";
import { CONTACT_JSON } from "@tributary/server/src/features/crm/contacts/queries.ts";
import { newId } from "@tributary/server/src/kernel/ids.ts";
import { elsewhere, readSetting, serveWrite } from "./floor.ts";

type Body = { account_id: string; name: string; phone: string; email: string; company: string; tags: string[] };

const insert = {
  name: "insert",
  text: `
    with c as (
      insert into contacts as c (partner_id, id, account_id, created_at, updated_at, phone_shared, ${FIELDS.join(", ")})
      select $1, $2, $3, $4, $4, a.shared_phones, ${FIELDS.map((field, index) => `$${index + 5}::${FIELD_TYPES[field]}`).join(", ")}
      from clients a where a.partner_id = $1 and a.id = $3
      on conflict do nothing
      returning c.*)
    select c.*, ${CONTACT_JSON} as json from c`,
};

const { partner_id } = readSetting();
const { query } = elsewhere("contacts");

serveWrite(201, async (text) => {
  const now = new Date();
  const { account_id, ...given } = JSON.parse(text) as Body;
  const fields = { ...given, notes: null, custom: {}, owner_id: null, external_id: null };
  const values = [partner_id, newId("contact", now.getTime()), account_id, now, ...FIELDS.map((field) => fields[field])];
  const [contact] = await query<{ json: string }>(insert, values);
  if (contact === undefined) throw new Error("there was such a contact");
  return contact.json;
});
