import { expect, test } from "vitest";
import { newId } from "../../src/kernel/ids.ts";
import { newDeal } from "../harness/deals.ts";
import { auditLog } from "../harness/lists.ts";
import { BASE, type Json, useWorld } from "../harness/world.ts";

const world = useWorld();
const ACCOUNT = `${BASE}/account`;

const change = (key: string, body: object, headers: Record<string, string> = {}) =>
  world.call("PATCH", ACCOUNT, { key, body, headers });

test("the account is the partner's whole profile", async () => {
  const { partner_id, key } = await world.newPartner({ branding: { product_name: "Northwind CRM" } });
  const { status, headers, body } = await world.call("GET", ACCOUNT, { key });
  expect([status, headers.etag]).toEqual([200, '"1"']);
  const { account_id } = (await newDeal(world, { partner_id, key })) as Json;
  expect(body).toEqual({
    id: partner_id,
    company: "Test Agency",
    grade: "gold",
    status: "active",
    api_access: true,
    parent_id: null,
    house_account_id: account_id,
    branding: { product_name: "Northwind CRM" },
    default_currency: "usd",
    default_snapshots: [],
    created_at: world.clock.now().toISOString(),
    updated_at: world.clock.now().toISOString(),
    version: 1,
  });
});

async function newSnapshot(key: string, name: string): Promise<string> {
  const body = { name, manifest: { format: 1, assets: [] } };
  return (await world.call("POST", `${BASE}/snapshots`, { key, body })).body.id;
}

test("a change is shown at once, there, in /me and in the audit log", async () => {
  const { partner_id, key } = await world.newPartner();
  world.clock.advance(1_000);
  const fields = {
    company: "Northwind Group",
    branding: { product_name: "Northwind Desk" },
    default_currency: "eur",
    default_snapshots: [await newSnapshot(key, "First"), await newSnapshot(key, "Second")],
  };
  const { status, headers, body } = await change(key, fields);
  expect([status, headers.etag]).toEqual([200, '"2"']);
  expect(body).toMatchObject({ ...fields, updated_at: world.clock.now().toISOString(), version: 2 });
  expect((await world.call("GET", ACCOUNT, { key })).body).toEqual(body);
  expect((await world.call("GET", `${BASE}/me`, { key })).body.company).toBe("Northwind Group");
  const [entry] = await auditLog(world, key, { action: "account.update" });
  expect(entry).toMatchObject({ target: partner_id, client_id: null });
  expect(entry.changes.company).toEqual({ from: "Test Agency", to: "Northwind Group" });
});

test("new clients get the default currency, those that are there keep theirs", async () => {
  const partner = await world.newPartner();
  const old = await world.newClient(partner);
  await change(partner.key, { default_currency: "sek" });
  expect((await world.newClient(partner)).currency).toBe("sek");
  expect((await world.call("GET", `${BASE}/clients/${old.id}`, { key: partner.key })).body.currency).toBe("usd");
});

test("a client's ETag changes when the branding that shows in it does, and its If-Match does not care", async () => {
  const partner = await world.newPartner({ branding: { product_name: "Old" } });
  const { id } = await world.newClient(partner);
  const get = (headers = {}) => world.call("GET", `${BASE}/clients/${id}`, { key: partner.key, headers });
  const seen = { "if-none-match": (await get()).headers.etag ?? "" };
  expect((await get(seen)).status).toBe(304);
  await change(partner.key, { branding: { product_name: "New" } });
  const { status, headers, body } = await get(seen);
  expect([status, headers.etag, body.branding, body.version]).toEqual([200, '"1-2"', { product_name: "New" }, 1]);
  const patch = { body: { plan: "Growth" }, headers: { "if-match": seen["if-none-match"] } };
  expect((await world.call("PATCH", `${BASE}/clients/${id}`, { key: partner.key, ...patch })).headers.etag).toBe('"2-2"');
});

test("If-Match refuses a change of an account that has moved on, and what changes nothing writes nothing", async () => {
  const { key } = await world.newPartner();
  expect((await change(key, { company: "Test Agency" })).body.version).toBe(1);
  expect((await change(key, { company: "A" }, { "if-match": '"1"' })).status).toBe(200);
  const { status, body } = await change(key, { company: "B" }, { "if-match": '"1"' });
  expect([status, body.code, body.current_version]).toEqual([412, "version_mismatch", 2]);
  expect(await auditLog(world, key, { action: "account.update" })).toHaveLength(1);
});

const snapshots = (count: number) => Array.from({ length: count }, () => newId("snapshot", Date.now()));

test.each([
  ["nothing", {}, "#"],
  ["a grade", { grade: "platinum" }, "#/grade"],
  ["access", { api_access: true }, "#/api_access"],
  ["no currency", { default_currency: "xxx1" }, "#/default_currency"],
  ["what is no snapshot", { default_snapshots: ["cli_1"] }, "#/default_snapshots/0"],
  ["21 snapshots", { default_snapshots: snapshots(21) }, "#/default_snapshots"],
  ["no branding at all", { branding: null }, "#/branding"],
])("%s is refused with 422", async (_case, patch, pointer) => {
  const { key } = await world.newPartner();
  const { status, body } = await change(key, patch);
  expect([status, body.code]).toEqual([422, "validation_failed"]);
  expect(body.errors.map((fault: Json) => fault.pointer)).toContain(pointer);
});
