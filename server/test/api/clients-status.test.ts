import { expect, test } from "vitest";
import { auditLog, feed } from "../harness/lists.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
const DAY_MS = 86_400_000;

type Status = "pending" | "active" | "suspended" | "churned";

/** A client that was brought to a status, the way there included in its feed. */
async function clientIn(status: Status) {
  const partner = await world.newPartner();
  const fields = { company: "Harbour Dental", plan: "Growth", mrr_cents: 49_900, activate: status !== "pending" };
  const { id } = await world.newClient(partner, fields);
  const path = `${BASE}/clients/${id}`;
  if (status === "suspended" || status === "churned") {
    await world.call("PATCH", path, { key: partner.key, body: { status } });
  }
  return { partner, id, path, key: partner.key, read: async () => (await world.call("GET", path, { key: partner.key })).body };
}

async function lastEvent({ key }: TestPartner): Promise<Json> {
  return (await feed(world, key)).at(-1);
}

async function movesIn({ key }: TestPartner): Promise<Json[]> {
  const entries = await auditLog(world, key, { outcome: "success" });
  return entries.filter(({ action, changes }) => /^clients\./.test(action) && changes !== null);
}

test("a suspended client is announced with the reason, who did it and the revenue at risk", async () => {
  const { partner, id, path, key } = await clientIn("active");
  world.clock.advance(1_000);
  const { status, body } = await world.call("POST", `${path}/suspend`, { key, body: { reason: "Invoice overdue" } });
  const now = world.clock.now().toISOString();
  expect(status).toBe(200);
  expect(body).toMatchObject({
    status: "suspended",
    status_reason: "Invoice overdue",
    status_changed_at: now,
    suspended_at: now,
    version: 2,
  });
  expect(await lastEvent(partner)).toEqual({
    id: expect.stringMatching(/^evt_/),
    type: "client.suspended",
    created: Math.floor(world.clock.now().getTime() / 1000),
    data: {
      client_id: id,
      partner_id: partner.partner_id,
      company: "Harbour Dental",
      reason: "Invoice overdue",
      suspended_by: "partner",
      mrr_at_risk_cents: 49_900,
    },
  });
});

test.each([
  ["a suspended client", "suspended"],
  ["a churned client, won back,", "churned"],
] as const)("%s that is reactivated is announced as activated again", async (_case, from) => {
  const { partner, id, path, key } = await clientIn(from);
  const { body } = await world.call("POST", `${path}/reactivate`, { key });
  expect(body).toMatchObject({ status: "active", status_reason: null, activated_at: world.clock.now().toISOString() });
  const { type, data } = await lastEvent(partner);
  expect(type).toBe("client.activated");
  expect(data).toEqual({
    client_id: id,
    partner_id: partner.partner_id,
    company: "Harbour Dental",
    plan: "Growth",
    mrr_cents: 49_900,
    previous_status: from,
    reactivated: true,
  });
});

test("a pending client that is activated is not announced as reactivated", async () => {
  const { partner, path, key } = await clientIn("pending");
  await world.call("PATCH", path, { key, body: { status: "active", reason: "Signed" } });
  const { type, data } = await lastEvent(partner);
  expect([type, data.previous_status, data.reactivated]).toEqual(["client.activated", "pending", false]);
});

test("a churned client is announced with the reason, the revenue lost and the whole days it stayed", async () => {
  const { partner, id, path, key } = await clientIn("active");
  world.clock.advance(12 * DAY_MS + DAY_MS / 2);
  await world.call("PATCH", path, { key, body: { status: "churned", reason: "Closed the business" } });
  const { type, data } = await lastEvent(partner);
  expect(type).toBe("client.churned");
  expect(data).toEqual({
    client_id: id,
    partner_id: partner.partner_id,
    company: "Harbour Dental",
    reason: "Closed the business",
    lost_mrr_cents: 49_900,
    lifetime_days: 12,
  });
});

test("DELETE answers 204 without a body, and the client stays readable as churned", async () => {
  const { partner, path, key, read } = await clientIn("active");
  const { status, text } = await world.call("DELETE", path, { key });
  expect([status, text]).toEqual([204, ""]);
  expect(await read()).toMatchObject({ status: "churned", status_reason: null, churned_at: world.clock.now().toISOString() });
  expect((await lastEvent(partner)).type).toBe("client.churned");
});

test("the times of earlier moves stay when a client moves on", async () => {
  const { path, key, read } = await clientIn("suspended");
  const { suspended_at } = await read();
  world.clock.advance(DAY_MS);
  await world.call("DELETE", path, { key });
  expect(await read()).toMatchObject({ suspended_at, churned_at: world.clock.now().toISOString() });
});

const ROUTES = [
  ["suspended", "POST", "/suspend", undefined],
  ["suspended", "PATCH", "", { status: "suspended", reason: "Again" }],
  ["active", "POST", "/reactivate", undefined],
  ["active", "PATCH", "", { status: "active" }],
  ["churned", "DELETE", "", undefined],
  ["churned", "PATCH", "", { status: "churned" }],
] as const;

test.each(ROUTES)(
  "a client that is %s already stays as it is under %s %s: no event, no entry, no new version",
  async (...route) => {
    const [status, method, suffix, body] = route;
    const { partner, path, key, read } = await clientIn(status);
    const before = [await read(), await feed(world, key), await movesIn(partner)];
    world.clock.advance(1_000);
    const reply = await world.call(method, path + suffix, { key, ...(body === undefined ? {} : { body }) });
    expect(reply.status).toBe(method === "DELETE" ? 204 : 200);
    expect([await read(), await feed(world, key), await movesIn(partner)]).toEqual(before);
  },
);

test.each([
  ["pending", "clients.activate", { status: "active" }],
  ["active", "clients.suspend", { status: "suspended" }],
  ["suspended", "clients.reactivate", { status: "active" }],
  ["churned", "clients.reactivate", { status: "active" }],
  ["suspended", "clients.churn", { status: "churned" }],
] as const)("a move from %s leaves one entry %s with the old and the new status", async (from, action, body) => {
  const { path, key, id, partner } = await clientIn(from);
  const before = await movesIn(partner);
  await world.call("PATCH", path, { key, body });
  const entries = (await movesIn(partner)).slice(before.length);
  expect(entries).toEqual([
    expect.objectContaining({ action, target: id, client_id: id, changes: { status: { from, to: body.status } } }),
  ]);
});

const ILLEGAL: [Status, Status, Status[]][] = [
  ["pending", "suspended", ["active", "churned"]],
  ["active", "pending", ["suspended", "churned"]],
  ["suspended", "pending", ["active", "churned"]],
  ["churned", "suspended", ["active"]],
  ["churned", "pending", ["active"]],
];

test.each(ILLEGAL)(
  "a client cannot go from %s to %s: 409 with where it can go, and nothing changes",
  async (from, to, allowed) => {
    const { partner, path, key, read } = await clientIn(from);
    const before = [await read(), await feed(world, key), await movesIn(partner)];
    const { status, body } = await world.call("PATCH", path, { key, body: { status: to } });
    expect([status, body.code, body.from, body.allowed]).toEqual([409, "invalid_state_transition", from, allowed]);
    expect([await read(), await feed(world, key), await movesIn(partner)]).toEqual(before);
  },
);

test("the plain verbs refuse the same moves as the patch", async () => {
  for (const from of ["pending", "churned"] as const) {
    const { path, key } = await clientIn(from);
    const { status, body } = await world.call("POST", `${path}/suspend`, { key, body: {} });
    expect([status, body.code, body.from]).toEqual([409, "invalid_state_transition", from]);
  }
});
