// Floor of "create a payment link": node:http, JSON.parse and the product's own insert of a link, autocommitted, into a table with the same
// indexes and checks. No token, no account, no feed, no audit.
import { insertQuery, newLinkOf } from "@tributary/server/src/features/billing/payment-links/queries.ts";
import { newId } from "@tributary/server/src/kernel/ids.ts";
import { elsewhere, readSetting, serveWrite } from "./floor.ts";
import { newLink } from "./new-link.ts";

const { partner_id } = readSetting();
const { query } = elsewhere("payment_links");
const ACCOUNT = newId("client", Date.now());

serveWrite(201, async (body) => {
  const now = new Date();
  const link = newLink(body, ACCOUNT, ACCOUNT.slice(-13), now);
  const insert = insertQuery({ partner_id }, link, now);
  await query(insert.statement, insert.values);
  return newLinkOf(link, { now, base_url: "http://127.0.0.1" }).json;
});
