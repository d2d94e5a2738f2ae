import { createHash } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { newId } from "../../src/kernel/ids.ts";
import { auditLog, walk } from "../harness/lists.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let partner: TestPartner;
let key_id: string;

beforeAll(async () => {
  partner = await world.newPartner();
  key_id = (await walk(world, partner.key, "/keys"))[0].id;
});

const list = (query = "", key = partner.key) => world.call("GET", `${BASE}/audit-log${query}`, { key });
const entryOf = async (action: string, client_id: string) => (await auditLog(world, partner.key, { action, client_id }))[0];

test("a write leaves one entry: who, what, on what, from where, in which request, with the changed fields", async () => {
  const { id } = await world.newClient(partner, { plan: "Growth", mrr_cents: 100 });
  const reply = await world.call("PATCH", `${BASE}/clients/${id}`, { key: partner.key, body: { plan: "Scale", mrr_cents: 100 } });
  expect(await auditLog(world, partner.key, { action: "clients.update", client_id: id })).toEqual([
    {
      id: expect.stringMatching(/^aud_/),
      occurred_at: world.clock.now().toISOString(),
      actor: { type: "key", id: key_id, name: "Test" },
      action: "clients.update",
      outcome: "success",
      target: id,
      client_id: id,
      changes: { plan: { from: "Growth", to: "Scale" } },
      count: 1,
      code: null,
      request_id: reply.headers["request-id"],
      nonce: expect.stringMatching(/^[\w-]{22}$/),
      ip: "127.0.0.1",
      leaf_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  ]);
});

test("a creation's entry has the fields that were set", async () => {
  const { id } = await world.newClient(partner, { plan: "Growth", metadata: { region: "emea" } });
  const { changes } = await entryOf("clients.create", id);
  expect(changes).toEqual({
    company: { from: null, to: "Harbour Dental" },
    plan: { from: null, to: "Growth" },
    mrr_cents: { from: null, to: 0 },
    currency: { from: null, to: "usd" },
    metadata: { from: null, to: { region: "emea" } },
    status: { from: null, to: "active" },
  });
});

test("a key's creation and revocation leave an entry each, without its secret", async () => {
  const body = { name: "Sync", scopes: ["clients:read"], clients: "all" };
  const { body: made } = await world.call("POST", `${BASE}/keys`, { key: partner.key, body });
  await world.call("DELETE", `${BASE}/keys/${made.id}`, { key: partner.key });
  const entries = (await auditLog(world, partner.key)).filter(({ target }) => target === made.id);
  expect(entries.map(({ action, changes }) => [action, changes])).toEqual([
    ["keys.create", { scopes: { from: null, to: ["clients:read"] }, clients: { from: null, to: "all" } }],
    ["keys.revoke", null],
  ]);
  expect(JSON.stringify(entries)).not.toContain(made.api_key);
});

test("a contact's values are in no entry: only that they changed", async () => {
  const contact = { name: "Ada Okafor", email: "ada@harbour.example", phone: "+14155552671" };
  const { id } = await world.newClient(partner, { contact });
  await world.call("PATCH", `${BASE}/clients/${id}`, { key: partner.key, body: { contact: { ...contact, name: "Bo" } } });
  expect((await entryOf("clients.create", id)).changes.contact).toBe("redacted");
  expect((await entryOf("clients.update", id)).changes).toEqual({ contact: "redacted" });
  const rows = await world.db.sql<{ body: Buffer }>("select body from audit_entries where client_id = $1", [id]);
  expect(rows).toHaveLength(2);
  for (const { body } of rows) {
    for (const value of Object.values(contact)) expect(body.toString()).not.toContain(value);
  }
});

test("a write that was refused leaves no entry", async () => {
  const { id } = await world.newClient(partner, { activate: false });
  expect((await world.call("POST", `${BASE}/clients/${id}/suspend`, { key: partner.key })).status).toBe(409);
  const entries = await auditLog(world, partner.key, { client_id: id });
  expect(entries.map(({ action }) => action)).toEqual(["clients.create"]);
});

test("the leaf hash is that of RFC 6962 over the stored bytes, which are the entry without what is looked up when it is read", async () => {
  await world.newClient(partner);
  const { body } = await list("?limit=100");
  expect(body.data.length).toBeGreaterThan(3);
  for (const entry of body.data) {
    const [row] = await world.db.sql<{ body: Buffer; leaf_hash: Buffer }>(
      "select body, leaf_hash from audit_entries where id = $1",
      [entry.id],
    );
    const leaf = createHash("sha256")
      .update(Buffer.of(0))
      .update(row?.body ?? "");
    expect([entry.leaf_hash, row?.leaf_hash.toString("hex")]).toEqual(Array(2).fill(leaf.digest("hex")));
    const stored = { ...entry, actor: { ...entry.actor, name: undefined }, ip: undefined, leaf_hash: undefined };
    expect(JSON.stringify(stored)).toBe(row?.body.toString());
  }
});

test("two entries that say the same have different hashes", async () => {
  const hashes = new Set<string>();
  for (let round = 0; round < 2; round += 1) {
    const { id } = await world.newClient(partner);
    hashes.add((await entryOf("clients.create", id)).leaf_hash);
  }
  expect(hashes.size).toBe(2);
});

test("the log is newest first, a walk in pages gives each entry once, and an entry is found by its id", async () => {
  const other = await world.newPartner();
  const newestFirst: string[] = [];
  for (let index = 0; index < 7; index += 1) {
    world.clock.advance(index % 2);
    newestFirst.unshift((await world.newClient(other)).id);
  }
  const rows = await walk(world, other.key, "/audit-log", { action: "clients.create", limit: 100 });
  expect(rows.map(({ target }) => target)).toEqual(newestFirst);
  for (const limit of [1, 2, 3, 7]) {
    expect(await walk(world, other.key, "/audit-log", { action: "clients.create", limit })).toEqual(rows);
  }
  const path = `${BASE}/audit-log/${rows[3].id}`;
  expect((await world.call("GET", path, { key: other.key })).body).toEqual(rows[3]);
  expect((await world.call("GET", path, { key: partner.key })).status).toBe(404);
});

test("a cursor is refused under another filter", async () => {
  const { body } = await list("?limit=1&outcome=success");
  for (const query of ["outcome=denied", "action=clients.create", "created_after=2026-01-01T00:00:00Z"]) {
    const reply = await list(`?${query}&cursor=${body.next_cursor}`);
    expect([reply.status, reply.body.code]).toEqual([400, "invalid_cursor"]);
  }
});

test("filters by action, actor, client and outcome give exactly the entries that match, alone and together", async () => {
  const other = await world.newPartner();
  const [first, second] = [await world.newClient(other), await world.newClient(other)];
  const made = await world.call("POST", `${BASE}/keys`, {
    key: other.key,
    body: { name: "Second", scopes: ["clients:write"], clients: "all" },
  });
  await world.call("POST", `${BASE}/clients/${first.id}/suspend`, { key: made.body.api_key });
  await world.call("POST", `${BASE}/clients/${second.id}/suspend`, { key: other.key });
  await world.call("GET", `${BASE}/clients`, { key: made.body.api_key });
  const all = await auditLog(world, other.key);
  const matches = async (query: Record<string, string>, wanted: (entry: Json) => boolean) => {
    const expected = all.filter(wanted);
    expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(all.length);
    expect((await walk(world, other.key, "/audit-log", query)).reverse()).toEqual(expected);
  };
  await matches({ action: "clients.suspend" }, ({ action }) => action === "clients.suspend");
  await matches({ actor_id: made.body.id }, ({ actor }) => actor.id === made.body.id);
  await matches({ client_id: first.id }, ({ client_id }) => client_id === first.id);
  await matches({ outcome: "denied" }, ({ outcome }) => outcome === "denied");
  await matches(
    { client_id: second.id, action: "clients.suspend" },
    (entry) => entry.client_id === second.id && entry.action === "clients.suspend",
  );
});

test("filters by target, address and request give exactly the entries that match", async () => {
  const other = await world.newPartner();
  const client = await world.newClient(other);
  const made = await world.call("POST", `${BASE}/keys`, {
    key: other.key,
    body: { name: "Second", scopes: ["clients:write"], clients: "all" },
  });
  await world.call("GET", `${BASE}/clients/${client.id}`, { key: other.key });
  world.clock.advance(1_000);
  const suspended = await world.call("POST", `${BASE}/clients/${client.id}/suspend`, { key: other.key });
  await world.call("POST", `${BASE}/clients/${client.id}/reactivate`, { key: other.key });
  await world.call("DELETE", `${BASE}/keys/${made.body.id}`, { key: other.key });
  const all = await auditLog(world, other.key);
  const actions = async (query: Record<string, string>) =>
    (await auditLog(world, other.key, query)).map(({ action }) => action).filter((action) => action !== "audit_log.list");
  expect(await actions({ target: made.body.id })).toEqual(["keys.create", "keys.revoke"]);
  expect(await actions({ target: client.id, outcome: "success" })).toEqual(
    all.filter(({ target }) => target === client.id).map(({ action }) => action),
  );
  expect(await actions({ request_id: suspended.headers["request-id"] ?? "" })).toEqual(["clients.suspend"]);
  expect(await actions({ request_id: newId("request", world.clock.now().getTime()) })).toEqual([]);
  expect(await actions({ ip: "127.0.0.1" })).toEqual(all.filter(({ ip }) => ip === "127.0.0.1").map(({ action }) => action));
  expect(await actions({ ip: "2001:db8::1" })).toEqual([]);
  const bound = await world.newKey(other, { clients: [client.id] });
  expect(await auditLog(world, bound, { target: made.body.id })).toEqual([]);
});

test.each(["10.0.0", "10.0.0.0/8", "fe80::1%eth0", "x"])("the address %s is refused", async (ip) => {
  const { status, body } = await list(`?ip=${encodeURIComponent(ip)}`);
  expect([status, body.code, body.errors[0].pointer]).toEqual([400, "invalid_parameter", "#/ip"]);
});

test("created_after takes its own instant in, created_before leaves it out, to the millisecond and in any zone", async () => {
  const other = await world.newPartner();
  const times: string[] = [];
  for (let index = 0; index < 3; index += 1) {
    world.clock.advance(1);
    times.push(world.clock.now().toISOString());
    await world.newClient(other);
  }
  const seen = async (query: Record<string, string>) =>
    (await walk(world, other.key, "/audit-log", { action: "clients.create", limit: 1, ...query })).map(
      (entry) => entry.occurred_at,
    );
  const [first = "", second = "", third = ""] = times;
  expect(await seen({ created_after: second })).toEqual([third, second]);
  expect(await seen({ created_before: second })).toEqual([first]);
  expect(await seen({ created_after: second, created_before: third })).toEqual([second]);
  expect(await seen({ created_after: new Date(Date.parse(second) + 7_200_000).toISOString().replace("Z", "+02:00") })).toEqual([
    third,
    second,
  ]);
  expect(await seen({ created_before: "1969-12-31T23:59:59Z" })).toEqual([]);
  expect(await seen({ created_after: "9999-12-31T23:59:59Z" })).toEqual([]);
});

test.each([
  "2026-12-31T23:59:60Z",
  "2026-02-30T00:00:00Z",
  "2026-11-02T09:30:00+05",
  "2026-11-02 09:30:00Z",
  "2026-11-02",
  "now",
])("the time %s is refused, not read as another", async (time) => {
  const { status, body } = await list(`?created_before=${encodeURIComponent(time)}`);
  expect([status, body.code, body.errors[0].pointer]).toEqual([400, "invalid_parameter", "#/created_before"]);
});

test("a key bound to clients sees the entries of those alone", async () => {
  const [mine, other] = [await world.newClient(partner), await world.newClient(partner)];
  const key = await world.newKey(partner, { clients: [mine.id] });
  const rows = await walk(world, key, "/audit-log");
  expect(rows.map(({ action, client_id }) => [action, client_id])).toEqual([["clients.create", mine.id]]);
  const { id } = await entryOf("clients.create", other.id);
  expect((await world.call("GET", `${BASE}/audit-log/${id}`, { key })).status).toBe(404);
  expect(await walk(world, key, "/audit-log", { client_id: other.id })).toEqual([]);
  const both = await world.newKey(partner, { clients: [mine.id, other.id] });
  const ofBoth = await walk(world, both, "/audit-log", { limit: 1, action: "clients.create" });
  expect(ofBoth.map(({ client_id }) => client_id)).toEqual([other.id, mine.id]);
});

test("a rare action in a long log is found page by page, of which some are empty, and nothing is missed", async () => {
  const busy = await world.newPartner();
  const client = await world.newClient(busy);
  const [first] = await auditLog(world, busy.key, { action: "clients.create" });
  await world.db.sql(
    `insert into audit_entries (partner_id, id, action, actor_id, outcome, body, leaf_hash)
     select a.partner_id, substr(first_id_at('aud', $3), 1, 24) || lpad(n::text, 6, '0'), 'clients.list', a.actor_id, a.outcome,
       a.body, a.leaf_hash
     from audit_entries a, generate_series(1, 12000) n where a.partner_id = $1 and a.id = $2`,
    [busy.partner_id, first.id, new Date(world.clock.now().getTime() + 500)],
  );
  world.clock.advance(1_000);
  await world.newClient(busy);
  const operator = await world.newOperator();
  const pagesOf = async (path: string, key: string) => {
    const pages: string[][] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const position = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const { status, body }: { status: number; body: Json } = await world.call("GET", `${path}${position}`, { key });
      expect(status).toBe(200);
      pages.push(body.data.map(({ id }: Json) => id));
      cursor = body.next_cursor;
    }
    return pages;
  };
  const pages = await pagesOf(`${BASE}/audit-log?action=clients.create`, busy.key);
  expect(pages.flat()).toHaveLength(2);
  expect(pages.flat().at(-1)).toBe(first.id);
  expect(pages.length).toBeGreaterThan(2);
  const all = (await pagesOf("/v1/admin/audit-log?action=clients.create&limit=3", operator)).flat();
  expect(all).toEqual(all.toSorted().toReversed());
  expect(new Set(all).size).toBe(all.length);
  expect(all).toEqual(expect.arrayContaining(pages.flat()));
  const [[one]] = (await pagesOf(`${BASE}/audit-log?action=clients.create&client_id=${client.id}`, busy.key)) as [[string]];
  expect(one).toBe(first.id);
});
