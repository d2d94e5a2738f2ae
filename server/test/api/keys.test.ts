import { expect, test } from "vitest";
import { newId } from "../../src/kernel/ids.ts";
import { auditLog, walk } from "../harness/lists.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();

type KeyFields = { name?: string; scopes?: string[]; clients?: string | string[] };

function createKey(key: string, fields: KeyFields = {}, headers: Record<string, string> = {}) {
  const body = { name: "Billing sync", scopes: ["clients:read"], clients: "all", ...fields };
  return world.call("POST", `${BASE}/keys`, { key, body, headers });
}

async function ownId({ partner_id, key }: TestPartner): Promise<string> {
  const rows = await walk(world, key, "/keys");
  if (rows.length !== 1) throw new Error(`${partner_id} has ${rows.length} keys`);
  return rows[0].id;
}

test("a created key is shown with its secret once, and works at once with what it was given", async () => {
  const partner = await world.newPartner();
  const created_by = await ownId(partner);
  const scopes = ["clients:read", "keys:read"];
  const { status, headers, body } = await createKey(partner.key, { scopes });
  expect(status).toBe(201);
  expect(headers.location).toBe(`${BASE}/keys/${body.id}`);
  expect(headers["cache-control"]).toBe("no-store");
  const { api_key, ...shown } = body;
  expect(shown).toEqual({
    id: expect.stringMatching(/^key_/),
    name: "Billing sync",
    hint: api_key.slice(-4),
    scopes,
    clients: "all",
    expires_at: null,
    allowed_cidrs: null,
    previous_valid_until: null,
    last_used_at: null,
    created_by,
    created_at: world.clock.now().toISOString(),
    revoked_at: null,
    version: 1,
  });
  expect((await world.call("GET", `${BASE}/me`, { key: api_key })).body.scopes).toEqual(scopes);
  expect((await world.call("GET", headers.location ?? "", { key: partner.key })).body).toEqual(shown);
  expect((await walk(world, api_key, "/keys"))[0]).toEqual(shown);
});

test("keys are listed newest first, the revoked ones too, and in pages each exactly once", async () => {
  const partner = await world.newPartner();
  const ids = [await ownId(partner)];
  for (let index = 0; index < 6; index += 1) ids.unshift((await createKey(partner.key)).body.id);
  await world.call("DELETE", `${BASE}/keys/${ids[2]}`, { key: partner.key });
  for (const limit of [1, 3, 7, 100]) {
    const rows = await walk(world, partner.key, "/keys", { limit });
    expect(rows.map(({ id }) => id)).toEqual(ids);
    expect(rows.filter(({ revoked_at }) => revoked_at !== null).map(({ id }) => id)).toEqual([ids[2]]);
  }
});

test("a key grants no scope that it lacks: 403 with the scope that is missing", async () => {
  const partner = await world.newPartner();
  const key = await world.newKey(partner, { scopes: ["keys:write", "clients:read"] });
  const { status, body } = await createKey(key, { scopes: ["clients:read", "audit:read", "deals:read"] });
  expect([status, body.code, body.required_scope]).toEqual([403, "insufficient_scope", "audit:read"]);
  expect(body.missing_scopes).toEqual(["audit:read", "deals:read"]);
  expect((await createKey(key, { scopes: ["clients:read"] })).status).toBe(201);
});

test("a key bound to clients grants some of those, and never all clients", async () => {
  const partner = await world.newPartner();
  const [first, second, other] = [await world.newClient(partner), await world.newClient(partner), await world.newClient(partner)];
  const key = await world.newKey(partner, { clients: [first.id, second.id] });
  const whole = await createKey(key, { clients: "all" });
  expect([whole.status, whole.body.code]).toEqual([403, "partner_wide_key_required"]);
  const beyond = await createKey(key, { clients: [first.id, other.id] });
  expect([beyond.status, beyond.body.errors[0].pointer]).toEqual([422, "#/clients/1"]);
  const narrower = await createKey(key, { clients: [second.id] });
  expect([narrower.status, narrower.body.clients]).toEqual([201, [second.id]]);
  const seen = await walk(world, narrower.body.api_key, "/clients");
  expect(seen.map(({ id }: Json) => id)).toEqual([second.id]);
});

test("clients that do not exist, or are another partner's, are refused alike, each with its place", async () => {
  const partner = await world.newPartner();
  const own = await world.newClient(partner);
  const foreign = await world.newClient(await world.newPartner());
  const never = newId("client", Date.now());
  const { status, body } = await createKey(partner.key, { clients: [never, own.id, foreign.id] });
  expect([status, body.code]).toEqual([422, "validation_failed"]);
  const fault = (pointer: string, id: string) => ({
    in: "body",
    pointer,
    code: "unknown_client",
    detail: `The client ${id} was not found.`,
  });
  expect(body.errors).toEqual([fault("#/clients/0", never), fault("#/clients/2", foreign.id)]);
});

