import { expect, test } from "vitest";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(world.clock.now().getTime() + days * DAY_MS).toISOString();

function create(key: string, fields: object = {}) {
  const body = { name: "Limited", scopes: ["clients:read", "clients:write", "keys:write"], clients: "all", ...fields };
  return world.call("POST", `${BASE}/keys`, { key, body });
}

const statusOf = async (key: string) => (await world.call("GET", `${BASE}/me`, { key })).status;
const remembered = async ({ key }: TestPartner, { id }: Json) => (await world.call("GET", `${BASE}/keys/${id}`, { key })).body;

test("a key works until it expires, and is then refused like one that never existed", async () => {
  const { key } = await world.newPartner();
  const { status, body } = await create(key, { expires_at: inDays(1) });
  expect([status, body.expires_at]).toEqual([201, inDays(1)]);
  world.clock.advance(DAY_MS - 1);
  expect(await statusOf(body.api_key)).toBe(200);
  world.clock.advance(1);
  for (const [method, path, sent] of [
    ["GET", "/me", undefined],
    ["POST", "/clients", { company: "X" }],
  ] as const) {
    const reply = await world.call(method, BASE + path, { key: body.api_key, body: sent });
    expect([reply.status, reply.body.code]).toEqual([401, "invalid_credentials"]);
  }
});

test("an expired key works again when its end is moved", async () => {
  const { key } = await world.newPartner();
  const { body } = await create(key, { expires_at: inDays(1) });
  world.clock.advance(2 * DAY_MS);
  expect(await statusOf(body.api_key)).toBe(401);
  const moved = await world.call("PATCH", `${BASE}/keys/${body.id}`, { key, body: { expires_at: inDays(1) } });
  expect([moved.status, await statusOf(body.api_key)]).toEqual([200, 200]);
});

test("a key bound to networks works from inside them alone; elsewhere it is refused like one that never existed", async () => {
  const { key } = await world.newPartner();
  const { body: here } = await create(key, { allowed_cidrs: ["10.0.0.0/8", "127.0.0.1/32"] });
  const { body: elsewhere } = await create(key, { allowed_cidrs: ["10.0.0.0/8", "2001:db8::/32"] });
  expect(here.allowed_cidrs).toEqual(["10.0.0.0/8", "127.0.0.1/32"]);
  expect([await statusOf(here.api_key), await statusOf(elsewhere.api_key)]).toEqual([200, 401]);
  const write = (secret: string) => world.call("POST", `${BASE}/clients`, { key: secret, body: { company: "X" } });
  expect([(await write(here.api_key)).status, (await write(elsewhere.api_key)).body.code]).toEqual([201, "invalid_credentials"]);
});

test.each([
  ["127.0.0.1", 200],
  ["::ffff:127.0.0.1", 200],
  ["10.1.2.3", 200],
  ["2001:db8:1::1", 200],
  ["fe80::1%eth0", 200],
  ["11.0.0.1", 401],
  ["::ffff:11.0.0.1", 401],
  ["2001:db9::1", 401],
])("a request from %s is answered with %i", async (remoteAddress, expected) => {
  const { key } = await world.newPartner();
  const { body } = await create(key, { allowed_cidrs: ["127.0.0.0/8", "10.0.0.0/8", "2001:db8::/32", "fe80::/10"] });
  const headers = { authorization: `Bearer ${body.api_key}`, "content-type": "application/json" };
  const read = await world.app.http.inject({ method: "GET", url: `${BASE}/me`, headers, remoteAddress });
  expect(read.statusCode).toBe(expected);
  const write = await world.app.http.inject({
    method: "POST",
    url: `${BASE}/clients`,
    headers,
    remoteAddress,
    payload: { company: "X" },
  });
  expect(write.statusCode).toBe(expected === 200 ? 201 : 401);
});

test("a limited key hands its limits on, and makes none that lasts longer or works from elsewhere", async () => {
  const { key } = await world.newPartner();
  const limits = { expires_at: inDays(10), allowed_cidrs: ["127.0.0.0/8", "10.0.0.0/8"] };
  const { body: limited } = await create(key, limits);
  expect((await create(limited.api_key)).body).toMatchObject(limits);
  const narrower = { expires_at: inDays(9), allowed_cidrs: ["10.1.0.0/16"] };
  const { status, body: inner } = await create(limited.api_key, narrower);
  expect([status, inner]).toEqual([201, expect.objectContaining(narrower)]);
  const beyond = [{ expires_at: null }, { expires_at: inDays(11) }, { allowed_cidrs: null }, { allowed_cidrs: ["10.0.0.0/7"] }];
  for (const fields of beyond) {
    const made = await create(limited.api_key, fields);
    expect([fields, made.status, made.body.code]).toEqual([fields, 403, "key_limits_exceeded"]);
    for (const { id } of [inner, limited]) {
      const changed = await world.call("PATCH", `${BASE}/keys/${id}`, { key: limited.api_key, body: fields });
      expect([fields, changed.status, changed.body.code]).toEqual([fields, 403, "key_limits_exceeded"]);
    }
  }
  const { body: unlimited } = await create(key);
  const rotated = await world.call("POST", `${BASE}/keys/${unlimited.id}/rotate`, { key: limited.api_key });
  expect([rotated.status, rotated.body.code]).toEqual([403, "key_limits_exceeded"]);
});

test("the last use of a key is written now and then, never backwards, and changes its ETag but not its version", async () => {
  const partner = await world.newPartner();
  const { body: made } = await create(partner.key);
  const used_at = world.clock.now().toISOString();
  await statusOf(made.api_key);
  expect((await remembered(partner, made)).last_used_at).toBe(null);
  await world.app.usage.flush();
  expect(await remembered(partner, made)).toMatchObject({ last_used_at: used_at, version: 1 });

  const { headers } = await world.call("GET", `${BASE}/keys/${made.id}`, { key: partner.key });
  expect(headers.etag).toBe(`"1-${Date.parse(used_at)}"`);
  const seen = { "if-none-match": headers.etag ?? "" };
  expect((await world.call("GET", `${BASE}/keys/${made.id}`, { key: partner.key, headers: seen })).status).toBe(304);

  world.app.usage.note(made.id, new Date(Date.parse(used_at) - 1));
  await world.app.usage.flush();
  expect((await remembered(partner, made)).last_used_at).toBe(used_at);

  world.clock.advance(1_000);
  await statusOf(made.api_key);
  await world.app.usage.flush();
  expect((await remembered(partner, made)).last_used_at).toBe(world.clock.now().toISOString());
  const current = { "if-match": headers.etag ?? "" };
  const renamed = await world.call("PATCH", `${BASE}/keys/${made.id}`, {
    key: partner.key,
    body: { name: "A" },
    headers: current,
  });
  expect(renamed.status).toBe(200);
});

test("requests that are refused do not count as use", async () => {
  const partner = await world.newPartner();
  const { body: made } = await create(partner.key, { allowed_cidrs: ["10.0.0.0/8"] });
  await statusOf(made.api_key);
  await world.app.usage.flush();
  expect((await remembered(partner, made)).last_used_at).toBe(null);
});
