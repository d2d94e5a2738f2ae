import { expect, test } from "vitest";
import { newId } from "../../src/kernel/ids.ts";
import { auditLog, walk } from "../harness/lists.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
const MINUTE_MS = 60_000;

/** A partner with one client, at the start of a minute in which it has done nothing yet. */
async function quietPartner(): Promise<TestPartner & { id: string }> {
  const partner = await world.newPartner();
  const { id } = await world.newClient(partner);
  world.clock.advance(MINUTE_MS - (world.clock.now().getTime() % MINUTE_MS));
  return { ...partner, id };
}

const get = (key: string, path: string) => world.call("GET", BASE + path, { key });
const counts = (entries: Json[]) => entries.map(({ action, client_id, count }) => [action, client_id, count]);

async function countedFor({ key }: TestPartner, action: string, outcome = "success"): Promise<Json[]> {
  return auditLog(world, key, { action, outcome });
}

test("reads are counted per route and client: one entry for all of a minute", async () => {
  const partner = await quietPartner();
  const second = await world.newClient(partner);
  for (let round = 0; round < 5; round += 1) await get(partner.key, `/clients/${partner.id}`);
  for (let round = 0; round < 2; round += 1) await get(partner.key, `/clients/${second.id}`);
  for (let round = 0; round < 3; round += 1) await get(partner.key, "/clients");
  const reads = await countedFor(partner, "clients.get");
  expect(counts(reads)).toEqual(
    expect.arrayContaining([
      ["clients.get", partner.id, 5],
      ["clients.get", second.id, 2],
    ]),
  );
  expect(reads).toHaveLength(2);
  expect(counts(await countedFor(partner, "clients.list"))).toEqual([["clients.list", null, 3]]);
  expect(reads[0]).toMatchObject({ outcome: "success", changes: null, code: null, request_id: null, ip: "127.0.0.1" });
  expect(reads[0].target).toBe(reads[0].client_id);
});

test("counted=false gives the actions alone, counted=true the reads and denials", async () => {
  const partner = await quietPartner();
  const narrow = await world.newKey(partner, { scopes: ["clients:read", "audit:read"] });
  for (let round = 0; round < 3; round += 1) await get(narrow, "/clients");
  await world.call("POST", `${BASE}/clients/${partner.id}/suspend`, { key: narrow });
  await world.call("POST", `${BASE}/clients/${partner.id}/suspend`, { key: partner.key });
  const actions = await auditLog(world, partner.key, { counted: "false" });
  expect(actions.map(({ action }) => action)).toEqual(["partners.create", "clients.create", "clients.suspend"]);
  const all = await auditLog(world, partner.key, { counted: "true" });
  expect(counts(all)).toContainEqual(["clients.list", null, 3]);
  expect(all).toContainEqual(expect.objectContaining({ action: "clients.suspend", outcome: "denied" }));
});

test("reads of two keys are counted apart", async () => {
  const partner = await quietPartner();
  const other = await world.newKey(partner);
  await get(partner.key, "/me");
  for (let round = 0; round < 2; round += 1) await get(other, "/me");
  const entries = await countedFor(partner, "me.get");
  expect(entries.map(({ count }) => count).sort()).toEqual([1, 2]);
  expect(new Set(entries.map(({ actor }) => actor.id)).size).toBe(2);
});

test("each minute has an entry of its own, at a time of that minute", async () => {
  const partner = await quietPartner();
  const start = world.clock.now().getTime();
  world.clock.advance(20_000);
  for (let round = 0; round < 3; round += 1) await get(partner.key, "/me");
  world.clock.advance(39_999);
  await get(partner.key, "/me");
  world.clock.advance(1);
  await get(partner.key, "/me");
  world.clock.advance(10 * MINUTE_MS);
  const entries = await countedFor(partner, "me.get");
  expect(entries.map(({ count, occurred_at }) => [count, occurred_at])).toEqual([
    [4, new Date(start + 20_000).toISOString()],
    [1, new Date(start + MINUTE_MS).toISOString()],
  ]);
});

