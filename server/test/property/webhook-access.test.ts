import fc from "fast-check";
import { expect, test } from "vitest";
import { EVENT_TYPES, type EventType } from "../../src/kernel/events.ts";
import type { Scope } from "../../src/kernel/scopes.ts";
import { walk } from "../harness/lists.ts";
import { HOOKS, newEndpoint } from "../harness/webhooks.ts";
import { BASE, type Json, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
const RUNS = 20;
const CLIENTS = 3;
const TYPES: EventType[] = ["client.created", "deal.won", "payout.paid", "tier.changed"];
const SCOPES: Scope[] = ["webhooks:read", "webhooks:write", "clients:read", "deals:read"];

/** Mostly what the key may ask for, often enough what it may not. */
const clients = fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, fc.constant(null), {
  weight: 2,
  arbitrary: fc.subarray([...Array(CLIENTS).keys()], { minLength: 1 }),
});
const types = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  fc.constant<EventType[]>(["client.created", "deal.won"]),
  fc.subarray(TYPES, { minLength: 1 }),
);
const place = fc.nat(20);
const step = fc.oneof(
  fc.record({ do: fc.constant("create" as const), clients, types }),
  fc.record({ do: fc.constant("change" as const), on: place, clients, types }),
  fc.record({ do: fc.constantFrom("rotate-secret" as const, "test" as const, "replay" as const, "delete" as const), on: place }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

type Power = { clients: string[]; scopes: Scope[] };

const withinClients = ({ client_ids }: Json, own: Power) => client_ids?.every((id: string) => own.clients.includes(id)) ?? false;
const withinScopes = ({ event_types }: Json, own: Power) =>
  event_types.every((type: EventType) => own.scopes.includes(EVENT_TYPES[type]));

/** What a step asks for, by a key that may be weaker than what it asks. */
async function take(step: Step, key: string, endpoints: Json[], ids: string[]) {
  const on = step.do === "create" ? undefined : endpoints[step.on % endpoints.length];
  const fields =
    step.do === "create" || step.do === "change"
      ? {
          ...(step.clients === undefined ? {} : { client_ids: step.clients?.map((index) => ids[index]) ?? null }),
          ...(step.types === null ? {} : { event_types: step.types }),
        }
      : {};
  if (step.do === "create") {
    return world.call("POST", HOOKS, { key, body: { url: "https://hooks.test.example/", ...fields } });
  }
  const url = `${HOOKS}/${on.id}`;
  if (step.do === "change") return world.call("PATCH", url, { key, body: { description: "Changed", ...fields } });
  if (step.do === "delete") return world.call("DELETE", url, { key });
  const body = step.do === "replay" ? { since: "2026-01-01T00:00:00Z" } : {};
  return world.call("POST", `${url}/${step.do}`, { key, body });
}

test("a bound key never makes, sees or changes an endpoint beyond its clients, nor gets one to send what it may not read", async () => {
  let done = 0;
  let refused = 0;
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 6, maxLength: 16 }),
    fc.subarray([...Array(CLIENTS).keys()], { minLength: 1, maxLength: 2 }),
    async (steps, bound) => {
      const partner = await world.newPartner();
      const ids: string[] = [];
      for (let count = 0; count < CLIENTS; count += 1) ids.push((await world.newClient(partner)).id);
      const own: Power = { clients: bound.map((index) => ids[index] ?? ""), scopes: SCOPES };
      const key = await world.newKey(partner, own);
      const event_types = ["client.created"];
      for (const client_ids of [null, ids, ids.slice(0, 1), ids.slice(2)]) {
        await newEndpoint(world, partner.key, { client_ids, event_types });
      }
      await newEndpoint(world, partner.key, { client_ids: own.clients, event_types: TYPES });
      const all = () => walk(world, partner.key, "/webhooks", { limit: 100 });
      for (const step of steps) {
        const before = new Map((await all()).map((endpoint) => [endpoint.id, endpoint]));
        const reply = await take(step, key, [...before.values()], ids);
        if (reply.status < 300) done += 1;
        else refused += 1;
        const after = new Map((await all()).map((endpoint) => [endpoint.id, endpoint]));
        for (const [id, endpoint] of before) {
          if (!withinClients(endpoint, own)) expect(after.get(id)).toEqual(endpoint);
        }
        for (const [id, endpoint] of after) {
          if (endpoint.version === before.get(id)?.version) continue;
          expect([withinClients(endpoint, own), withinScopes(endpoint, own)]).toEqual([true, true]);
        }
        if (reply.body?.secret !== undefined) {
          expect([withinClients(reply.body, own), withinScopes(reply.body, own)]).toEqual([true, true]);
        }
      }
      await expectSight(key, own, await all());
    },
  );
  await fc.assert(property, { numRuns: RUNS });
  expect(done).toBeGreaterThan(RUNS);
  expect(refused).toBeGreaterThan(RUNS);
});

/** A key sees exactly the endpoints within its clients, in the list and one by one, and what belongs to them. */
async function expectSight(key: string, own: Power, endpoints: Json[]): Promise<void> {
  const seen = (await walk(world, key, "/webhooks", { limit: 100 })).map(({ id }) => id);
  expect(seen).toEqual(endpoints.filter((endpoint) => withinClients(endpoint, own)).map(({ id }) => id));
  for (const { id } of endpoints) {
    const status = seen.includes(id) ? 200 : 404;
    for (const path of ["", "/deliveries", "/replays"]) {
      expect((await world.call("GET", `${BASE}/webhooks/${id}${path}`, { key })).status).toBe(status);
    }
  }
}