test.each([
  ["no name", { name: "" }, "#/name"],
  ["no scopes", { scopes: [] }, "#/scopes"],
  ["a scope twice", { scopes: ["clients:read", "clients:read"] }, "#/scopes"],
  ["an unknown scope", { scopes: ["clients:own"] }, "#/scopes/0"],
  ["no clients", { clients: [] }, "#/clients"],
  ["a word for clients that is not all", { clients: "none" }, "#/clients"],
])("%s is refused with 422", async (_case, fields, pointer) => {
  const { key } = await world.newPartner();
  const { status, body } = await createKey(key, fields);
  expect([status, body.code]).toEqual([422, "validation_failed"]);
  expect(body.errors.map((fault: Json) => fault.pointer)).toContain(pointer);
});

test("a key bound to clients sees and revokes only keys that are bound to no others", async () => {
  const partner = await world.newPartner();
  const [first, second] = [await world.newClient(partner), await world.newClient(partner)];
  const [mine, both, theirs] = [
    (await createKey(partner.key, { clients: [first.id] })).body,
    (await createKey(partner.key, { clients: [first.id, second.id] })).body,
    (await createKey(partner.key, { clients: [second.id] })).body,
  ];
  const key = await world.newKey(partner, { clients: [first.id] });
  const seen = (await walk(world, key, "/keys")).map(({ id }) => id);
  expect(seen).toHaveLength(2);
  expect(seen).toContain(mine.id);
  for (const { id, api_key } of [
    both,
    theirs,
    { id: (await walk(world, partner.key, "/keys")).at(-1)?.id, api_key: partner.key },
  ]) {
    expect((await world.call("GET", `${BASE}/keys/${id}`, { key })).status).toBe(404);
    expect((await world.call("DELETE", `${BASE}/keys/${id}`, { key })).status).toBe(404);
    expect((await world.call("GET", `${BASE}/me`, { key: api_key })).status).toBe(200);
  }
});

test("a revoked key is refused at once, on reads and writes, and stays in the list", async () => {
  const partner = await world.newPartner();
  const { body: made } = await createKey(partner.key, { scopes: ["clients:read", "clients:write"] });
  expect((await world.call("GET", `${BASE}/clients`, { key: made.api_key })).status).toBe(200);
  const revoked = await world.call("DELETE", `${BASE}/keys/${made.id}`, { key: partner.key });
  expect([revoked.status, revoked.text]).toEqual([204, ""]);
  for (const [method, path] of [
    ["GET", "/me"],
    ["GET", "/clients"],
    ["POST", "/clients"],
  ] as const) {
    const body = method === "POST" ? { body: { company: "X" } } : {};
    const reply = await world.call(method, BASE + path, { key: made.api_key, ...body });
    expect([reply.status, reply.body.code]).toEqual([401, "invalid_credentials"]);
  }
  const { body } = await world.call("GET", `${BASE}/keys/${made.id}`, { key: partner.key });
  expect([body.revoked_at, body.version]).toEqual([world.clock.now().toISOString(), 2]);
});

test("revoking twice is one revocation: the first time stays and one entry is written", async () => {
  const partner = await world.newPartner();
  const { id } = (await createKey(partner.key)).body;
  await world.call("DELETE", `${BASE}/keys/${id}`, { key: partner.key });
  const { body: first } = await world.call("GET", `${BASE}/keys/${id}`, { key: partner.key });
  world.clock.advance(60_000);
  expect((await world.call("DELETE", `${BASE}/keys/${id}`, { key: partner.key })).status).toBe(204);
  expect((await world.call("GET", `${BASE}/keys/${id}`, { key: partner.key })).body).toEqual(first);
  const entries = await auditLog(world, partner.key, { action: "keys.revoke" });
  expect(entries.map(({ target }) => target)).toEqual([id]);
});

test("a key can revoke itself", async () => {
  const partner = await world.newPartner();
  const { body: made } = await createKey(partner.key, { scopes: ["keys:write"] });
  expect((await world.call("DELETE", `${BASE}/keys/${made.id}`, { key: made.api_key })).status).toBe(204);
  expect((await world.call("GET", `${BASE}/me`, { key: made.api_key })).status).toBe(401);
});

test("a suspended partner's keys are refused with 403 on reads and writes, and work again when it is back", async () => {
  const partner = await world.newPartner();
  const { id } = await world.newClient(partner);
  const calls = [
    ["GET", "/me", undefined],
    ["GET", `/clients/${id}`, undefined],
    ["PATCH", `/clients/${id}`, { plan: "Scale" }],
    ["POST", "/clients", { company: "X" }],
    ["DELETE", `/clients/${id}`, undefined],
  ] as const;
  await world.db.sql("update partners set status = 'suspended' where id = $1", [partner.partner_id]);
  for (const [method, path, body] of calls) {
    const reply = await world.call(method, BASE + path, { key: partner.key, ...(body === undefined ? {} : { body }) });
    expect([method, path, reply.status, reply.body.code]).toEqual([method, path, 403, "partner_suspended"]);
  }
  await world.db.sql("update partners set status = 'active' where id = $1", [partner.partner_id]);
  expect((await world.call("GET", `${BASE}/clients/${id}`, { key: partner.key })).body).toMatchObject({ plan: null, version: 1 });
});
