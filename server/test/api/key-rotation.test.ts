import { expect, test } from "vitest";
import { ADVISORY_LOCKS, ROW_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import { auditLog } from "../harness/lists.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
const hold = useHolds(() => world.db.connect());
const HOUR_MS = 3_600_000;

async function scene(fields: object = {}): Promise<{ partner: TestPartner; made: Json }> {
  const partner = await world.newPartner();
  const body = { name: "Sync", scopes: ["clients:read", "clients:write"], clients: "all", ...fields };
  return { partner, made: (await world.call("POST", `${BASE}/keys`, { key: partner.key, body })).body };
}

const rotate = (key: string, id: string, body?: object, headers: Record<string, string> = {}) =>
  world.call("POST", `${BASE}/keys/${id}/rotate`, { key, headers, ...(body === undefined ? {} : { body }) });
const statusOf = async (key: string) => (await world.call("GET", `${BASE}/me`, { key })).status;

test("a rotation gives a new secret, shown this once, and refuses the old one at once", async () => {
  const { partner, made } = await scene();
  const { status, headers, body } = await rotate(partner.key, made.id);
  expect([status, headers["cache-control"]]).toEqual([200, "no-store"]);
  const { api_key, ...shown } = body;
  expect(api_key).not.toBe(made.api_key);
  const { api_key: _old, ...before } = made;
  expect(shown).toEqual({ ...before, hint: api_key.slice(-4), version: 2 });
  expect([await statusOf(made.api_key), await statusOf(api_key)]).toEqual([401, 200]);
  expect((await world.call("GET", `${BASE}/keys/${made.id}`, { key: partner.key })).body).toEqual(shown);
  const [entry] = await auditLog(world, partner.key, { action: "keys.rotate" });
  expect([entry.target, JSON.stringify(entry)]).toEqual([made.id, expect.not.stringContaining(api_key)]);
});

test.each([1, 24, 72])(
  "with an overlap of %i hours both secrets work until it ends, then the new one alone",
  async (overlap_hours) => {
    const { partner, made } = await scene();
    const { body } = await rotate(partner.key, made.id, { overlap_hours });
    const until = new Date(world.clock.now().getTime() + overlap_hours * HOUR_MS).toISOString();
    expect(body.previous_valid_until).toBe(until);
    world.clock.advance(overlap_hours * HOUR_MS - 1);
    expect([await statusOf(made.api_key), await statusOf(body.api_key)]).toEqual([200, 200]);
    expect((await world.call("POST", `${BASE}/clients`, { key: made.api_key, body: { company: "X" } })).status).toBe(201);
    world.clock.advance(1);
    expect([await statusOf(made.api_key), await statusOf(body.api_key)]).toEqual([401, 200]);
    expect((await world.call("POST", `${BASE}/clients`, { key: made.api_key, body: { company: "X" } })).status).toBe(401);
  },
);

test("a second rotation within the overlap leaves the last two secrets", async () => {
  const { partner, made } = await scene();
  const { body: second } = await rotate(partner.key, made.id, { overlap_hours: 24 });
  const { body: third } = await rotate(partner.key, made.id, { overlap_hours: 24 });
  const works = [made, second, third].map(({ api_key }) => statusOf(api_key));
  expect(await Promise.all(works)).toEqual([401, 200, 200]);
  const { body: fourth } = await rotate(partner.key, made.id);
  expect(await Promise.all([second, third, fourth].map(({ api_key }) => statusOf(api_key)))).toEqual([401, 401, 200]);
  expect(fourth.previous_valid_until).toBe(null);
});

test("a revocation refuses both secrets of an overlap", async () => {
  const { partner, made } = await scene();
  const { body } = await rotate(partner.key, made.id, { overlap_hours: 72 });
  await world.call("DELETE", `${BASE}/keys/${made.id}`, { key: partner.key });
  expect([await statusOf(made.api_key), await statusOf(body.api_key)]).toEqual([401, 401]);
});

test("nobody gets at a stronger key by rotating it", async () => {
  const { partner, made } = await scene();
  const client = await world.newClient(partner);
  const weaker = await world.newKey(partner, { scopes: ["keys:write", "clients:read"] });
  const refused = await rotate(weaker, made.id);
  expect([refused.status, refused.body.code, refused.body.required_scope]).toEqual([403, "insufficient_scope", "clients:write"]);
  const bound = await world.newKey(partner, { clients: [client.id] });
  expect((await rotate(bound, made.id)).status).toBe(404);
  expect(await statusOf(made.api_key)).toBe(200);
});

test("a key can rotate itself; its previous secret gets the stored reply of the same request, the new one does not", async () => {
  const { made } = await scene({ scopes: ["keys:write"] });
  const headers = { "idempotency-key": "self" };
  const first = await rotate(made.api_key, made.id, { overlap_hours: 1 }, headers);
  expect(first.status).toBe(200);
  const again = await rotate(made.api_key, made.id, { overlap_hours: 1 }, headers);
  expect([again.status, again.headers["idempotent-replayed"], again.text]).toEqual([200, "true", first.text]);
  const renewed = await rotate(first.body.api_key, made.id, { overlap_hours: 1 }, headers);
  expect([renewed.status, renewed.body.code]).toEqual([403, "reply_withheld"]);
});

test.each([-1, 73, 1.5, "1", null])("an overlap of %j hours is refused with 422", async (overlap_hours) => {
  const { partner, made } = await scene();
  const { status, body } = await rotate(partner.key, made.id, { overlap_hours });
  expect([status, body.errors[0].pointer]).toEqual([422, "#/overlap_hours"]);
});

test("a rotation waits for a write under way, and a write that waited for it is refused", async () => {
  const { partner, made } = await scene();
  const { id } = await world.newClient(partner);
  const client = await hold("select 1 from clients where partner_id = $1 and id = $2 for update", [partner.partner_id, id]);
  const under_way = world.call("POST", `${BASE}/clients/${id}/suspend`, { key: made.api_key });
  await untilWaiting(world.db.sql, ROW_LOCKS, 1);
  const rotation = rotate(partner.key, made.id);
  const [waiting] = await untilWaiting(world.db.sql, ADVISORY_LOCKS, 1);
  expect(waiting).toBeDefined();
  const late = world.call("PATCH", `${BASE}/clients/${id}`, { key: made.api_key, body: { plan: "Late" } });
  await untilWaiting(world.db.sql, ADVISORY_LOCKS, 2);
  await client.release();
  expect([(await under_way).status, (await rotation).status, (await late).status]).toEqual([200, 200, 401]);
  expect((await world.call("GET", `${BASE}/clients/${id}`, { key: partner.key })).body).toMatchObject({
    status: "suspended",
    plan: null,
  });
});

test("with an overlap, a write with the old secret that waited for the rotation goes through", async () => {
  const { partner, made } = await scene();
  const { id } = await world.newClient(partner);
  const key = await hold("select 1 from keys where id = $1 for update", [made.id]);
  const rotation = rotate(partner.key, made.id, { overlap_hours: 1 });
  await untilWaiting(world.db.sql, ROW_LOCKS, 1);
  const write = world.call("PATCH", `${BASE}/clients/${id}`, { key: made.api_key, body: { plan: "Growth" } });
  await untilWaiting(world.db.sql, ADVISORY_LOCKS, 1);
  await key.release();
  expect([(await rotation).status, (await write).status]).toEqual([200, 200]);
});
