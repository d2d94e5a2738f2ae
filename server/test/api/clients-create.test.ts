import { expect, test } from "vitest";
import { feed } from "../harness/lists.ts";
import { BASE, useWorld } from "../harness/world.ts";

const world = useWorld();

test("a client needs no more than a company: it is active, without a plan, in the partner's currency", async () => {
  const { key, partner_id } = await world.newPartner();
  const { status, body } = await world.call("POST", `${BASE}/clients`, { key, body: { company: "Harbour Dental" } });
  const now = world.clock.now().toISOString();
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.stringMatching(/^cli_/),
    partner_id,
    house: false,
    company: "Harbour Dental",
    external_id: null,
    contact: null,
    plan: null,
    mrr_cents: 0,
    currency: "usd",
    status: "active",
    status_reason: null,
    status_changed_at: now,
    branding: {},
    branding_source: "partner",
    snapshots: [],
    tags: [],
    metadata: {},
    activated_at: now,
    suspended_at: null,
    churned_at: null,
    created_at: now,
    updated_at: now,
    version: 1,
  });
});

test("every field that is given is kept as given", async () => {
  const { key } = await world.newPartner();
  const fields = {
    company: "Okapi Fitness — “Süd” 🏋️",
    external_id: "crm-4711",
    contact: { name: "Leila Haddad", email: "leila@okapi.example", phone: "+14155552671" },
    plan: "Scale",
    mrr_cents: Number.MAX_SAFE_INTEGER,
    currency: "eur",
    branding: { product_name: "Okapi Desk", logo_url: "https://cdn.example/o.svg", domain: "app.okapi.example" },
    tags: ["vip", "Zürich", "two words"],
    metadata: { region: "emea", notes: "x".repeat(500) },
  };
  const { body } = await world.call("POST", `${BASE}/clients`, { key, body: fields });
  expect(body).toMatchObject(fields);
  const read = await world.call("GET", `${BASE}/clients/${body.id}`, { key });
  expect(read.body).toEqual(body);
});

test("the reply names where the client is found and the version it has", async () => {
  const { key } = await world.newPartner();
  const { headers, body, text } = await world.call("POST", `${BASE}/clients`, { key, body: { company: "Morrow Legal" } });
  expect(headers.location).toBe(`${BASE}/clients/${body.id}`);
  expect(headers.etag).toBe('"1-1"');
  const read = await world.call("GET", headers.location ?? "", { key });
  expect([read.status, read.text, read.headers.etag]).toEqual([200, text, '"1-1"']);
});

test("a new client is announced as created, then as activated, with every member of both payloads", async () => {
  const partner = await world.newPartner();
  const { id } = await world.newClient(partner, { plan: "Growth", mrr_cents: 49_900, external_id: "crm-1", currency: "eur" });
  const ids = { client_id: id, partner_id: partner.partner_id };
  const created = Math.floor(world.clock.now().getTime() / 1000);
  expect(await feed(world, partner.key)).toEqual([
    {
      id: expect.stringMatching(/^evt_/),
      type: "client.created",
      created,
      data: {
        ...ids,
        company: "Harbour Dental",
        plan: "Growth",
        mrr_cents: 49_900,
        currency: "eur",
        status: "active",
        external_id: "crm-1",
        snapshots: [],
        deal_id: null,
      },
    },
    {
      id: expect.stringMatching(/^evt_/),
      type: "client.activated",
      created,
      data: {
        ...ids,
        company: "Harbour Dental",
        plan: "Growth",
        mrr_cents: 49_900,
        previous_status: "pending",
        reactivated: false,
      },
    },
  ]);
});

test("activate: false leaves the client pending and announces no activation", async () => {
  const partner = await world.newPartner();
  const client = await world.newClient(partner, { activate: false });
  expect(client).toMatchObject({ status: "pending", activated_at: null });
  const events = await feed(world, partner.key);
  expect(events.map(({ type, data }) => [type, data.status])).toEqual([["client.created", "pending"]]);
});

