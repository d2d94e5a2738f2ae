import { beforeAll, expect, test } from "vitest";
import { feed, walk } from "../harness/lists.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let partner: TestPartner;
let own: Json;
let other: Json;
let boundKey: string;

beforeAll(async () => {
  partner = await world.newPartner();
  own = await world.newClient(partner, { company: "Bound" });
  other = await world.newClient(partner, { company: "Unbound" });
  boundKey = await world.newKey(partner, { clients: [own.id] });
});

async function houseAccount(): Promise<Json> {
  const rows = await walk(world, partner.key, "/clients", { include_house: "true" });
  return rows.find(({ house }) => house);
}

test("a key bound to clients lists, reads and changes those and no others", async () => {
  const rows = await walk(world, boundKey, "/clients", { include_house: "true" });
  expect(rows.map(({ id }) => id)).toEqual([own.id]);
  expect((await world.call("GET", `${BASE}/clients/${own.id}`, { key: boundKey })).status).toBe(200);
  expect((await world.call("GET", `${BASE}/clients/${other.id}`, { key: boundKey })).status).toBe(404);
  const patched = await world.call("PATCH", `${BASE}/clients/${own.id}`, { key: boundKey, body: { plan: "Growth" } });
  expect([patched.status, patched.body.plan]).toEqual([200, "Growth"]);
  const refused = await world.call("PATCH", `${BASE}/clients/${other.id}`, { key: boundKey, body: { plan: "Growth" } });
  expect(refused.status).toBe(404);
  expect((await world.call("GET", `${BASE}/clients/${other.id}`, { key: partner.key })).body).toEqual(other);
});

test("a key bound to clients cannot create one: 403 before the body is looked at", async () => {
  for (const body of [{ company: "New" }, { nonsense: true }]) {
    const reply = await world.call("POST", `${BASE}/clients`, { key: boundKey, body });
    expect([reply.status, reply.body.code]).toEqual([403, "partner_wide_key_required"]);
  }
});

test("a client made after a key does not come into that key's sight", async () => {
  const later = await world.newClient(partner);
  expect((await world.call("GET", `${BASE}/clients/${later.id}`, { key: boundKey })).status).toBe(404);
});

test.each([
  ["DELETE", "", undefined],
  ["POST", "/suspend", undefined],
  ["PATCH", "", { status: "suspended" }],
  ["PATCH", "", { company: "Renamed", status: "churned" }],
] as const)("the house account cannot be closed or suspended by %s%s", async (method, suffix, body) => {
  const house = await houseAccount();
  const events = await feed(world, partner.key);
  const path = `${BASE}/clients/${house.id}${suffix}`;
  const reply = await world.call(method, path, { key: partner.key, ...(body === undefined ? {} : { body }) });
  expect([reply.status, reply.body.code, reply.body.from, reply.body.allowed]).toEqual([
    409,
    "invalid_state_transition",
    "active",
    [],
  ]);
  expect(await houseAccount()).toEqual(house);
  expect(await feed(world, partner.key)).toEqual(events);
});

test("the house account's fields can be changed, and nobody can make a second one", async () => {
  const house = await houseAccount();
  const patched = await world.call("PATCH", `${BASE}/clients/${house.id}`, { key: partner.key, body: { plan: "Own" } });
  expect([patched.status, patched.body.plan, patched.body.house]).toEqual([200, "Own", true]);
  const reply = await world.call("POST", `${BASE}/clients`, { key: partner.key, body: { company: "X", house: true } });
  expect([reply.status, reply.body.errors[0].pointer]).toEqual([422, "#/house"]);
});

test("a suspended and a churned client stay readable and writable", async () => {
  for (const status of ["suspended", "churned"]) {
    const client = await world.newClient(partner);
    const path = `${BASE}/clients/${client.id}`;
    await world.call("PATCH", path, { key: partner.key, body: { status } });
    const { body } = await world.call("PATCH", path, { key: partner.key, body: { plan: "Starter" } });
    expect(body).toMatchObject({ status, plan: "Starter" });
  }
});
