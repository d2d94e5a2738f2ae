import { beforeAll, describe, expect, test } from "vitest";
import { billingOf } from "../harness/billing.ts";
import { brokenBooks } from "../harness/books.ts";
import { earning } from "../harness/earning.ts";
import { newSale } from "../harness/sales.ts";
import { ADMIN, BASE, GENERAL, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
const DISPUTED = "4000 0000 0000 0259";
let operator: string;
let partner: TestPartner;
let provider: Json;
let house: string;
const billing = () => billingOf(world);
const money = earning(world, () => operator);
const create = (fields: object) =>
  world.call("POST", `${GENERAL}/billing/payment-link`, {
    key: partner.key,
    body: { account_id: house, customer: { name: "Ada" }, amount_cents: 49_900, currency: "usd", charge: {}, ...fields },
  });

beforeAll(async () => {
  operator = await world.newOperator();
  partner = await world.newPartner();
  await billing().newProvider(partner, { name: "The partner's own" });
  const made = await money.admin("POST", "/providers", { kind: "test", name: "Trial of the operator" });
  expect(made.status, made.text).toBe(201);
  provider = made.body;
  const { body } = await world.call("GET", `${BASE}/clients?include_house=true`, { key: partner.key });
  house = body.data.find((client: Json) => client.house).id;
});

/** A sale, and a link that wins it and charges its client once it is paid. */
async function sellByLink(fields: object = {}): Promise<{ link: Json; deal_id: string }> {
  const { deal_id } = await newSale(world, partner);
  const reply = await create({ deal_id, on_paid: { move_deal: { stage: "Won" } }, ...fields });
  expect(reply.status, reply.text).toBe(201);
  return { link: reply.body, deal_id };
}
const paymentOf = async (link: Json): Promise<Json> => (await billing().paymentsOf(partner, link))[0];
const chargesOf = async (client_id: string): Promise<Json[]> =>
  (await money.admin("GET", `/charges?client_id=${client_id}`)).body.data;
const total = async () => (await money.commissions(partner)).reduce((sum, { amount_cents }) => sum + amount_cents, 0);

describe("a payment to the operator", () => {
  test("wins the sale, charges the client that this made, and earns; a refund takes it back", async () => {
    const before = await total();
    const { link, deal_id } = await sellByLink();
    await billing().pay(link);
    const payment = await paymentOf(link);
    const { body: deal } = await world.call("GET", `${GENERAL}/deals/${deal_id}`, { key: partner.key });
    expect(deal.status).toBe("won");
    expect(payment).toMatchObject({
      provider_id: provider.id,
      charge: { client_id: deal.client_id, amount_cents: 49_900 },
      on_paid_results: [
        { action: "move_deal", status: "done" },
        { action: "charge", status: "done" },
      ],
    });
    const [charge, ...others] = await chargesOf(deal.client_id);
    expect(others).toEqual([]);
    expect(charge).toMatchObject({ external_id: payment.id, source: "billing", amount_cents: 49_900, outcome: "earned" });
    expect(await total()).toBeGreaterThan(before);
    await billing().post(partner, `/payments/${payment.id}/refund`, { amount_cents: 10_000, reason: "Sorry" });
    await billing().post(partner, `/payments/${payment.id}/refund`, { reason: "Sorry" });
    const refunded = await billing().get(partner, `/payments/${payment.id}`);
    expect(refunded.on_paid_results.slice(2)).toMatchObject([
      { action: "charge_refund", status: "done" },
      { action: "charge_refund", status: "done" },
    ]);
    const { body: detail } = await money.admin("GET", `/charges/${charge.id}`);
    expect(detail.refunds.map(({ external_id }: Json) => external_id)).toEqual(refunded.refunds.map(({ id }: Json) => id));
    expect(detail.refunded_cents).toBe(49_900);
    expect(await total()).toBe(before);
    expect(await brokenBooks(world.db.sql)).toEqual([]);
  });

  test("that is lost in a dispute is taken back, under the id of the dispute", async () => {
    const before = await total();
    const client = await world.newClient(partner);
    const { link } = await sellByLink({ charge: { client_id: client.id }, on_paid: null });
    const { location } = await billing().begin(link);
    await billing().giveCard(location, DISPUTED);
    const payment = await paymentOf(link);
    expect(payment).toMatchObject({ status: "disputed", charge: { client_id: client.id } });
    expect((await billing().send(location, { dispute: "lost" })).status).toBe(303);
    const lost = await billing().get(partner, `/payments/${payment.id}`);
    expect(lost).toMatchObject({ status: "lost", disputes: [{ status: "lost", amount_cents: 49_900 }] });
    const [charge] = await chargesOf(client.id);
    const { body: detail } = await money.admin("GET", `/charges/${charge?.id}`);
    expect(detail.refunds).toMatchObject([{ external_id: lost.disputes[0].id, amount_cents: 49_900 }]);
    expect(await total()).toBe(before);
    expect(await brokenBooks(world.db.sql)).toEqual([]);
  });

  test("charges the amount without tax, exactly also in parts", async () => {
    const client = await world.newClient(partner);
    const items = [{ name: "Plan", quantity: 3, unit_cents: 3_333, tax_cents: 1_900 }];
    const fields = { amount_cents: undefined, line_items: items, partial: {}, charge: { client_id: client.id }, on_paid: null };
    const { link } = await sellByLink(fields);
    await billing().pay(link, { amount: "50" });
    await billing().pay(link, {});
    const charges = await chargesOf(client.id);
    expect(charges.reduce((sum, { amount_cents }) => sum + amount_cents, 0)).toBe(9_999);
  });

  test("without a client is told, and the operator records it", async () => {
    const { link } = await sellByLink({ on_paid: null });
    await billing().pay(link);
    expect(await paymentOf(link)).toMatchObject({
      charge: null,
      on_paid_results: [{ action: "charge", status: "refused", code: "client_missing" }],
    });
  });
});

test("money that the operator did not receive never charges", async () => {
  const client = await world.newClient(partner);
  const { link } = await sellByLink({ charge: { client_id: client.id }, on_paid: null });
  await billing().post(partner, `/payment-links/${link.id}/record-payment`, { amount_cents: 49_900, method: "cash" }, 201);
  expect(await paymentOf(link)).toMatchObject({ charge: null, on_paid_results: [] });
  const own = await billing().newLink(partner, { account_id: house });
  await billing().pay(own);
  expect(await paymentOf(own)).toMatchObject({ charge: null, on_paid_results: [] });
  expect(await chargesOf(client.id)).toEqual([]);
});

test.each([
  [{ tip: { percentages: [10] } }, "no_tip_with_charge"],
  [{ charge: { client_id: "cli_01jd3k5y5cf7m8n9p0q1r2s3t4" } }, "unknown_client"],
  [{ on_paid: { move_deal: { stage: "Won" } } }, "deal_required"],
  [{ on_paid: { add_tags: ["paid"] } }, "contact_required"],
  [{ on_paid: { send_message: { text: "Thanks" } } }, "conversation_required"],
])("a link with a charge is refused with %j", async (fields, code) => {
  const reply = await create(fields);
  expect(reply.status).toBe(422);
  expect(reply.body.errors).toMatchObject([{ code }]);
});

test("a charge is for the partner's own account alone", async () => {
  const reply = await create({ account_id: (await world.newClient(partner)).id });
  expect(reply.body.errors).toMatchObject([{ code: "house_only" }]);
  const itself = await create({ charge: { client_id: house } });
  expect(itself.body.errors).toMatchObject([{ code: "unknown_client" }]);
});

describe("providers of the operator", () => {
  test("are the operator's alone, with sealed secrets", async () => {
    const secrets = { secret_key: "sk_test_of_the_operator", webhook_secret: "whsec_of_the_operator" };
    const made = await money.admin("POST", "/providers", { kind: "stripe", name: "Stripe", status: "paused", secrets });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({ secrets_set: true, live: false });
    expect(made.text).not.toMatch(/of_the_operator/);
    expect((await world.call("GET", `${ADMIN}/providers`, { key: partner.key })).status).toBe(401);
    expect((await world.call("GET", `${GENERAL}/billing/providers/${made.body.id}`, { key: partner.key })).status).toBe(404);
    const path = `/providers/${made.body.id}`;
    const renamed = await money.admin("PATCH", path, { name: "Stripe of the programme", secrets: { webhook_secret: null } });
    expect(renamed.body).toMatchObject({ name: "Stripe of the programme", version: 2 });
    expect((await money.admin("DELETE", path)).status).toBe(204);
    expect((await money.admin("PATCH", path, { name: "Again" })).body).toMatchObject({ code: "invalid_state_transition" });
    const { body } = await money.admin("GET", "/providers");
    expect(body.data.map(({ id }: Json) => id)).toEqual([provider.id]);
  });
});
