import { beforeAll, describe, expect, test } from "vitest";
import { noteExpiries } from "../../src/features/billing/payment-links/commands.ts";
import { billingOf } from "../harness/billing.ts";
import { ROW_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import { BASE, GENERAL, type Json, nextPhone, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
const hold = useHolds(() => world.db.connect());
const LINKS = `${GENERAL}/billing/payment-links`;
let partner: TestPartner;
const billing = () => billingOf(world);
const newLink = (fields: object = {}) => billing().newLink(partner, fields);

beforeAll(async () => {
  partner = await world.newPartner();
  await billing().newProvider(partner);
});

const refused = async (body: object) => {
  const whole = { customer: { name: "Ada" }, ...body };
  const { status, body: problem } = await world.call("POST", LINKS, { key: partner.key, body: whole });
  return [status, problem.errors?.[0]?.pointer ?? problem.code, problem.errors?.[0]?.code];
};

describe("a payment link", () => {
  test("asks a customer for an amount, with a page of its own", async () => {
    const link = await newLink({ description: "Invoice 1", reference: "2026-1", due_on: "2026-11-20", metadata: { a: "b" } });
    expect(link).toMatchObject({
      status: "active",
      customer: { name: "Ada Okafor", phone: null, email: null },
      contact_id: null,
      total_cents: 10_000,
      amount_due_cents: 10_000,
      paid_cents: 0,
      currency: "usd",
      usage: "single",
      due_on: "2026-11-20",
      expires_at: "2026-12-02T09:30:00.000Z",
      version: 1,
    });
    expect(link.url).toMatch(/^http:\/\/tributary\.test\/pay\/[0-9A-Za-z]{13}$/);
    expect(await billing().get(partner, `/payment-links/${link.id}`)).toEqual(link);
  });

  test("is for a contact, or for a person who becomes one by the phone", async () => {
    const contact = await world.newContact(partner, { email: "ada@test.example" });
    const known = await newLink({ customer: contact.id });
    expect(known).toMatchObject({ contact_id: contact.id, customer: { name: contact.name, phone: contact.phone } });
    expect((await newLink({ customer: { phone: contact.phone } })).contact_id).toBe(contact.id);
    const phone = nextPhone();
    const { contact_id } = await newLink({ customer: { name: "New", phone } });
    const made = await world.call("GET", `${GENERAL}/contacts/${contact_id}`, { key: partner.key });
    expect(made.body).toMatchObject({ name: "New", phone });
    const list = await billing().get(partner, `/payment-links?contact_id=${contact.id}`);
    expect(list.data.map((link: Json) => link.contact_id)).toEqual([contact.id, contact.id]);
  });

  test("is for nobody who is being erased", async () => {
    const contact = await world.newContact(partner);
    const { id } = await newLink({ customer: contact.id });
    const held = await hold("select from payment_links where partner_id = $1 and id = $2 for update", [partner.partner_id, id]);
    const erased = world.call("POST", `${GENERAL}/contacts/${contact.id}/erase`, { key: partner.key });
    await untilWaiting(world.db.sql, ROW_LOCKS, 1);
    const named = refused({ customer: contact.id, amount_cents: 100 });
    await untilWaiting(world.db.sql, ROW_LOCKS, 2);
    const reached = newLink({ customer: { name: "Anew", phone: contact.phone } });
    await untilWaiting(world.db.sql, ROW_LOCKS, 3);
    await held.release();
    expect([(await erased).status, await named]).toEqual([204, [422, "#/customer", "unknown_contact"]]);
    expect((await reached).contact_id).not.toBe(contact.id);
  });

  test("sums its items exactly", async () => {
    const line_items = [
      { name: "Check-up", quantity: 3, unit_cents: 3_333, tax_cents: 1 },
      { name: "X-ray", quantity: 1, unit_cents: 0 },
    ];
    expect(await newLink({ amount_cents: undefined, line_items })).toMatchObject({ total_cents: 10_000, line_items });
  });

  test("is refused where it makes no sense, at the member", async () => {
    expect(await refused({})).toEqual([422, "#/amount_cents", "one_amount"]);
    expect(await refused({ amount_cents: 1, line_items: [{ name: "A", quantity: 1, unit_cents: 1 }] })).toEqual([
      422,
      "#/amount_cents",
      "one_amount",
    ]);
    expect(await refused({ line_items: [{ name: "A", quantity: 1, unit_cents: 0 }] })).toEqual([
      422,
      "#/line_items",
      "total_out_of_range",
    ]);
    expect(await refused({ amount_cents: 1, expires_at: "2026-11-01T00:00:00Z" })).toEqual([422, "#/expires_at", "out_of_range"]);
    expect(await refused({ amount_cents: 1, uses_max: 2 })).toEqual([422, "#/uses_max", "single_use"]);
    expect(await refused({ amount_cents: 1, usage: "multi", partial: {} })).toEqual([422, "#/partial", "multi_use"]);
    expect(await refused({ amount_cents: 1, partial: { min_first_cents: 2 } })).toEqual([
      422,
      "#/partial/min_first_cents",
      "above_total",
    ]);
    expect(await refused({ amount_cents: 1, timezone: "Mars/Base" })).toEqual([422, "#/timezone", "unknown_time_zone"]);
    expect(await refused({ amount_cents: 1, customer: { phone: "12" } })).toEqual([422, "#/customer/phone", "invalid_phone"]);
    expect(await refused({ amount_cents: 1, customer: "con_01jd3k5y5cf7m8n9p0q1r2s3t4" })).toEqual([
      422,
      "#/customer",
      "unknown_contact",
    ]);
    expect(await refused({ amount_cents: 1, deal_id: "deal_01jd3k5y5cf7m8n9p0q1r2s3t4" })).toEqual([
      422,
      "#/deal_id",
      "unknown_deal",
    ]);
  });

  test("of one account names nothing of another", async () => {
    const client = await world.newClient(partner);
    const deal = await world.call("POST", `${GENERAL}/deals`, {
      key: partner.key,
      body: { name: "Elsewhere", account_id: client.id },
    });
    expect(await refused({ amount_cents: 1, deal_id: deal.body.id })).toEqual([422, "#/deal_id", "unknown_deal"]);
    const contact = await world.newContact(partner, { account_id: client.id });
    const { id: account_id } = await world.newClient(partner);
    expect(await refused({ amount_cents: 1, account_id, customer: contact.id })).toEqual([422, "#/customer", "unknown_contact"]);
    const provider = await billing().newProvider(partner, { account_id: client.id });
    expect(await refused({ amount_cents: 1, provider_id: provider.id })).toEqual([422, "#/provider_id", "unknown_provider"]);
    const about = { account_id: client.id, provider_id: provider.id, deal_id: deal.body.id };
    expect(await newLink(about)).toMatchObject({ deal_id: deal.body.id });
    await world.call("DELETE", `${GENERAL}/deals/${deal.body.id}`, { key: partner.key });
    expect(await refused({ amount_cents: 1, ...about })).toEqual([422, "#/deal_id", "unknown_deal"]);
  });

  test("has a QR code, on its page and by the API", async () => {
    const link = await newLink();
    const path = `/pay/${link.url.split("/").at(-1)}/qr.svg`;
    expect((await billing().open(link.url)).text).toContain(`src="${path}"`);
    const shown = await billing().open(path);
    const { text, headers } = await world.call("GET", `${LINKS}/${link.id}/qr.svg`, { key: partner.key });
    expect(text).toBe(shown.text);
    expect(headers["content-type"]).toBe("image/svg+xml");
    expect(text).toMatch(/^<svg .*<\/svg>$/s);
  });

  test("can be changed as long as nobody pays", async () => {
    const link = await newLink();
    const patch = async (body: object, headers = {}) =>
      world.call("PATCH", `${LINKS}/${link.id}`, { key: partner.key, body, headers });
    expect((await patch({ amount_cents: 5_000, description: "Half" })).body).toMatchObject({ total_cents: 5_000, version: 2 });
    expect((await patch({ amount_cents: 6_000 }, { "if-match": '"1"' })).status).toBe(412);
    await billing().begin(link);
    expect((await patch({ amount_cents: 6_000 })).body).toMatchObject({ code: "invalid_state_transition", from: "active" });
  });

  test("of a suspended client is refused", async () => {
    const client = await world.newClient(partner);
    const suspended = await world.call("POST", `${BASE}/clients/${client.id}/suspend`, { key: partner.key });
    expect(suspended.status).toBe(200);
    expect(await refused({ amount_cents: 1, account_id: client.id })).toEqual([409, "client_inactive", undefined]);
  });
});

describe("the status of a link", () => {
  const move = async (link: Json, action: string) => {
    const { body } = await world.call("POST", `${LINKS}/${link.id}/${action}`, { key: partner.key });
    return body.code ?? body.status;
  };

  test("without a payment can be disabled, enabled and cancelled, and the same twice", async () => {
    const link = await newLink();
    for (const [action, status] of [
      ["close", "invalid_state_transition"],
      ["disable", "disabled"],
      ["disable", "disabled"],
      ["enable", "active"],
      ["disable", "disabled"],
      ["cancel", "cancelled"],
      ["cancel", "cancelled"],
      ["enable", "invalid_state_transition"],
    ] as const)
      expect([action, await move(link, action)]).toEqual([action, status]);
    const another = await newLink();
    expect((await world.call("DELETE", `${LINKS}/${another.id}`, { key: partner.key })).status).toBe(204);
    expect(await billing().get(partner, `/payment-links/${another.id}`)).toMatchObject({
      status: "cancelled",
      amount_due_cents: 0,
    });
  });

  test("with a payment can be closed, but not cancelled", async () => {
    const link = await newLink({ partial: {} });
    await billing().post(partner, `/payment-links/${link.id}/record-payment`, { amount_cents: 1, method: "cash" }, 201);
    expect(await move(link, "cancel")).toBe("invalid_state_transition");
    expect(await move(link, "disable")).toBe("disabled");
    expect(await move(link, "enable")).toBe("partially_paid");
    expect(await move(link, "close")).toBe("closed");
  });

  test("is changed on the same conditions after it has expired, whatever its time", async () => {
    const link = await newLink({ expires_at: new Date(world.clock.now().getTime() + 1).toISOString() });
    world.clock.advance(1);
    const patch = (body: object) => world.call("PATCH", `${LINKS}/${link.id}`, { key: partner.key, body });
    for (const [body, pointer, code] of [
      [{ timezone: "Nowhere/X" }, "#/timezone", "unknown_time_zone"],
      [{ partial: { min_first_cents: 10_001 } }, "#/partial/min_first_cents", "above_total"],
    ] as const)
      expect((await patch(body)).body.errors).toMatchObject([{ pointer, code }]);
    expect((await patch({ timezone: "Europe/Berlin" })).body).toMatchObject({ status: "expired", timezone: "Europe/Berlin" });
  });

  test("is expired from its time on, before any job, and lists agree", async () => {
    const client = await world.newClient(partner);
    const fields = { account_id: client.id, expires_at: new Date(world.clock.now().getTime() + 60_000).toISOString() };
    const link = await newLink(fields);
    const partly = await newLink({ ...fields, partial: {} });
    const payment = { amount_cents: 1, method: "cash" };
    await billing().post(partner, `/payment-links/${partly.id}/record-payment`, payment, 201);
    const listed = async (status: string) =>
      (await billing().get(partner, `/payment-links?account_id=${client.id}&status=${status}`)).data.map(({ id }: Json) => id);
    expect(await listed("active")).toEqual([link.id]);
    world.clock.advance(60_000);
    expect(await billing().get(partner, `/payment-links/${link.id}`)).toMatchObject({ status: "expired", version: 1 });
    expect((await billing().get(partner, `/payment-links/${partly.id}`)).status).toBe("expired");
    expect([await listed("active"), await listed("expired")]).toEqual([[], [partly.id, link.id]]);
    expect(await noteExpiries(world.app.services)).toBe(2);
    expect(await billing().get(partner, `/payment-links/${link.id}`)).toMatchObject({ status: "expired", version: 2 });
    const body = { expires_at: new Date(world.clock.now().getTime() + 60_000).toISOString() };
    const renewed = await world.call("PATCH", `${LINKS}/${link.id}`, { key: partner.key, body });
    expect(renewed.body).toMatchObject({ status: "active", version: 3 });
  });

  test("is in the change feed, like each payment", async () => {
    const start = await world.call("GET", `${GENERAL}/changes?after=end`, { key: partner.key });
    const link = await newLink();
    await billing().pay(link);
    const { body } = await world.call("GET", `${GENERAL}/changes?after=${encodeURIComponent(start.body.next_cursor)}`, {
      key: partner.key,
    });
    expect(body.data.map(({ resource, change }: Json) => `${resource} ${change}`)).toEqual([
      "payment_link created",
      "payment_link updated",
      "payment created",
    ]);
  });
});

test("a provider of all accounts takes a key for all clients, and its configuration is checked", async () => {
  const client = await world.newClient(partner);
  const key = await world.newKey(partner, { clients: [client.id] });
  const create = async (body: object) => {
    const reply = await world.call("POST", `${GENERAL}/billing/providers`, { key, body: { name: "A", ...body } });
    return reply.body.code ?? reply.body.account_id;
  };
  expect(await create({ kind: "test", account_id: null })).toBe("partner_wide_key_required");
  expect(await create({ kind: "test" })).toBe(client.id);
  expect(await create({ kind: "manual" })).toBe("validation_failed");
  expect(await create({ kind: "manual", config: { instructions: "At the desk" } })).toBe(client.id);
});
