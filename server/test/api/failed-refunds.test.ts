import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { billingOf } from "../harness/billing.ts";
import { brokenBooks, verifyLedger } from "../harness/books.ts";
import { earning } from "../harness/earning.ts";
import { newSale } from "../harness/sales.ts";
import { StripeServer } from "../harness/stripe-server.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({ egress: "development" }, "api");
let stripe: StripeServer;
let operator: string;
let above: TestPartner;
let partner: TestPartner;
let own: Json;
let programme: Json;
let house: string;
const billing = () => billingOf(world);
const money = earning(world, () => operator);

beforeAll(async () => {
  stripe = await new StripeServer(world.clock.now).open();
  operator = await world.newOperator();
  [above, partner] = [await world.newPartner(), await world.newPartner()];
  await world.newClient(above);
  await money.setParent(partner, above);
  own = await billing().newProvider(partner, stripe.provider());
  programme = (await money.admin("POST", "/providers", stripe.provider({ name: "Stripe of the programme" }))).body;
  const { body } = await world.call("GET", `${BASE}/clients?include_house=true`, { key: partner.key });
  house = body.data.find((client: Json) => client.house).id;
});
afterAll(() => stripe.close());

const hear = async (provider: Json, type: string, object: Json) => {
  const { body, headers } = stripe.event(type, object);
  expect((await world.call("POST", provider.hook_path, { body, headers })).status).toBe(204);
};
const paymentNow = ({ id }: Json) => billing().get(partner, `/payments/${id}`);
const linkNow = ({ id }: Json) => billing().get(partner, `/payment-links/${id}`);
const refund = ({ id }: Json, fields: object = {}) =>
  billing().post(partner, `/payments/${id}/refund`, { reason: "Sorry", ...fields });
/** The refund that was made at Stripe last. */
const lastRefund = () => stripe.refunds.at(-1);
async function fail(provider: Json, made: Json): Promise<void> {
  stripe.failRefund(made);
  await Promise.all(["refund.failed", "refund.updated", "refund.updated"].map((type) => hear(provider, type, made)));
}

async function paid(provider: Json, fields: object): Promise<{ link: Json; session: string; payment: Json }> {
  const link = await billing().newLink(partner, fields);
  const { location } = await billing().begin(link);
  const session = location.slice(location.lastIndexOf("/") + 1);
  stripe.pay(session);
  const seen = stripe.sessions.find(({ id }) => id === session);
  await hear(provider, "checkout.session.completed", seen);
  return { link, session, payment: (await billing().paymentsOf(partner, link))[0] };
}

describe("a refund that succeeds and fails days later", () => {
  test("is no longer counted, and the money can be refunded again", async () => {
    const { payment, link } = await paid(own, {});
    await refund(payment, { amount_cents: 4_000 });
    const made = lastRefund();
    await refund(payment, { amount_cents: 1_000 });
    expect(await paymentNow(payment)).toMatchObject({ status: "partially_refunded", refunded_cents: 5_000 });
    await fail(own, made);
    const failed = { status: "failed", failure: expect.stringContaining("lost_or_stolen_card") };
    expect(await paymentNow(payment)).toMatchObject({
      status: "partially_refunded",
      refunded_cents: 1_000,
      refunding_cents: 0,
      refunds: [failed, { status: "succeeded", failure: null }],
    });
    expect(await linkNow(link)).toMatchObject({ refunded_cents: 1_000, status: "paid" });
    await refund(payment);
    expect(await paymentNow(payment)).toMatchObject({ status: "refunded", refunded_cents: 10_000 });
  });

  test("is no longer counted if it was made at Stripe, either", async () => {
    const { payment, link, session } = await paid(own, {});
    const made = stripe.refundByHand(session, 10_000);
    await hear(own, "refund.created", made);
    expect(await paymentNow(payment)).toMatchObject({ status: "refunded" });
    await fail(own, made);
    expect(await paymentNow(payment)).toMatchObject({ status: "succeeded", refunded_cents: 0, refunds: [{ status: "failed" }] });
    expect(await linkNow(link)).toMatchObject({ refunded_cents: 0 });
  });
});

