// Floor of "create a contact": as that of a client, with the product's own insert of a contact.
import { insertContact } from "@tributary/server/src/features/crm/contacts/queries.ts";
import { newId } from "@tributary/server/src/kernel/ids.ts";
import type { Tx } from "@tributary/server/src/platform/record/tx.ts";
import { elsewhere, readSetting, serveWrite } from "./floor.ts";

type Body = { account_id: string; name: string; phone: string; email: string; company: string; tags: string[] };

const { partner_id } = readSetting();
const { query } = elsewhere("contacts");

serveWrite(201, async (text) => {
  const now = new Date();
  const { account_id, ...given } = JSON.parse(text) as Body;
  const tx = { query, now, newId: (kind) => newId(kind, now.getTime()) } as Tx;
  const fields = { ...given, notes: null, custom: {}, owner_id: null, external_id: null };
  const contact = await insertContact(tx, { partner_id, clients: "all" }, account_id, fields);
  if (contact === null) throw new Error("there was such a contact");
  return contact.json;
});
