// Floor of "create a payment link": node:http, JSON.parse and the product's own insert of a link, autocommitted, into a table with the same
// indexes and checks. No token, no account, no feed, no audit.
import { insertQuery, type NewLink, newLinkOf } from "@tributary/server/src/features/billing/payment-links/queries.ts";
import { newId } from "@tributary/server/src/kernel/ids.ts";
import { elsewhere, readSetting, serveWrite } from "./floor.ts";

const { partner_id } = readSetting();
const { query } = elsewhere("payment_links");
const ACCOUNT = newId("client", Date.now());

serveWrite(201, async (body) => {
  const { customer, amount_cents, currency, description } = JSON.parse(body);
  const now = new Date();
  const id = newId("payment_link", now.getTime());
  const link = {
    ...{ id, account_id: ACCOUNT, contact_id: null, currency, description, reference: null, created_by: ACCOUNT },
    ...{ usage: "single", uses_max: null, deal_id: null, conversation_id: null, provider_id: null, charge: null, on_paid: null },
    ...{ status: "active", paid_cents: 0, reserved_cents: 0, refunded_cents: 0, tips_cents: 0, paid_at: null, version: 1 },
    ...{ total_cents: amount_cents, limit_cents: amount_cents, line_items: null, partial: null, tip: null, collect: [] },
    ...{ customer: { phone: null, email: null, ...customer }, metadata: {}, language: null, remind: null, due_on: null },
    ...{ timezone: "UTC", token: id.slice(-13), expires_at: new Date(now.getTime() + 86_400_000).toISOString() },
  } as unknown as NewLink;
  const insert = insertQuery({ partner_id }, link, now);
  await query(insert.statement, insert.values);
  return newLinkOf(link, { now, base_url: "http://127.0.0.1" }).json;
});
