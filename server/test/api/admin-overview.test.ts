import { beforeAll, expect, test } from "vitest";
import { trading } from "../harness/marketplace.ts";
import { newUser, signIn } from "../harness/people.ts";
import { newSale, nextCompany, setProgramme } from "../harness/sales.ts";
import { newEndpoint } from "../harness/webhooks.ts";
import { ADMIN, BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
let operator: string;
let partners: TestPartner[];
const trade = trading(world, () => operator);

const overview = async (): Promise<Json> => {
  const { status, body, text } = await world.call("GET", `${ADMIN}/overview`, { key: operator });
  expect(status, text).toBe(200);
  return body;
};

beforeAll(async () => {
  operator = await world.newOperator();
  partners = [await world.newPartner({ company: "Alder" }), await world.newPartner({ company: "Birch", api_access: false })];
});

test("the overview counts partners and clients, without house accounts, and adds up revenue by currency", async () => {
  const [alder, birch] = partners as [TestPartner, TestPartner];
  await world.newClient(alder, { mrr_cents: 500 });
  await world.newClient(alder, { mrr_cents: 70, currency: "eur" });
  await world.newClient(alder, { mrr_cents: 900, activate: false });
  await newSale(world, birch);
  await setProgramme(world, operator, { default_currency: "usd" });
  const { partners: counts, clients, mrr, largest_partners } = await overview();
  expect(counts).toEqual({ active: 2, suspended: 0, new_this_month: 2 });
  expect(clients).toEqual({ pending: 1, active: 2, suspended: 0, churned: 0 });
  expect(mrr).toEqual([
    { currency: "usd", mrr_cents: 500 },
    { currency: "eur", mrr_cents: 70 },
  ]);
  const { partner_id } = alder;
  expect(largest_partners).toEqual([
    { partner_id, company: "Alder", grade: "gold", clients: 1, currency: "usd", mrr_cents: 500 },
  ]);
  await world.call("POST", `${ADMIN}/partners/${birch.partner_id}/suspend`, { key: operator });
  expect((await overview()).partners).toMatchObject({ active: 1, suspended: 1 });
  await world.call("POST", `${ADMIN}/partners/${birch.partner_id}/reactivate`, { key: operator });
});

test("the overview shows what waits for a decision, the oldest first, until it is decided", async () => {
  const [alder, birch] = partners as [TestPartner, TestPartner];
  await setProgramme(world, operator, { registration_review: "review" });
  const company = nextCompany();
  const first = await newSale(world, alder, { company });
  world.clock.advance(1_000);
  const second = await newSale(world, birch);
  await world.call("POST", `${BASE}/access-request`, { key: birch.key, body: { message: "We sync our CRM." } });
  const { registrations, access_requests } = await overview();
  expect(registrations.waiting).toBe(2);
  expect(registrations.oldest.map(({ deal_id, partner }: Json) => [deal_id, partner])).toEqual([
    [first.deal_id, "Alder"],
    [second.deal_id, "Birch"],
  ]);
  expect(registrations.oldest[0]).toMatchObject({ company, plan: "Growth", mrr_cents: 49_900, currency: "usd" });
  expect(access_requests).toMatchObject({ waiting: 1, oldest: [{ partner: "Birch", message: "We sync our CRM." }] });
  await world.call("POST", `${ADMIN}/registrations/${first.deal_id}/approve`, { key: operator });
  expect((await overview()).registrations.waiting).toBe(1);
});

test("the overview shows the offers that wait for review, and the purchases that are due, until they are decided", async () => {
  const [alder] = partners as [TestPartner];
  const cedar = await world.newPartner({ company: "Cedar" });
  const waiting = await trade.newListing(alder);
  const sold = await trade.newOffer(alder, { price_cents: 4_900 });
  const { id } = (await trade.buy(cedar, sold)).body;
  const { listings, purchases } = await overview();
  expect(listings).toMatchObject({ waiting: 1, oldest: [{ snapshot_id: waiting, partner: "Alder", version: 1 }] });
  expect(purchases).toMatchObject({ waiting: 1, oldest: [{ id, partner: "Cedar", snapshot_id: sold, price_cents: 4_900 }] });
  await trade.approve(waiting);
  await trade.complete(id);
  const after = await overview();
  expect([after.listings, after.purchases]).toEqual([
    { waiting: 0, oldest: [] },
    { waiting: 0, oldest: [] },
  ]);
});

test("the overview shows endpoints that fail, the health of the installation and the newest audit entries", async () => {
  const [alder] = partners as [TestPartner];
  const { id, url } = await newEndpoint(world, alder.key);
  const since = world.clock.now().toISOString();
  await world.db.sql("update webhook_lanes set state = 'degraded', failing_since = $2 where endpoint_id = $1", [id, since]);
  // That an operator came to look is no news to the operator.
  await signIn(world, await newUser(world, null));
  const { failing_endpoints, health, recent } = await overview();
  expect(failing_endpoints).toEqual([
    { endpoint_id: id, partner_id: alder.partner_id, partner: "Alder", url, failing_since: since },
  ]);
  expect(health).toMatchObject({ readiness: "ready", deliveries: { endpoints_degraded: 1 } });
  expect(recent.data).toHaveLength(10);
  expect(recent.data[0]).toMatchObject({ action: "webhooks.create", partner_id: alder.partner_id });
});

test("the health of the installation tells how long the oldest event and the oldest delivery have waited", async () => {
  const [alder] = partners as [TestPartner];
  const health = async (): Promise<Json> => (await world.call("GET", `${ADMIN}/health`, { key: operator })).body;
  await newEndpoint(world, alder.key);
  await world.newClient(alder);
  const before = await health();
  world.clock.advance(60_000);
  await world.newClient(alder);
  const { feed, deliveries } = await health();
  expect(feed.waiting_events).toBeGreaterThan(before.feed.waiting_events);
  expect(feed.oldest_waiting_seconds).toBe(before.feed.oldest_waiting_seconds + 60);
  expect(deliveries.pending).toBeGreaterThan(before.deliveries.pending);
  expect(deliveries.oldest_pending_seconds).toBe(before.deliveries.oldest_pending_seconds + 60);
});

test("the overview tells when the schedule starts the next payout run", async () => {
  await setProgramme(world, operator, { payout_cron: "0 6 15 * *", payout_time_zone: "UTC" });
  const at = new Date((await overview()).next_payout_run_at);
  expect([at > world.clock.now(), at.getUTCDate(), at.getUTCHours()]).toEqual([true, 15, 6]);
  await setProgramme(world, operator, { payout_cron: null });
  expect((await overview()).next_payout_run_at).toBeNull();
});
