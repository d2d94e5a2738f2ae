import { expect, test } from "vitest";
import { auditLog, feed } from "../harness/lists.ts";
import { BASE, useWorld } from "../harness/world.ts";

const world = useWorld();

async function clientOf(fields: object = {}, branding: object = {}) {
  const partner = await world.newPartner({ branding });
  const client = await world.newClient(partner, fields);
  const path = `${BASE}/clients/${client.id}`;
  const patch = (body: unknown, headers?: Record<string, string>) =>
    world.call("PATCH", path, { key: partner.key, body, ...(headers === undefined ? {} : { headers }) });
  return { ...partner, client, path, patch };
}

const FULL = {
  external_id: "crm-1",
  contact: { name: "Ada Okafor", email: "ada@harbour.example" },
  plan: "Growth",
  mrr_cents: 49_900,
  currency: "eur",
  branding: { product_name: "Harbour Desk" },
  metadata: { region: "emea", team: "blue" },
};

test("a patch changes the fields it names, keeps the others, and counts the version up", async () => {
  const { client, patch, path, key } = await clientOf(FULL);
  world.clock.advance(5_000);
  const { status, body, headers } = await patch({ company: "Harbour Dental Group", mrr_cents: 1 });
  expect(status).toBe(200);
  const updated_at = world.clock.now().toISOString();
  expect(body).toEqual({ ...client, company: "Harbour Dental Group", mrr_cents: 1, updated_at, version: 2 });
  expect(headers.etag).toBe('"2-1"');
  expect((await world.call("GET", path, { key })).body).toEqual(body);
});

test("every writable field can be changed", async () => {
  const { patch } = await clientOf(FULL);
  const changed = {
    company: "New Name",
    external_id: "crm-2",
    contact: { phone: "+14155552671" },
    plan: "Scale",
    mrr_cents: 2,
    currency: "sek",
    branding: { primary_color: "#000000" },
    metadata: { a: "b" },
  };
  expect((await patch(changed)).body).toMatchObject({ ...changed, branding_source: "override" });
});

test("null clears what may be empty: external id, contact, plan, and the branding back to the partner's", async () => {
  const { patch } = await clientOf(FULL, { product_name: "Northwind CRM" });
  const { body } = await patch({ external_id: null, contact: null, plan: null, branding: null });
  expect(body).toMatchObject({
    external_id: null,
    contact: null,
    plan: null,
    branding: { product_name: "Northwind CRM" },
    branding_source: "partner",
  });
});

test.each(["company", "mrr_cents", "currency", "metadata", "status"])("null does not clear %s: 422", async (field) => {
  const { patch } = await clientOf(FULL);
  const { status, body } = await patch({ [field]: null });
  expect([status, body.code, body.errors[0].pointer]).toEqual([422, "validation_failed", `#/${field}`]);
});

test("objects are replaced as a whole, never merged", async () => {
  const { patch } = await clientOf(FULL);
  const { body } = await patch({ metadata: { season: "autumn" }, contact: { phone: "+14155552671" } });
  expect(body.metadata).toEqual({ season: "autumn" });
  expect(body.contact).toEqual({ phone: "+14155552671" });
});

test("fields and status change together, or not at all", async () => {
  const { patch, key, path } = await clientOf(FULL);
  const { body } = await patch({ plan: "Scale", status: "suspended", reason: "Invoice overdue" });
  expect(body).toMatchObject({ plan: "Scale", status: "suspended", status_reason: "Invoice overdue" });
  const refused = await patch({ plan: "Starter", status: "pending" });
  expect(refused.status).toBe(409);
  expect((await world.call("GET", path, { key })).body).toEqual(body);
});

test("a reason without a status is refused with 422", async () => {
  const { patch } = await clientOf();
  const { status, body } = await patch({ reason: "Invoice overdue" });
  expect([status, body.code]).toEqual([422, "validation_failed"]);
});