test("a client shows the partner's branding until it has its own, which wins member by member", async () => {
  const branding = { product_name: "Northwind CRM", primary_color: "#0b7285" };
  const partner = await world.newPartner({ branding });
  const plain = await world.newClient(partner);
  expect(plain).toMatchObject({ branding, branding_source: "partner" });
  const own = await world.newClient(partner, { branding: { primary_color: "#112233", domain: "app.okapi.example" } });
  expect(own.branding).toEqual({ product_name: "Northwind CRM", primary_color: "#112233", domain: "app.okapi.example" });
  expect(own.branding_source).toBe("override");
});

test("a client is in the partner's currency unless it names another", async () => {
  const partner = await world.newPartner();
  await world.db.sql("update partners set currency = 'sek' where id = $1", [partner.partner_id]);
  expect((await world.newClient(partner)).currency).toBe("sek");
  expect((await world.newClient(partner, { currency: "jpy" })).currency).toBe("jpy");
});

test("an external id names one client of a partner: a second is refused, with the first one's id, and leaves nothing", async () => {
  const partner = await world.newPartner();
  const first = await world.newClient(partner, { external_id: "crm-1" });
  const { status, body } = await world.call("POST", `${BASE}/clients`, {
    key: partner.key,
    body: { company: "Another", external_id: "crm-1" },
  });
  expect([status, body.code, body.existing_id]).toEqual([409, "duplicate_client", first.id]);
  expect(await feed(world, partner.key)).toHaveLength(2);
  expect(await world.db.sql("select id from clients where partner_id = $1 and not house", [partner.partner_id])).toHaveLength(1);
  const elsewhere = await world.newClient(await world.newPartner(), { external_id: "crm-1" });
  expect(elsewhere.external_id).toBe("crm-1");
});

test.each([
  ["no company", {}, "#/company", "required"],
  ["a blank company", { company: " \t" }, "#/company", "pattern"],
  ["a company of 201 characters", { company: "x".repeat(201) }, "#/company", "maxLength"],
  ["a negative amount", { company: "X", mrr_cents: -1 }, "#/mrr_cents", "minimum"],
  ["an amount past what JSON holds", { company: "X", mrr_cents: 2 ** 53 }, "#/mrr_cents", "maximum"],
  ["a number as text", { company: "X", mrr_cents: "100" }, "#/mrr_cents", "type"],
  ["a currency in upper case", { company: "X", currency: "USD" }, "#/currency", "format"],
  ["an unknown field", { company: "X", colour: "red" }, "#/colour", "unknown_field"],
  ["a status", { company: "X", status: "churned" }, "#/status", "unknown_field"],
  ["metadata without a name", { company: "X", metadata: { "": "x" } }, "#/metadata/", "unknown_field"],
  ["a phone that is not E.164", { company: "X", contact: { phone: "0155" } }, "#/contact/phone", "pattern"],
  ["a logo that runs script", { company: "X", branding: { logo_url: "javascript:alert(1)" } }, "#/branding/logo_url", "format"],
])("%s is refused with 422 and its place", async (_case, body, pointer, code) => {
  const { key } = await world.newPartner();
  const reply = await world.call("POST", `${BASE}/clients`, { key, body });
  expect([reply.status, reply.body.code]).toEqual([422, "validation_failed"]);
  expect(reply.body.errors).toContainEqual(expect.objectContaining({ in: "body", pointer, code }));
});

test("all faults of a body are told at once", async () => {
  const { key } = await world.newPartner();
  const { body } = await world.call("POST", `${BASE}/clients`, { key, body: { mrr_cents: -1, plan: "", extra: 1 } });
  const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer).sort();
  expect(new Set(pointers)).toEqual(new Set(["#/company", "#/extra", "#/mrr_cents", "#/plan"]));
});
