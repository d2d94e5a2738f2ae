import { beforeAll, describe, expect, test } from "vitest";
import { reconcileAttempts } from "../../src/features/billing/payments/attempts.commands.ts";
import { ABANDONED_AFTER_MS } from "../../src/features/billing/payments/model.ts";
import { createContext } from "../../src/platform/record/context.ts";
import { billingOf } from "../harness/billing.ts";
import { documentAt } from "../harness/pdf.ts";
import { GENERAL, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
let partner: TestPartner;
const billing = () => billingOf(world);
const newLink = (fields: object = {}) => billing().newLink(partner, fields);
const linkNow = (link: Json) => billing().get(partner, `/payment-links/${link.id}`);
const attemptsOf = async (link: Json): Promise<Json[]> =>
  (await billing().get(partner, `/payment-links/${link.id}/attempts`)).data;
const contextOf = (partner_id: string) => createContext(world.app.services, { principal: { type: "system", partner_id } });
const reconcile = () => reconcileAttempts(world.app.services, contextOf, 500);

beforeAll(async () => {
  partner = await world.newPartner({ company: "Harbour Dental", branding: { primary_color: "#0b7285" } });
  await billing().newProvider(partner);
});

describe("a payment by the page", () => {
  test("is counted once, with a receipt that its payer can open", async () => {
    const link = await newLink({ description: "Invoice 1" });
    const back = await billing().pay(link, { name: "Grace Hopper", email: "grace@test.example" });
    expect(back.text).toContain("Your payment of $100.00 has arrived.");
    expect(await linkNow(link)).toMatchObject({ status: "paid", paid_cents: 10_000, reserved_cents: 0, amount_due_cents: 0 });
    const [payment, ...others] = await billing().paymentsOf(partner, link);
    expect(others).toEqual([]);
    expect(payment).toMatchObject({
      amount_cents: 10_000,
      status: "succeeded",
      method: "card",
      method_hint: "4242",
      live: false,
      flag: null,
      payer: { name: "Grace Hopper", email: "grace@test.example", answers: {} },
    });
    expect(payment.receipt_number).toMatch(/^TEST-\d{6}$/);
    const receipt = await billing().get(partner, `/payments/${payment.id}/receipt`);
    const shown = await billing().open(receipt.url);
    expect(shown.text).toContain(`Receipt ${payment.receipt_number}`);
    expect(shown.text).toContain("Grace Hopper");
    expect(back.text).toContain(receipt.url.replace("http://tributary.test", ""));
    expect((await billing().open(receipt.url.slice(0, -1))).status).toBe(404);
    const path = receipt.pdf_url.replace("http://tributary.test", "");
    expect(shown.text).toContain(`${path}?lang=en`);
    for (const at of [path, `${GENERAL}/billing/payments/${payment.id}/receipt.pdf`]) {
      const { bytes, text } = await documentAt(world, at, partner.key);
      expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
      expect(text).toContain(`Receipt${payment.receipt_number}`);
    }
  });

  test("in parts keeps to the least amounts, and the last part may be smaller", async () => {
    const link = await newLink({ partial: { min_first_cents: 5_000, min_next_cents: 3_000 } });
    expect((await billing().begin(link, { amount: "49.99" })).status).toBe(422);
    await billing().pay(link, { amount: "60" });
    expect(await linkNow(link)).toMatchObject({ status: "partially_paid", paid_cents: 6_000, amount_due_cents: 4_000 });
    expect((await billing().begin(link, { amount: "20" })).status).toBe(422);
    await billing().pay(link, { amount: "30,00" });
    await billing().pay(link, {});
    expect(await linkNow(link)).toMatchObject({ status: "paid", paid_cents: 10_000 });
  });

  test("can have a tip, which is no part of the amount, and answers questions", async () => {
    const link = await newLink({ tip: { percentages: [15] }, collect: [{ key: "seat", label: "Which seat?", required: true }] });
    const missing = await billing().begin(link, { tip: "15" });
    expect(missing.status).toBe(422);
    expect(missing.text).toContain("Please fill in “Which seat?”.");
    await billing().pay(link, { tip: "15", answer_seat: "12 <b>" });
    expect(await linkNow(link)).toMatchObject({ paid_cents: 10_000, tips_cents: 1_500, status: "paid" });
    const [payment] = await billing().paymentsOf(partner, link);
    expect(payment).toMatchObject({ amount_cents: 10_000, tip_cents: 1_500, payer: { answers: { seat: "12 <b>" } } });
  });

  test.each([
    ["jpy", 1_050, "¥1,050"],
    ["usd", 1_050, "$10.50"],
    ["kwd", 1_050, "KWD 1.050"],
  ])("in %s is exact", async (currency, amount_cents, text) => {
    const link = await newLink({ currency, amount_cents });
    const { text: page } = await billing().open(link.url);
    expect(page.replaceAll(/\u00a0/g, " ")).toContain(`Pay ${text}`);
    await billing().pay(link);
    expect((await billing().paymentsOf(partner, link))[0]).toMatchObject({ currency, amount_cents });
  });

  test("of a link for several uses is whole each time, up to the last", async () => {
    const link = await newLink({ usage: "multi", uses_max: 2 });
    await billing().pay(link);
    expect(await linkNow(link)).toMatchObject({ status: "active", paid_cents: 10_000, amount_due_cents: 10_000 });
    await billing().pay(link);
    expect(await linkNow(link)).toMatchObject({ status: "paid", paid_cents: 20_000 });
  });

  test("that is declined frees the amount, and the next one succeeds", async () => {
    const link = await newLink();
    const back = await billing().pay(link, {}, "4000 0000 0000 0002");
    expect(back.text).toContain("The card was declined.");
    const german = await billing().open(`${link.url}/return/${(await attemptsOf(link))[0].id}?lang=de`);
    expect(german.text).toContain("Die Karte wurde abgelehnt.");
    expect(await linkNow(link)).toMatchObject({ status: "active", reserved_cents: 0 });
    await billing().pay(link);
    const { data } = await billing().get(partner, `/payment-links/${link.id}/attempts`);
    expect(data.map(({ state, failure }: Json) => [state, failure])).toEqual([
      ["succeeded", null],
      ["failed", "The card was declined."],
    ]);
  });

  test("can take an extra step", async () => {
    const link = await newLink();
    const { location } = await billing().begin(link);
    await billing().send(location, { card: "4000 0000 0000 3220" });
    expect((await billing().open(location)).text).toContain("Approve");
    expect((await billing().comeBack(location)).text).toContain("The payment is not complete");
    await billing().send(location, { confirm: "yes" });
    expect((await billing().comeBack(location)).text).toContain("has arrived");
  });

  test.each([
    ["4000 0000 0000 0077", "paid", 10_000],
    ["4000 0000 0000 0341", "active", 0],
  ])("with the card %s is decided later, and the reconciler finds out", async (card, status, paid_cents) => {
    const link = await newLink();
    const back = await billing().pay(link, {}, card);
    expect(back.text).toContain("Your payment is being processed");
    expect(await linkNow(link)).toMatchObject({ status: "active", reserved_cents: 10_000 });
    world.clock.advance(180_000);
    await reconcile();
    expect(await linkNow(link)).toMatchObject({ status, paid_cents, reserved_cents: 0 });
  });

  test("that nobody completes is asked for now and then, and ends after a while", async () => {
    const link = await newLink();
    await billing().begin(link);
    world.clock.advance(180_000);
    expect(await reconcile()).toBeGreaterThan(0);
    expect(await reconcile()).toBe(0);
    world.clock.advance(ABANDONED_AFTER_MS);
    await reconcile();
    expect(await linkNow(link)).toMatchObject({ status: "active", reserved_cents: 0 });
  });

  test("that comes when the link has ended counts, as late", async () => {
    const link = await newLink();
    const { location } = await billing().begin(link);
    await billing().post(partner, `/payment-links/${link.id}/cancel`);
    await billing().giveCard(location);
    expect(await linkNow(link)).toMatchObject({ status: "paid", paid_cents: 10_000 });
    expect((await billing().paymentsOf(partner, link))[0]).toMatchObject({ flag: "late" });
  });

  test("accepts no card but those of the test", async () => {
    const { location } = await billing().begin(await newLink());
    const reply = await billing().send(location, { card: "4111 1111 1111 1111" });
    expect(reply.status).toBe(422);
    expect(reply.text).toContain("This is no test card");
  });
});

describe("the pay page", () => {
  const rows = async () => {
    const tables = ["payment_links", "payment_attempts", "payments", "test_sessions", "audit_entries", "change_feed"];
    const [row] = await world.db.sql<Json>(
      `select ${tables.map((name) => `(select json_agg(t) from ${name} t)::text as ${name}`).join(", ")}`,
    );
    return row;
  };

  test("is opened without writing anything", async () => {
    const link = await newLink();
    const before = await rows();
    for (let times = 0; times < 3; times += 1) expect((await billing().open(link.url)).status).toBe(200);
    expect((await world.call("HEAD", new URL(link.url).pathname)).status).toBe(200);
    expect(await rows()).toEqual(before);
  });

  test("has no script, cannot be framed, and shows the branding", async () => {
    const { text, headers } = await billing().open((await newLink({ description: "<script>alert(1)</script>" })).url);
    expect(text).not.toMatch(/<script/i);
    expect(text).toContain("&lt;script&gt;");
    expect(text).toContain("--accent:#0b7285");
    expect(headers["content-security-policy"]).toMatch(
      /^default-src 'none';.*form-action 'self' https:\/\/checkout\.stripe\.com; frame-ancestors 'none'/,
    );
    expect(headers["cache-control"]).toBe("no-store");
  });

  test.each([
    ["de", "Zahlung an Harbour Dental"],
    ["fr", "Paiement à Harbour Dental"],
    ["es", "Pago a Harbour Dental"],
    ["pt", "Pagamento a Harbour Dental"],
  ])("speaks %s to whoever asks for it", async (language, text) => {
    const link = await newLink();
    const page = await billing().open(link.url, { "accept-language": `${language}-XX, en;q=0.5` });
    expect(page.text).toContain(text);
    expect(page.text).toContain(`<html lang="${language}">`);
  });

  test("shows another payer that it is being paid, and lets them end it", async () => {
    const link = await newLink();
    const { location } = await billing().begin(link);
    expect((await billing().open(link.url)).text).toContain("Being paid right now");
    expect((await billing().send(`${link.url}/release`, {})).status).toBe(303);
    expect((await billing().open(link.url)).text).toContain("Pay $100.00");
    await billing().giveCard(location);
    expect(await linkNow(link)).toMatchObject({ status: "active", paid_cents: 0, reserved_cents: 0 });
  });

  test("leads the same form to the same attempt, and refuses forged and old ones", async () => {
    const link = await newLink();
    const form = await billing().formOf(link);
    const [first, second] = await Promise.all([1, 2].map(() => billing().send(`${link.url}/attempts`, form)));
    expect([first?.status, second?.status]).toEqual([303, 303]);
    expect(first?.headers.location).toBe(second?.headers.location);
    const other = await billing().formOf(await newLink());
    expect((await billing().send(`${link.url}/attempts`, other)).status).toBe(422);
    const fresh = await newLink();
    const shown = await billing().formOf(fresh);
    await world.call("PATCH", `${GENERAL}/billing/payment-links/${fresh.id}`, {
      key: partner.key,
      body: { amount_cents: 20_000 },
    });
    const changed = await billing().send(`${fresh.url}/attempts`, shown);
    expect(changed.status).toBe(422);
    expect(changed.text).toContain("The amount has changed");
  });

  test("says what became of a link, and that there is none", async () => {
    const shown = async (link: Json) => (await billing().open(link.url)).text;
    const paid = await newLink();
    await billing().pay(paid);
    expect(await shown(paid)).toContain("This has been paid in full.");
    const cancelled = await newLink();
    await billing().post(partner, `/payment-links/${cancelled.id}/cancel`);
    expect(await shown(cancelled)).toContain("has ended this request for payment");
    const expired = await newLink({ expires_at: new Date(world.clock.now().getTime() + 1_000).toISOString() });
    world.clock.advance(1_000);
    expect(await shown(expired)).toContain("This page can no longer be used.");
    const missing = await billing().open("/pay/0000000000000");
    expect([missing.status, missing.text.includes("Page not found")]).toEqual([404, true]);
  });

  test("tells how to pay where nothing is paid online", async () => {
    const other = await world.newPartner();
    const link = await billing().newLink(other);
    expect((await billing().open(link.url)).text).toContain("This cannot be paid online at the moment.");
    await billing().newProvider(other, { kind: "manual", config: { instructions: "IBAN DE89" } });
    expect((await billing().open(link.url)).text).toContain("IBAN DE89");
  });
});

describe("by hand", () => {
  test("money is recorded within what is due, and not what somebody is paying", async () => {
    const link = await newLink({ partial: {} });
    const record = (amount_cents: number) =>
      world.call("POST", `${GENERAL}/billing/payment-links/${link.id}/record-payment`, {
        key: partner.key,
        body: { amount_cents, method: "cash", note: "At the desk" },
      });
    await billing().begin(link, { amount: "40" });
    expect((await record(6_001)).body).toMatchObject({ code: "amount_not_due", payable_cents: 6_000 });
    expect((await record(6_000)).body).toMatchObject({ provider: "manual", method: "cash", live: true, note: "At the desk" });
    expect(await linkNow(link)).toMatchObject({ status: "partially_paid", paid_cents: 6_000, reserved_cents: 4_000 });
  });

  test("money was paid when it says, which is not later than now", async () => {
    const link = await newLink();
    const record = (paid_at: string) =>
      world.call("POST", `${GENERAL}/billing/payment-links/${link.id}/record-payment`, {
        key: partner.key,
        body: { amount_cents: 10_000, method: "cash", paid_at },
      });
    const later = await record(new Date(world.clock.now().getTime() + 1).toISOString());
    expect([later.status, later.body.errors]).toMatchObject([422, [{ pointer: "#/paid_at", code: "in_future" }]]);
    const paid_at = "2026-10-30T10:00:00.000Z";
    expect((await record(paid_at)).body).toMatchObject({ paid_at });
    expect(await linkNow(link)).toMatchObject({ status: "paid", paid_at });
  });
});

describe("a refund", () => {
  const refund = (payment: Json, body: object) =>
    world.call("POST", `${GENERAL}/billing/payments/${payment.id}/refund`, {
      key: partner.key,
      body: { reason: "Sorry", ...body },
    });
  const paidLink = async () => {
    const link = await newLink();
    await billing().pay(link);
    return { link, payment: (await billing().paymentsOf(partner, link))[0] };
  };

  test("returns a part or all, never more, and leaves the link paid", async () => {
    const { link, payment } = await paidLink();
    expect((await refund(payment, { amount_cents: 4_000 })).body).toMatchObject({
      refunding_cents: 4_000,
      refunds: [{ status: "pending" }],
    });
    const part = await billing().get(partner, `/payments/${payment.id}`);
    expect(part).toMatchObject({
      status: "partially_refunded",
      refunded_cents: 4_000,
      refunding_cents: 0,
      refunds: [{ status: "succeeded" }],
    });
    expect((await refund(payment, { amount_cents: 6_001 })).body).toMatchObject({
      code: "payment_not_refundable",
      refundable_cents: 6_000,
    });
    expect((await refund(payment, {})).status).toBe(200);
    expect(await billing().get(partner, `/payments/${payment.id}`)).toMatchObject({ status: "refunded", refunded_cents: 10_000 });
    expect((await refund(payment, {})).body).toMatchObject({ code: "payment_not_refundable", refundable_cents: 0 });
    expect(await linkNow(link)).toMatchObject({ status: "paid", paid_cents: 10_000, refunded_cents: 10_000 });
  });

  test("that is sent twice under one key happens once", async () => {
    const { payment } = await paidLink();
    const send = () =>
      world.call("POST", `${GENERAL}/billing/payments/${payment.id}/refund`, {
        key: partner.key,
        body: { reason: "Sorry", amount_cents: 1_000 },
        headers: { "idempotency-key": `refund-${payment.id}` },
      });
    const first = await send();
    expect(await send()).toMatchObject({ status: 200, text: first.text });
    expect(await billing().get(partner, `/payments/${payment.id}`)).toMatchObject({ refunded_cents: 1_000 });
  });

  test("of money that came by hand is done at once", async () => {
    const link = await newLink();
    const payment = await billing().post(
      partner,
      `/payment-links/${link.id}/record-payment`,
      { amount_cents: 10_000, method: "cheque" },
      201,
    );
    expect((await refund(payment, {})).body).toMatchObject({ status: "refunded", refunds: [{ status: "succeeded" }] });
  });
});

test("an erased contact is gone from links, attempts and payments; the amounts stay", async () => {
  const contact = await world.newContact(partner, { name: "Erased Person" });
  const link = await newLink({ customer: contact.id });
  await billing().pay(link, { name: "Erased Person" }, "4000 0000 0000 0002");
  await billing().pay(link, { name: "Erased Person" });
  const erased = await world.call("POST", `${GENERAL}/contacts/${contact.id}/erase`, { key: partner.key });
  expect(erased.status, erased.text).toBeLessThan(300);
  const found = await world.db.sql(`select 1 from payment_links t where t::text like '%Erased Person%'
    union all select 1 from payment_attempts t where t::text like '%Erased Person%'
    union all select 1 from payments t where t::text like '%Erased Person%'`);
  expect(found).toEqual([]);
  expect((await billing().paymentsOf(partner, link))[0]).toMatchObject({ amount_cents: 10_000, payer: { name: null } });
  expect((await attemptsOf(link)).map(({ state }) => state)).toEqual(["succeeded", "failed"]);
});

test("the number of a card is nowhere in the database", async () => {
  await billing().pay(await newLink());
  const tables = await world.db.sql<{ name: string }>(
    "select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace",
  );
  for (const { name } of tables)
    expect(
      await world.db.sql(
        `select 1 from ${name} t where regexp_replace(t::text, '[ -]', '', 'g') ~ '4242424242424242|4111111111111111'`,
      ),
    ).toEqual([]);
});
