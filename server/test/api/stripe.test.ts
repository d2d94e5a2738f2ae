import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reconcileAttempts } from "../../src/features/billing/payments/attempts.commands.ts";
import { LOOK_AFTER_MS } from "../../src/features/billing/payments/model.ts";
import { reconcileRefunds } from "../../src/features/billing/payments/refunds.commands.ts";
import { createContext } from "../../src/platform/record/context.ts";
import { billingOf } from "../harness/billing.ts";
import { sized } from "../harness/size.ts";
import { StripeServer } from "../harness/stripe-server.ts";
import { ADMIN, GENERAL, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({ egress: "development" }, "api");
let stripe: StripeServer;
let partner: TestPartner;
let provider: Json;
const billing = () => billingOf(world);
const newLink = (fields: object = {}) => billing().newLink(partner, fields);
const linkNow = (link: Json) => billing().get(partner, `/payment-links/${link.id}`);
const paymentOf = async (link: Json): Promise<Json> => (await billing().paymentsOf(partner, link))[0];

beforeAll(async () => {
  stripe = await new StripeServer(world.clock.now).open();
  partner = await world.newPartner();
  provider = await billing().newProvider(partner, stripe.provider());
});
afterAll(() => stripe.close());

const contextOf = (partner_id: string) => createContext(world.app.services, { principal: { type: "system", partner_id } });
async function reconcile(): Promise<void> {
  world.clock.advance(LOOK_AFTER_MS);
  await reconcileAttempts(world.app.services, contextOf, 500);
  await reconcileRefunds(world.app.services, contextOf, 500);
}

/** Begins to pay a link; gives the id of the session at Stripe. */
async function begin(link: Json, fields: Record<string, string> = {}): Promise<string> {
  const { status, text, location } = await billing().begin(link, fields);
  expect(status, text).toBe(303);
  expect(location).toMatch(/^https:\/\/checkout\.stripe\.com\//);
  return location.slice(location.lastIndexOf("/") + 1);
}
const sessionOf = (id: string): Json => stripe.sessions.find((session) => session.id === id);
const hear = ({ body, headers }: ReturnType<StripeServer["event"]>, path = provider.hook_path) =>
  world.call("POST", path, { body, headers });
const completed = (id: string) => stripe.event("checkout.session.completed", sessionOf(id));

async function paidLink(fields: object = {}): Promise<{ link: Json; session: string; payment: Json }> {
  const link = await newLink(fields);
  const session = await begin(link);
  stripe.pay(session);
  expect((await hear(completed(session))).status).toBe(204);
  return { link, session, payment: await paymentOf(link) };
}

describe("a payment at Stripe", () => {
  test("is counted once, however often and in whatever order its events come", async () => {
    const link = await newLink({ description: "Invoice 1" });
    const session = await begin(link);
    expect(sessionOf(session)).toMatchObject({ amount_total: 10_000, currency: "usd" });
    expect(sessionOf(session).client_reference_id).toMatch(new RegExp(`^${partner.partner_id}\\.pat_`));
    stripe.pay(session);
    const [first, later] = [completed(session), stripe.event("checkout.session.async_payment_succeeded", sessionOf(session))];
    const events = [later, first, first, later, first];
    const replies = await Promise.all(events.map((event) => hear(event)));
    expect(replies.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204]);
    expect(await billing().paymentsOf(partner, link)).toMatchObject([
      { amount_cents: 10_000, provider: "stripe", method: "card", method_hint: "4242", live: false },
    ]);
    expect(await linkNow(link)).toMatchObject({ status: "paid", reserved_cents: 0 });
    const asked = stripe.calls.length;
    expect((await hear(first)).status).toBe(204);
    expect(stripe.calls).toHaveLength(asked);
  });

  test("is one payment, whichever of its events come five times, and in whatever order", async () => {
    const types = ["completed", "async_payment_succeeded", "expired"].map((type) => `checkout.session.${type}`);
    const order = fc.shuffledSubarray(
      [...types, ...types, ...types, ...types, ...types].map((type, index) => ({ type, copy: index % 2 === 0 })),
      { minLength: 15 },
    );
    await fc.assert(
      fc.asyncProperty(order, fc.nat({ max: 15 }), async (told, paid_after) => {
        const link = await newLink();
        const session = await begin(link);
        const first = new Map(types.map((type) => [type, stripe.event(type, sessionOf(session))]));
        for (const [index, { type, copy }] of told.entries()) {
          if (index === paid_after) stripe.pay(session);
          const event = copy ? first.get(type) : undefined;
          expect((await hear(event ?? stripe.event(type, sessionOf(session)))).status).toBe(204);
        }
        if (paid_after >= told.length) stripe.pay(session);
        await reconcile();
        expect(await billing().paymentsOf(partner, link)).toMatchObject([{ amount_cents: 10_000, flag: null }]);
        expect(await linkNow(link)).toMatchObject({ status: "paid", paid_cents: 10_000, reserved_cents: 0 });
      }),
      { numRuns: sized(4, 40) },
    );
  });

  test("that was made although we were not answered is not made twice: we ask again, and count it once", async () => {
    const link = await newLink();
    const session = await begin(link);
    stripe.pay(session);
    stripe.loseAnswers(`GET /v1/checkout/sessions/${session}`, 4);
    const [, attempt] = sessionOf(session).client_reference_id.split(".");
    expect((await billing().open(`${link.url}/return/${attempt}`)).text).toContain("The payment is not complete");
    expect((await hear(completed(session))).status).toBe(204);
    expect(await linkNow(link)).toMatchObject({ status: "active", paid_cents: 0, reserved_cents: 10_000 });
    // Nobody can pay it a second time meanwhile.
    expect((await billing().open(link.url)).text).toContain("Being paid right now");
    stripe.loseAnswers("", 0);
    await reconcile();
    expect(await billing().paymentsOf(partner, link)).toMatchObject([{ amount_cents: 10_000 }]);
    expect(await linkNow(link)).toMatchObject({ status: "paid", reserved_cents: 0 });
  });

  test("is in the language that the payer has chosen before, there and on the way back", async () => {
    const link = await newLink();
    const form = await billing().formOf(link);
    const begun = await billing().send(`${link.url}/attempts?lang=de`, form);
    const session = sessionOf((begun.headers.location ?? "").split("/").at(-1) ?? "");
    expect(session).toMatchObject({ locale: "de", cancel_url: session.success_url });
    const english = { "accept-language": "en" };
    expect((await billing().open(session.success_url, english)).text).toContain("Die Zahlung ist nicht abgeschlossen");
    stripe.pay(session.id);
    const back = await billing().open(session.success_url, english);
    expect(back.text).toContain('<html lang="de">');
    expect(back.text).toMatch(/\/receipt\/\S+\?lang=de"/);
  });

  test("is found by the payer who comes back, without an event", async () => {
    const link = await newLink();
    const session = await begin(link);
    stripe.pay(session);
    const [, attempt] = sessionOf(session).client_reference_id.split(".");
    expect((await billing().open(`${link.url}/return/${attempt}`)).text).toContain("has arrived");
    expect((await linkNow(link)).status).toBe("paid");
  });

  test("that was declined goes on at Stripe; another payer ends it, and pays", async () => {
    const link = await newLink();
    const session = await begin(link);
    await reconcile();
    expect(await linkNow(link)).toMatchObject({ status: "active", reserved_cents: 10_000 });
    await billing().send(`${link.url}/release`, {});
    expect(sessionOf(session).status).toBe("expired");
    expect(await linkNow(link)).toMatchObject({ reserved_cents: 0 });
    await hear(stripe.event("checkout.session.expired", sessionOf(session)));
    stripe.pay(await begin(link));
    await reconcile();
    expect(await linkNow(link)).toMatchObject({ status: "paid", paid_cents: 10_000 });
  });

  test("takes days with a debit, and may fail then", async () => {
    const link = await newLink();
    const session = await begin(link);
    stripe.pay(session, "sepa_debit");
    await hear(completed(session));
    expect(await linkNow(link)).toMatchObject({ status: "active", reserved_cents: 10_000 });
    stripe.decide(session, false);
    await hear(stripe.event("checkout.session.async_payment_failed", sessionOf(session)));
    expect(await linkNow(link)).toMatchObject({ status: "active", reserved_cents: 0 });
    const { data } = await billing().get(partner, `/payment-links/${link.id}/attempts`);
    expect(data).toMatchObject([{ state: "failed", failure: "The debit was returned." }]);
  });

  test("that an event calls back to life counts, as one too many if others have paid", async () => {
    const link = await newLink();
    const session = await begin(link);
    await billing().send(`${link.url}/release`, {});
    stripe.pay(await begin(link));
    await reconcile();
    // Stripe breaks its word.
    sessionOf(session).status = "open";
    stripe.pay(session);
    await hear(completed(session));
    expect((await billing().paymentsOf(partner, link)).map(({ flag }: Json) => flag)).toEqual(["overpaid", null]);
  });

  test.each([1, 4])("whose beginning was answered by nothing, %i times, begins once", async (times) => {
    const link = await newLink();
    const before = stripe.sessions.length;
    stripe.loseAnswers("POST /v1/checkout/sessions", times);
    const { status } = await billing().begin(link);
    expect(status).toBe(times === 1 ? 303 : 503);
    stripe.loseAnswers("POST /v1/checkout/sessions", 0);
    await reconcile();
    expect(stripe.sessions).toHaveLength(before + 1);
    stripe.pay(stripe.sessions.at(-1).id);
    await reconcile();
    expect(await linkNow(link)).toMatchObject({ status: "paid", paid_cents: 10_000 });
  });
});

describe("an event", () => {
  test("is believed only with the signature of Stripe, and for five minutes", async () => {
    const link = await newLink();
    const session = await begin(link);
    stripe.pay(session);
    const { body, headers } = completed(session);
    const forged = { body: body.replace("evt_", "evt_x"), headers };
    for (const one of [forged, { body, headers: {} }, { body, headers: { "stripe-signature": "t=1,v1=00" } }])
      expect((await hear(one as ReturnType<StripeServer["event"]>)).body).toMatchObject({ code: "invalid_signature" });
    world.clock.advance(301_000);
    expect((await hear({ body, headers })).status).toBe(401);
    expect((await linkNow(link)).status).toBe("active");
    expect((await hear(completed(session), "/hooks/payments/0000000000000")).status).toBe(404);
  });

  test("of another provider moves nothing", async () => {
    const other = await world.newPartner();
    const theirs = await billing().newProvider(other, stripe.provider());
    const link = await newLink();
    const session = await begin(link);
    stripe.pay(session);
    expect((await hear(completed(session), theirs.hook_path)).status).toBe(204);
    expect((await linkNow(link)).status).toBe("active");
  });

  test("about nothing of ours is taken", async () => {
    expect((await hear(stripe.event("customer.created", { id: "cus_1" }))).status).toBe(204);
    for (const client_reference_id of ["order-1", `${partner.partner_id}.\u0000`])
      expect((await hear(stripe.event("checkout.session.completed", { id: "cs_x", client_reference_id }))).status).toBe(204);
  });
});

describe("a refund at Stripe", () => {
  const refund = (payment: Json, body: object = {}) =>
    world.call("POST", `${GENERAL}/billing/payments/${payment.id}/refund`, {
      key: partner.key,
      body: { reason: "Sorry", ...body },
    });
  const paymentNow = (payment: Json) => billing().get(partner, `/payments/${payment.id}`);
  const refundsOf = async ({ id }: Json) =>
    stripe.refunds.filter(({ payment_intent }) => payment_intent === sessionOf(id).payment_intent);

  test("returns money once, although the answer was lost", async () => {
    const { payment, session } = await paidLink();
    stripe.loseAnswers("POST /v1/refunds", 4);
    expect((await refund(payment, { amount_cents: 4_000 })).body).toMatchObject({ refunding_cents: 4_000 });
    expect(await paymentNow(payment)).toMatchObject({ refunding_cents: 4_000, refunded_cents: 0 });
    stripe.loseAnswers("POST /v1/refunds", 0);
    await reconcile();
    expect(await paymentNow(payment)).toMatchObject({ status: "partially_refunded", refunded_cents: 4_000, refunding_cents: 0 });
    expect(await refundsOf({ id: session })).toHaveLength(1);
    await refund(payment);
    expect(await paymentNow(payment)).toMatchObject({ status: "refunded", refunded_cents: 10_000 });
  });

  test("that was made at Stripe itself is counted, once, and never beyond what was paid", async () => {
    const { payment, session, link } = await paidLink();
    const made = stripe.refundByHand(session, 2_500);
    const events = ["refund.created", "refund.updated", "refund.updated"].map((type) => stripe.event(type, made));
    await Promise.all(events.map((event) => hear(event)));
    const now = await paymentNow(payment);
    expect(now).toMatchObject({ status: "partially_refunded", refunded_cents: 2_500, refunds: [{ amount_cents: 2_500 }] });
    expect(now.refunds).toHaveLength(1);
    expect(await linkNow(link)).toMatchObject({ refunded_cents: 2_500, status: "paid" });
    expect((await hear(stripe.event("refund.created", stripe.refundByHand(session, 7_501)))).status).toBe(204);
    expect(await paymentNow(payment)).toEqual(now);
  });
});

describe("a dispute at Stripe", () => {
  test.each([
    ["won", "succeeded"],
    ["lost", "lost"],
  ] as const)("that is %s leaves the payment %s, in whatever order its events come", async (end, status) => {
    const { payment, session } = await paidLink();
    const dispute = stripe.dispute(session, 10_000);
    const opened = stripe.event("charge.dispute.created", dispute);
    await hear(opened);
    expect(await billing().get(partner, `/payments/${payment.id}`)).toMatchObject({ status: "disputed" });
    const { data } = await billing().get(partner, `/disputes?payment_id=${payment.id}`);
    expect(data).toMatchObject([{ status: "open", amount_cents: 10_000, reason: "fraudulent", decided_at: null }]);
    stripe.closeDispute(dispute, end);
    const closed = stripe.event("charge.dispute.closed", dispute);
    // What was told first comes last: the dispute is asked for, not the event.
    await Promise.all([hear(closed), hear(stripe.event("charge.dispute.created", dispute)), hear(closed)]);
    const now = await billing().get(partner, `/payments/${payment.id}`);
    expect(now).toMatchObject({ status, disputes: [{ status: end }] });
    expect(now.disputes).toHaveLength(1);
    expect(await billing().get(partner, `/disputes/${now.disputes[0].id}`)).toMatchObject({
      payment_id: payment.id,
      currency: "usd",
    });
  });
});

test("the operator's account at Stripe tells of payments of any partner: they are charges, and lost disputes take them back", async () => {
  const operator = await world.newOperator();
  const body = { name: "Stripe of the programme", ...stripe.provider() };
  const { body: programme, status, text } = await world.call("POST", `${ADMIN}/providers`, { key: operator, body });
  expect(status, text).toBe(201);
  const client = await world.newClient(partner);
  const [house] = await world.db.sql<Json>("select id from clients where partner_id = $1 and house", [partner.partner_id]);
  const link = await newLink({ account_id: house.id, charge: { client_id: client.id } });
  const session = await begin(link);
  stripe.pay(session);
  // The partner's own provider is not told of it, nor believed.
  await hear(completed(session));
  expect(await billing().paymentsOf(partner, link)).toEqual([]);
  expect((await hear(completed(session), programme.hook_path)).status).toBe(204);
  expect(await paymentOf(link)).toMatchObject({
    provider_id: programme.id,
    charge: { client_id: client.id, amount_cents: 10_000 },
  });
  const dispute = stripe.dispute(session, 10_000);
  stripe.closeDispute(dispute, "lost");
  expect((await hear(stripe.event("charge.dispute.closed", dispute), programme.hook_path)).status).toBe(204);
  const { status: ended, disputes } = await paymentOf(link);
  expect(ended).toBe("lost");
  const taken = await world.db.sql<Json>("select external_id, amount_cents::int from refunds where client_id = $1", [client.id]);
  expect(taken).toEqual([{ external_id: disputes[0].id, amount_cents: 10_000 }]);
});

describe("an amount", () => {
  const create = (currency: string, amount_cents: number, more: object = {}) =>
    world.call("POST", `${GENERAL}/billing/payment-link`, {
      key: partner.key,
      body: { customer: { name: "Ada" }, currency, amount_cents, ...more },
    });

  test.each([
    ["kwd", 1_055],
    ["mga", 1_050],
  ])("of %s %i that Stripe cannot take is refused", async (currency, amount_cents) => {
    const reply = await create(currency, amount_cents);
    expect([reply.status, reply.body.code]).toEqual([422, "amount_not_supported"]);
  });

  test.each([
    ["isk", 1_050, 105_000],
    ["mga", 1_000, 10],
    ["jpy", 1_050, 1_050],
    ["kwd", 1_050, 1_050],
  ])("of %s %i is %i at Stripe, and exact here", async (currency, amount_cents, amount_total) => {
    const { session, payment } = await paidLink({ currency, amount_cents });
    expect(sessionOf(session)).toMatchObject({ amount_total, currency });
    expect(payment).toMatchObject({ currency, amount_cents });
  });

  test("of a part or a refund is refused likewise", async () => {
    const link = (await create("kwd", 2_000, { partial: {} })).body;
    expect((await billing().begin(link, { amount: "1.005" })).status).toBe(409);
    const { payment } = await paidLink({ currency: "kwd", amount_cents: 2_000 });
    const reply = await world.call("POST", `${GENERAL}/billing/payments/${payment.id}/refund`, {
      key: partner.key,
      body: { reason: "Sorry", amount_cents: 1_005 },
    });
    expect(reply.body).toMatchObject({ code: "amount_not_supported" });
  });
});
