import { expect, test } from "vitest";
import type { Scope } from "../../src/kernel/scopes.ts";
import { ADVISORY_LOCKS, ROW_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import { auditLog, walk } from "../harness/lists.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
const hold = useHolds(() => world.db.connect());

async function madeBy(key: string, fields: object = {}): Promise<Json> {
  const body = { name: "Sync", scopes: ["clients:read", "clients:write"], clients: "all", ...fields };
  const reply = await world.call("POST", `${BASE}/keys`, { key, body });
  expect(reply.status).toBe(201);
  return reply.body;
}

const change = (key: string, id: string, body: object, headers: Record<string, string> = {}) =>
  world.call("PATCH", `${BASE}/keys/${id}`, { key, body, headers });

async function scene(): Promise<{ partner: TestPartner; made: Json }> {
  const partner = await world.newPartner();
  return { partner, made: await madeBy(partner.key) };
}

test("a change holds from the next request on, is shown, counted in the version and written in the audit log", async () => {
  const { partner, made } = await scene();
  const client = await world.newClient(partner);
  const { status, headers, body } = await change(partner.key, made.id, {
    name: "Nightly sync",
    scopes: ["clients:read"],
    clients: [client.id],
    expires_at: "2027-01-01T00:00:00+01:00",
    allowed_cidrs: ["127.0.0.0/8", "2001:DB8:0::/48"],
  });
  const { api_key, ...before } = made;
  expect([status, headers.etag]).toEqual([200, '"2"']);
  expect(body).toEqual({
    ...before,
    name: "Nightly sync",
    scopes: ["clients:read"],
    clients: [client.id],
    expires_at: "2026-12-31T23:00:00.000Z",
    allowed_cidrs: ["127.0.0.0/8", "2001:db8::/48"],
    version: 2,
  });
  expect((await world.call("GET", `${BASE}/me`, { key: api_key })).body.scopes).toEqual(["clients:read"]);
  expect((await walk(world, api_key, "/clients")).map(({ id }) => id)).toEqual([client.id]);
  const [entry] = await auditLog(world, partner.key, { action: "keys.update" });
  expect(entry.target).toBe(made.id);
  expect(entry.changes).toMatchObject({
    name: { from: "Sync", to: "Nightly sync" },
    clients: { from: "all", to: [client.id] },
    expires_at: { from: null, to: "2026-12-31T23:00:00.000Z" },
  });
  const cleared = await change(partner.key, made.id, { expires_at: null, allowed_cidrs: null });
  expect(cleared.body).toMatchObject({ expires_at: null, allowed_cidrs: null, version: 3 });
});

test("a change that changes nothing writes nothing", async () => {
  const { partner, made } = await scene();
  const { status, body } = await change(partner.key, made.id, { name: "Sync", scopes: made.scopes, expires_at: null });
  expect([status, body.version]).toEqual([200, 1]);
  expect(await auditLog(world, partner.key, { action: "keys.update" })).toEqual([]);
});

test("If-Match refuses a change of a key that has moved on", async () => {
  const { partner, made } = await scene();
  expect((await change(partner.key, made.id, { name: "A" }, { "if-match": '"1"' })).status).toBe(200);
  const { status, body } = await change(partner.key, made.id, { name: "B" }, { "if-match": '"1"' });
  expect([status, body.code, body.current_version]).toEqual([412, "version_mismatch", 2]);
});

test("a key gives another no scope that it lacks, not even to keep", async () => {
  const { partner, made } = await scene();
  const key = await world.newKey(partner, { scopes: ["keys:write", "clients:read"] });
  const missing: [object, string][] = [
    [{ scopes: ["clients:read", "audit:read"] }, "audit:read"],
    [{ name: "Renamed" }, "clients:write"],
    [{ expires_at: "2030-01-01T00:00:00Z" }, "clients:write"],
  ];
  for (const [patch, required_scope] of missing) {
    const { status, body } = await change(key, made.id, patch);
    expect([status, body.code, body.required_scope]).toEqual([403, "insufficient_scope", required_scope]);
  }
  const narrowed = await change(key, made.id, { scopes: ["clients:read"] });
  expect([narrowed.status, narrowed.body.scopes]).toEqual([200, ["clients:read"]]);
});

test("a key bound to clients changes only keys within its clients, and never beyond them", async () => {
  const partner = await world.newPartner();
  const [first, second] = [await world.newClient(partner), await world.newClient(partner)];
  const [mine, both, whole] = [
    await madeBy(partner.key, { clients: [first.id] }),
    await madeBy(partner.key, { clients: [first.id, second.id] }),
    await madeBy(partner.key),
  ];
  const key = await world.newKey(partner, { clients: [first.id] });
  for (const { id } of [both, whole]) expect((await change(key, id, { clients: [first.id] })).status).toBe(404);
  const all = await change(key, mine.id, { clients: "all" });
  expect([all.status, all.body.code]).toEqual([403, "partner_wide_key_required"]);
  const beyond = await change(key, mine.id, { clients: [first.id, second.id] });
  expect([beyond.status, beyond.body.errors[0].pointer]).toEqual([422, "#/clients/1"]);
  expect((await change(key, mine.id, { name: "Renamed" })).status).toBe(200);
});

test("a revoked key is neither changed nor rotated: 409", async () => {
  const { partner, made } = await scene();
  await world.call("DELETE", `${BASE}/keys/${made.id}`, { key: partner.key });
  const changed = await change(partner.key, made.id, { name: "Back" });
  expect([changed.status, changed.body.code, changed.body.from]).toEqual([409, "invalid_state_transition", "revoked"]);
  expect((await world.call("POST", `${BASE}/keys/${made.id}/rotate`, { key: partner.key })).status).toBe(409);
});

test.each([
  ["nothing", {}, "#"],
  ["a past end", { expires_at: "2026-11-02T09:30:00Z" }, "#/expires_at"],
  ["an end that is no time", { expires_at: "tomorrow" }, "#/expires_at"],
  ["no networks", { allowed_cidrs: [] }, "#/allowed_cidrs"],
  ["an address without a length", { allowed_cidrs: ["10.0.0.1"] }, "#/allowed_cidrs/0"],
  ["a network with bits behind its length", { allowed_cidrs: ["::/0", "10.0.0.1/8"] }, "#/allowed_cidrs/1"],
  ["51 networks", { allowed_cidrs: Array.from({ length: 51 }, (_, index) => `10.0.${index}.0/24`) }, "#/allowed_cidrs"],
  ["another secret", { hash: "x" }, "#/hash"],
])("%s is refused with 422", async (_case, patch, pointer) => {
  const { partner, made } = await scene();
  const { status, body } = await change(partner.key, made.id, patch);
  expect([status, body.code]).toEqual([422, "validation_failed"]);
  expect(body.errors.map((fault: Json) => fault.pointer)).toContain(pointer);
});

const HOLD_CLIENT = "select 1 from clients where partner_id = $1 and id = $2 for update";
const HOLD_KEY = "select 1 from keys where id = $1 for update";

test("a narrowing waits for the writes under way, and what waited for it commits nothing", async () => {
  const { partner, made } = await scene();
  const { id } = await world.newClient(partner);
  const client = await hold(HOLD_CLIENT, [partner.partner_id, id]);
  const under_way = world.call("POST", `${BASE}/clients/${id}/suspend`, { key: made.api_key });
  await untilWaiting(world.db.sql, ROW_LOCKS, 1);
  const narrowing = change(partner.key, made.id, { scopes: ["clients:read"] satisfies Scope[] });
  await untilWaiting(world.db.sql, ADVISORY_LOCKS, 1);
  await client.release();
  expect([(await under_way).status, (await narrowing).status]).toEqual([200, 200]);
  expect((await world.call("POST", `${BASE}/clients/${id}/reactivate`, { key: made.api_key })).status).toBe(403);

  const other = await madeBy(partner.key);
  const key = await hold(HOLD_KEY, [other.id]);
  const second = change(partner.key, other.id, { scopes: ["clients:read"] });
  await untilWaiting(world.db.sql, ROW_LOCKS, 1);
  const late = world.call("PATCH", `${BASE}/clients/${id}`, { key: other.api_key, body: { plan: "Late" } });
  await untilWaiting(world.db.sql, ADVISORY_LOCKS, 1);
  await key.release();
  expect((await second).status).toBe(200);
  const refused = await late;
  expect([refused.status, refused.body.code]).toEqual([503, "service_unavailable"]);
  expect((await world.call("GET", `${BASE}/clients/${id}`, { key: partner.key })).body.plan).toBe(null);
});

test("a write that waited for a change which takes nothing from it goes through", async () => {
  const { partner, made } = await scene();
  const { id } = await world.newClient(partner);
  const key = await hold(HOLD_KEY, [made.id]);
  const renaming = change(partner.key, made.id, { name: "Renamed" });
  await untilWaiting(world.db.sql, ROW_LOCKS, 1);
  const write = world.call("PATCH", `${BASE}/clients/${id}`, { key: made.api_key, body: { plan: "Growth" } });
  await untilWaiting(world.db.sql, ADVISORY_LOCKS, 1);
  await key.release();
  expect([(await renaming).status, (await write).status]).toEqual([200, 200]);
});

test("If-Match refuses the revocation of a key that is changed while it waits", async () => {
  const { partner, made } = await scene();
  const key = await hold(HOLD_KEY, [made.id]);
  const renaming = change(partner.key, made.id, { name: "Renamed" });
  await untilWaiting(world.db.sql, ROW_LOCKS, 1);
  const headers = { "if-match": '"1"' };
  const revocation = world.call("DELETE", `${BASE}/keys/${made.id}`, { key: partner.key, headers });
  await untilWaiting(world.db.sql, ADVISORY_LOCKS, 1);
  await key.release();
  expect([(await renaming).status, (await revocation).body.code]).toEqual([200, "version_mismatch"]);
});