test.each([[{}], [[]], ["text"], [null]])("a patch of %j is refused with 422", async (body) => {
  const { patch } = await clientOf();
  expect((await patch(JSON.stringify(body))).status).toBe(422);
});

test("a patch that changes nothing leaves the version, the feed and the audit log alone, in whatever order it is written", async () => {
  const { patch, client, key } = await clientOf({ ...FULL, metadata: { b: "1", a: "2" } });
  const events = await feed(world, key);
  world.clock.advance(1_000);
  const { body } = await patch({
    ...FULL,
    metadata: { a: "2", b: "1" },
    contact: { email: "ada@harbour.example", name: "Ada Okafor" },
    status: "active",
    reason: "Still here",
  });
  expect(body).toEqual(client);
  expect(await feed(world, key)).toEqual(events);
  expect(await auditLog(world, key, { action: "clients.update" })).toEqual([]);
});

test("an external id that another client has is refused with that client's id", async () => {
  const { patch, ...partner } = await clientOf({ external_id: "crm-1" });
  const other = await world.newClient(partner, { external_id: "crm-2" });
  const { status, body } = await patch({ external_id: "crm-2" });
  expect([status, body.code, body.existing_id]).toEqual([409, "duplicate_client", other.id]);
});

test("a key that cannot see the client with the external id is not told which it is", async () => {
  const { client, path, ...partner } = await clientOf();
  await world.newClient(partner, { external_id: "crm-2" });
  const key = await world.newKey(partner, { clients: [client.id] });
  const { status, body } = await world.call("PATCH", path, { key, body: { external_id: "crm-2" } });
  expect([status, body.code]).toEqual([409, "duplicate_client"]);
  expect(body).not.toHaveProperty("existing_id");
});

test("If-Match lets a change through only on the version that was seen", async () => {
  const { patch, path, key } = await clientOf();
  expect((await patch({ plan: "Growth" }, { "if-match": '"1"' })).headers.etag).toBe('"2-1"');
  const late = await patch({ plan: "Scale" }, { "if-match": '"1"' });
  expect([late.status, late.body.code, late.body.current_version]).toEqual([412, "version_mismatch", 2]);
  const read = await world.call("GET", path, { key });
  expect([read.body.plan, read.headers.etag]).toEqual(["Growth", '"2-1"']);
  expect((await patch({ plan: "Basic" }, { "if-match": '"2-1"' })).status).toBe(200);
  expect((await patch({ plan: "Scale" }, { "if-match": "*" })).status).toBe(200);
});

test.each(["DELETE", "POST"])("If-Match holds a %s back too", async (method) => {
  const { path, key } = await clientOf();
  const url = method === "POST" ? `${path}/suspend` : path;
  const reply = await world.call(method, url, { key, headers: { "if-match": '"7"' } });
  expect([reply.status, reply.body.code]).toEqual([412, "version_mismatch"]);
  expect((await world.call("GET", path, { key })).body.status).toBe("active");
});

test("an If-Match that is no ETag of ours is refused with 400", async () => {
  const { patch } = await clientOf();
  const { status, body } = await patch({ plan: "Growth" }, { "if-match": "version 1" });
  expect([status, body.code]).toEqual([400, "invalid_header"]);
});

test("If-None-Match answers 304 without a body while the version is the one seen, and the client afterwards", async () => {
  const { patch, path, key } = await clientOf();
  for (const seen of ['"1-1"', 'W/"1-1"', '"9", "1-1"', "*"]) {
    const same = await world.call("GET", path, { key, headers: { "if-none-match": seen } });
    expect([seen, same.status, same.text, same.headers.etag]).toEqual([seen, 304, "", '"1-1"']);
  }
  await patch({ plan: "Growth" });
  const changed = await world.call("GET", path, { key, headers: { "if-none-match": '"1-1"' } });
  expect([changed.status, changed.body.plan, changed.headers.etag]).toEqual([200, "Growth", '"2-1"']);
});
