// Floor of "upsert a contact": node:http, JSON.parse and one `insert … on conflict (phone) do update`, committed by itself, in a table
// like the product's. It goes by the phone alone. No key, no check, no lock of the account, no change feed, no audit entry.
import { elsewhere, readSetting, serveWrite } from "./floor.ts";
import { type Upserted, upsertQuery } from "./upsert-statement.ts";

const { partner_id } = readSetting();
const { query } = elsewhere("contacts");

serveWrite(200, async (text) => {
  const { statement, values } = upsertQuery(partner_id, text, new Date());
  const [row] = await query<Upserted>(statement, values);
  return row?.json ?? "";
});