describe("a refund of a charge that fails days later", () => {
  const earned = async () => {
    const sums = [];
    for (const one of [partner, above])
      sums.push((await money.commissions(one)).reduce((sum, { amount_cents }) => sum + amount_cents, 0));
    return sums;
  };
  const standing = async () => [await money.balances(partner), await money.balances(above)];
  const chargeOf = async ({ charge }: Json) => {
    const { body } = await money.admin("GET", `/charges?client_id=${charge.client_id}`);
    return (await money.admin("GET", `/charges/${body.data[0].id}`)).body;
  };
  /** A sale that a payment wins, whose charge is a fraction of what was paid. */
  const sold = async () => {
    const { deal_id } = await newSale(world, partner);
    const line_items = [{ name: "Plan", quantity: 1, unit_cents: 33_333, tax_cents: 6_667 }];
    const fields = { account_id: house, deal_id, on_paid: { move_deal: { stage: "Won" } }, charge: {}, line_items };
    return paid(programme, { ...fields, amount_cents: undefined });
  };
  const consistent = async () => {
    expect(await brokenBooks(world.db.sql)).toEqual([]);
    expect(await verifyLedger(world, [partner, above])).toEqual([]);
  };

  test.each(["pending", "approved", "held"])("gives back what it took of %s commissions, at every level", async (status) => {
    const { payment } = await sold();
    if (status === "approved") {
      world.clock.advance(60 * 86_400_000);
      await money.runJob("commission_approval");
    }
    const [root] = (await money.commissions(partner)).filter(({ client_id }) => client_id === payment.charge.client_id);
    if (status === "held")
      await money.admin("POST", `/commissions/${root?.id}/hold`, { reason: "Invoice disputed" }, { "if-match": "*" });
    const before = [await earned(), await standing()];
    expect((await earned()).every((cents) => cents > 0)).toBe(true);
    await refund(payment);
    expect([await earned(), await standing()]).not.toEqual(before);
    expect(await chargeOf(payment)).toMatchObject({ refunded_cents: 33_333 });
    const between = world.clock.now().toISOString();
    world.clock.advance(120_000);
    await fail(programme, lastRefund());
    expect([await earned(), await standing()]).toEqual(before);
    expect(await chargeOf(payment)).toMatchObject({ refunded_cents: 0, refunds: [{ applied_cents: 0 }] });
    const kept = (await money.commissions(partner)).find(({ id }) => id === root?.id);
    expect(kept?.status).toBe(status);
    const then = (await money.commissions(partner, `&as_of=${between}`)).filter(({ client_id }) => client_id === root?.client_id);
    expect(then.map((row) => row.status)).toEqual(then.map(() => "void"));
    await consistent();
    await refund(payment);
    expect(await chargeOf(payment)).toMatchObject({ refunded_cents: 33_333 });
    await consistent();
  });

  test("leaves the charge to the parts that were returned, to the cent", async () => {
    const { payment } = await sold();
    await refund(payment, { amount_cents: 1_001 });
    const first = lastRefund();
    await refund(payment, { amount_cents: 1_002 });
    await fail(programme, first);
    for (const amount_cents of [1, 1_003]) await refund(payment, { amount_cents });
    const { refunded_cents } = await paymentNow(payment);
    expect(refunded_cents).toBe(2_006);
    expect((await chargeOf(payment)).refunded_cents).toBe(Math.round((2_006 * 33_333) / 40_000));
    await refund(payment);
    expect(await chargeOf(payment)).toMatchObject({ refunded_cents: 33_333 });
    const results = (await paymentNow(payment)).on_paid_results;
    expect(results.every(({ status }: Json) => status === "done")).toBe(true);
    await consistent();
  });

  test("gives nothing back of what a dispute has taken since", async () => {
    const before = await earned();
    const { payment, session } = await sold();
    await refund(payment, { amount_cents: 10_000 });
    const made = lastRefund();
    const dispute = stripe.dispute(session, 40_000);
    stripe.closeDispute(dispute, "lost");
    await hear(programme, "charge.dispute.closed", dispute);
    await fail(programme, made);
    expect(await paymentNow(payment)).toMatchObject({ status: "lost", refunded_cents: 0 });
    expect(await chargeOf(payment)).toMatchObject({ refunded_cents: 33_333 });
    expect(await earned()).toEqual(before);
    await consistent();
  });
});
