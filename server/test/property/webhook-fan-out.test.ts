import fc from "fast-check";
import { expect, test } from "vitest";
import { ALL_EVENT_TYPES, EVENT_TYPES, type EventType } from "../../src/kernel/events.ts";
import type { Scope } from "../../src/kernel/scopes.ts";
import { createContext } from "../../src/platform/record/context.ts";
import { record } from "../../src/platform/record/tx.ts";
import { HOOKS, queuedFor } from "../harness/webhooks.ts";
import { type Json, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
const RUNS = 25;
const CLIENTS = 3;
const READ_SCOPES = [...new Set(Object.values(EVENT_TYPES))] as Scope[];

const places = fc.subarray([...Array(CLIENTS).keys()], { minLength: 1 });
const types = fc.subarray(ALL_EVENT_TYPES, { minLength: 1 });
/** Mostly what is allowed, so that much is sent; often enough what is not. */
const endpoint = fc.record({
  scopes: fc.oneof({ weight: 2, arbitrary: fc.constant(READ_SCOPES) }, fc.subarray(READ_SCOPES)),
  /** The clients of the key that makes it; null for all. */
  bound: fc.option(places, { nil: null }),
  types: fc.option(fc.oneof(types, fc.constant("*" as const)), { nil: undefined }),
  clients: fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, fc.constant(null), places),
  enabled: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
});
const happening = fc.array(
  fc.record({ type: fc.constantFrom(...ALL_EVENT_TYPES), client: fc.option(fc.nat(CLIENTS - 1), { nil: null }) }),
  { minLength: 1, maxLength: 9 },
);

type Endpoint = typeof endpoint extends fc.Arbitrary<infer Value> ? Value : never;
type Model = { enabled: boolean; types: EventType[]; clients: number[] | null };

/** What the rules make of an endpoint that is asked for: null where it is refused. */
function modelOf({ scopes, bound, types, clients, enabled }: Endpoint): Model | null {
  const readable = ALL_EVENT_TYPES.filter((type) => scopes.includes(EVENT_TYPES[type]));
  const wanted = types === "*" ? ALL_EVENT_TYPES : (types ?? readable);
  if (wanted.length === 0 || wanted.some((type) => !readable.includes(type))) return null;
  const chosen = clients === undefined ? bound : clients;
  if (bound !== null && (chosen === null || chosen.some((place) => !bound.includes(place)))) return null;
  return { enabled, types: wanted, clients: chosen };
}

const wants = ({ enabled, types, clients }: Model, type: EventType, client: number | null) =>
  enabled && types.includes(type) && (clients === null || (client !== null && clients.includes(client)));

test("each endpoint gets exactly the events that its maker could read, of its clients, and a failed transaction gives none", async () => {
  let delivered = 0;
  let refused = 0;
  const property = fc.asyncProperty(
    fc.array(endpoint, { minLength: 1, maxLength: 5 }),
    fc.array(fc.record({ events: happening, fails: fc.oneof({ weight: 2, arbitrary: fc.constant(false) }, fc.constant(true)) }), {
      minLength: 1,
      maxLength: 4,
    }),
    async (endpoints, transactions) => {
      const partner = await world.newPartner();
      const ids: string[] = [];
      for (let count = 0; count < CLIENTS; count += 1) ids.push((await world.newClient(partner)).id);
      const idsOf = (chosen: number[] | null) => chosen?.map((place) => ids[place] ?? "") ?? null;
      const made: [Model, string][] = [];
      for (const asked of endpoints) {
        const key = await world.newKey(partner, {
          scopes: ["webhooks:write", ...asked.scopes],
          clients: idsOf(asked.bound) ?? "all",
        });
        const body: Json = { url: "https://hooks.test.example/", enabled: asked.enabled };
        if (asked.types !== undefined) body.event_types = [asked.types].flat();
        if (asked.clients !== undefined) body.client_ids = idsOf(asked.clients);
        const reply = await world.call("POST", HOOKS, { key, body });
        const model = modelOf(asked);
        expect(reply.status < 300).toBe(model !== null);
        if (model === null) refused += 1;
        else made.push([model, reply.body.id]);
      }
      const ctx = createContext(world.app.services, { principal: { type: "system", partner_id: partner.partner_id } });
      let version = 0;
      for (const { events, fails } of transactions) {
        const ran = ctx.tx(async (tx) => {
          for (const { type, client } of events) {
            const client_id = client === null ? null : (ids[client] ?? null);
            version += 1;
            const data = { partner_id: partner.partner_id };
            const event = { type, subject: partner.partner_id, subject_version: version, client_id, data };
            record(tx, partner, [event], { action: "test.happening", target: null, client_id });
          }
          if (fails) throw new Error("undone");
        });
        await ran.catch(() => undefined);
      }
      const happened = transactions.filter(({ fails }) => !fails).flatMap(({ events }) => events);
      for (const [model, id] of made) {
        const expected = happened
          .filter(({ type, client }) => wants(model, type, client))
          .map(({ type, client }) => [type, client === null ? null : ids[client]]);
        const rows = await queuedFor(world, id);
        expect(rows.map(({ event_type, client_id }) => [event_type, client_id])).toEqual(expected);
        delivered += rows.length;
      }
    },
  );
  await fc.assert(property, { numRuns: RUNS });
  expect(delivered).toBeGreaterThan(RUNS);
  expect(refused).toBeGreaterThan(RUNS / 4);
});
