import { beforeAll, expect, test } from "vitest";
import { billingOf } from "../harness/billing.ts";
import { BASE, GENERAL, type Json, nextPhone, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
let partner: TestPartner;
const billing = () => billingOf(world);
const newLink = (fields: object = {}) => billing().newLink(partner, fields);

beforeAll(async () => {
  partner = await world.newPartner();
  await billing().newProvider(partner);
});

test("a payment is on the timelines of the contact and of its lead, and among the client's activity, for whoever may read it", async () => {
  const client = await world.newClient(partner);
  const lead = await world.newLead(partner, { account_id: client.id, phone: nextPhone() });
  const { body: converted } = await world.call("POST", `${GENERAL}/leads/${lead.id}/convert`, { key: partner.key, body: {} });
  const link = await newLink({ account_id: client.id, customer: converted.contact.id });
  await billing().pay(link);
  const [payment] = await billing().paymentsOf(partner, link);
  await billing().post(partner, `/payments/${payment.id}/refund`, { amount_cents: 2_500, reason: "Sorry" });
  const poor = await world.newKey(partner, { scopes: ["contacts:read", "leads:read", "clients:read"] });
  const entries = async (path: string, key = partner.key): Promise<Json[]> => {
    const { body } = await world.call("GET", path, { key });
    return body.data.filter((entry: Json) => entry.type === "payment" || /^payments\./.test(entry.name ?? entry.action));
  };
  const contact = await entries(`${GENERAL}/contacts/${converted.contact.id}/timeline`);
  expect(contact.map(({ type, action }) => [type, action])).toContainEqual(["payment", "payments.refund"]);
  const received = contact.filter(({ action }) => action === "payments.receive");
  const shown = { payment_link_id: link.id, amount_cents: 10_000, tip_cents: 0, currency: "usd" };
  expect(received).toMatchObject([{ id: payment.id, type: "payment", payment: shown }]);
  const ofLead = await entries(`${GENERAL}/leads/${lead.id}/timeline`);
  expect(ofLead).toMatchObject([{ id: payment.id, payment: shown }]);
  const activity = await entries(`${BASE}/clients/${client.id}/activity`);
  expect(activity.map(({ name }) => name)).toEqual(expect.arrayContaining(["payments.receive", "payments.refund"]));
  for (const path of [
    `${GENERAL}/contacts/${converted.contact.id}/timeline`,
    `${GENERAL}/leads/${lead.id}/timeline`,
    `${BASE}/clients/${client.id}/activity`,
  ])
    expect(await entries(path, poor)).toEqual([]);
});

test("links and payments are in the change feed, and are exported as CSV and NDJSON", async () => {
  const other = await world.newPartner();
  await billing().newProvider(other);
  const link = await billing().newLink(other);
  await billing().pay(link);
  const [payment] = await billing().paymentsOf(other, link);
  const feed = `${GENERAL}/changes?resource=payment_link&resource=payment&limit=100`;
  const first = await world.call("GET", feed, { key: other.key });
  expect(first.status, first.text).toBe(200);
  expect(new Set(first.body.data.map((change: Json) => change.id))).toEqual(new Set([link.id, payment.id]));
  for (const [path, id] of [
    ["payment-links", link.id],
    ["payments", payment.id],
  ]) {
    const csv = await world.call("GET", `${GENERAL}/billing/${path}?format=csv`, { key: other.key });
    expect(csv.text).toContain(id);
    const { text } = await world.call("GET", `${GENERAL}/billing/${path}?format=ndjson`, { key: other.key });
    const ids = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).id);
    expect(ids).toContain(id);
  }
});
