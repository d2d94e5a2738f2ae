import { expect, test } from "vitest";
import { feed, walk } from "../harness/lists.ts";
import { BASE, type Json, useWorld } from "../harness/world.ts";

const world = useWorld();

async function scene() {
  const partner = await world.newPartner();
  const { id } = await world.newClient(partner);
  const path = `${BASE}/clients/${id}`;
  world.clock.advance(1_000);
  await world.call("PATCH", path, { key: partner.key, body: { plan: "Growth", contact: { name: "Ada" } } });
  world.clock.advance(1_000);
  await world.call("POST", `${path}/suspend`, { key: partner.key, body: { reason: "Invoice overdue" } });
  await world.newClient(partner);
  return { partner, id, path };
}

test("the activity of a client is its events and what was done to it, newest first", async () => {
  const { partner, id, path } = await scene();
  const { status, body } = await world.call("GET", `${path}/activity`, { key: partner.key });
  expect([status, body.has_more]).toEqual([200, false]);
  expect(body.data.map(({ type, name }: Json) => [type, name])).toEqual([
    ["audit", "clients.suspend"],
    ["event", "client.suspended"],
    ["audit", "clients.update"],
    ["audit", "clients.create"],
    ["event", "client.activated"],
    ["event", "client.created"],
  ]);
  const [suspended] = await feed(world, partner.key, `client_id=${id}&type=client.suspended`);
  expect(body.data[1]).toEqual({
    type: "event",
    id: suspended.id,
    at: world.clock.now().toISOString(),
    name: "client.suspended",
    data: suspended.data,
  });
  const [entry] = await walk(world, partner.key, "/audit-log", { action: "clients.update", client_id: id });
  expect(body.data[2]).toEqual({
    type: "audit",
    id: entry.id,
    at: entry.occurred_at,
    name: "clients.update",
    data: { actor: entry.actor, changes: { plan: { from: null, to: "Growth" }, contact: "redacted" } },
  });
});

test.each([1, 2, 4, 100])("in pages of %i each entry comes exactly once", async (limit) => {
  const { partner, id, path } = await scene();
  const { body } = await world.call("GET", `${path}/activity`, { key: partner.key });
  expect(await walk(world, partner.key, `/clients/${id}/activity`, { limit })).toEqual(body.data);
});

test("reads and denials are not activity", async () => {
  const { partner, path } = await scene();
  const { body: before } = await world.call("GET", `${path}/activity`, { key: partner.key });
  const blind = await world.newKey(partner, { scopes: ["clients:read"] });
  for (const key of [partner.key, blind]) await world.call("GET", path, { key });
  await world.call("PATCH", path, { key: blind, body: { plan: "Scale" } });
  await world.app.tally.flush();
  expect((await world.call("GET", `${path}/activity`, { key: partner.key })).body).toEqual(before);
});

test("a cursor of one client's activity is refused for another's", async () => {
  const { partner, path } = await scene();
  const other = await world.newClient(partner);
  const { body } = await world.call("GET", `${path}/activity?limit=1`, { key: partner.key });
  const url = `${BASE}/clients/${other.id}/activity?cursor=${body.next_cursor}`;
  expect((await world.call("GET", url, { key: partner.key })).body.code).toBe("invalid_cursor");
});