test("a HEAD counts as the read it is, and a read that found nothing is not counted", async () => {
  const partner = await quietPartner();
  await world.call("HEAD", `${BASE}/clients/${partner.id}`, { key: partner.key });
  expect((await get(partner.key, "/clients/cli_unknown")).status).toBe(404);
  expect(counts(await countedFor(partner, "clients.get"))).toEqual([["clients.get", partner.id, 1]]);
});

test("denials are counted like reads, with the code: a flood of them is one entry", async () => {
  const partner = await quietPartner();
  const key = await world.newKey(partner, { scopes: ["clients:read"], clients: [partner.id] });
  for (let round = 0; round < 25; round += 1) {
    expect((await world.call("PATCH", `${BASE}/clients/${partner.id}`, { key, body: {} })).status).toBe(403);
  }
  expect(await countedFor(partner, "clients.update", "denied")).toEqual([
    expect.objectContaining({
      count: 25,
      code: "insufficient_scope",
      ip: "127.0.0.1",
      actor: expect.objectContaining({ type: "key" }),
    }),
  ]);
});

test("guesses at others' ids are counted like denials, whether there is such an id or not", async () => {
  const [partner, other] = [await quietPartner(), await world.newPartner()];
  const { id } = await world.newClient(other);
  for (const guess of [id, newId("client", 0), newId("client", 0)])
    expect((await get(partner.key, `/clients/${guess}`)).status).toBe(404);
  expect(await countedFor(partner, "clients.get", "denied")).toEqual([
    expect.objectContaining({ count: 3, code: "not_found", target: null, client_id: null }),
  ]);
});

test("each kind of denial is counted, those found only after the body was read too", async () => {
  const partner = await quietPartner();
  const narrow = await world.newKey(partner, { scopes: ["keys:write", "events:read", "clients:write"], clients: [partner.id] });
  const body = { name: "More", scopes: ["keys:write"], clients: "all" };
  const calls = [
    () => world.call("POST", `${BASE}/clients`, { key: narrow, body: { company: "X" } }),
    () => world.call("POST", `${BASE}/keys`, { key: narrow, body }),
    () => world.call("POST", `${BASE}/keys`, { key: narrow, body: { ...body, scopes: ["audit:read"] } }),
    () => get(narrow, "/events?type=deal.won"),
  ];
  for (const call of calls) expect((await call()).status).toBe(403);
  const denied = (await auditLog(world, partner.key, { outcome: "denied" })).map(({ action, code }) => `${action} ${code}`);
  expect(denied.sort()).toEqual([
    "clients.create partner_wide_key_required",
    "events.list insufficient_scope",
    "keys.create insufficient_scope",
    "keys.create partner_wide_key_required",
  ]);
});

test("what a suspended partner's key tries is counted as denied", async () => {
  const partner = await quietPartner();
  const suspend = (status: string) => world.db.sql("update partners set status = $2 where id = $1", [partner.partner_id, status]);
  await suspend("suspended");
  for (let round = 0; round < 2; round += 1) await get(partner.key, "/me");
  await suspend("active");
  const entries = await countedFor(partner, "me.get", "denied");
  expect(entries.map(({ count, code }) => [count, code])).toEqual([[2, "partner_suspended"]]);
});

test("counts that the database refuses are kept, and written once when it takes them", async () => {
  const [first, second] = [await quietPartner(), await quietPartner()];
  for (const { key } of [first, second]) await get(key, "/me");
  await world.db.sql(`alter table audit_entries add constraint refused check (partner_id <> '${second.partner_id}') not valid`);
  await world.app.tally.flush();
  await get(second.key, "/me");
  await world.db.sql("alter table audit_entries drop constraint refused");
  await world.app.tally.flush();
  for (const [partner, expected] of [
    [first, 1],
    [second, 2],
  ] as const) {
    const entries = await walk(world, partner.key, "/audit-log", { action: "me.get" });
    expect(entries.map(({ count }) => count)).toEqual([expected]);
  }
});

test("a caller without a key leaves nothing in any partner's log", async () => {
  await world.app.tally.flush();
  const before = await world.db.sql("select count(*) from audit_entries");
  await world.call("GET", `${BASE}/clients`);
  await world.app.tally.flush();
  expect(await world.db.sql("select count(*) from audit_entries")).toEqual(before);
});
