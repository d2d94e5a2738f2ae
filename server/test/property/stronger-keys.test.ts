import fc from "fast-check";
import { expect, test } from "vitest";
import type { Scope } from "../../src/kernel/scopes.ts";
import { walk } from "../harness/lists.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
const RUNS = 25;
const CLIENTS = 3;
const POOL: Scope[] = ["keys:write", "keys:read", "clients:read", "clients:write", "audit:read"];

const scopes = fc.subarray(POOL, { minLength: 1 });
/** By their place among the partner's clients; null for all of them. */
const clients = fc.option(fc.subarray([...Array(CLIENTS).keys()], { minLength: 1 }), { nil: null });
const place = fc.nat(30);
const overlap_hours = fc.constantFrom(0, 5);
const step = fc.oneof(
  fc.record({ do: fc.constant("create" as const), by: place, scopes, clients }),
  fc.record({
    do: fc.constant("change" as const),
    by: place,
    on: place,
    scopes: fc.option(scopes),
    clients: fc.oneof(clients, fc.constant("keep" as const)),
  }),
  fc.record({ do: fc.constant("rotate" as const), by: place, on: place, overlap_hours }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

type Power = { scopes: Set<string>; clients: Set<string> | "all" };
type Secret = { secret: string; id: string };
/** For each key, the first key in the line of those that gave it what it has. */
type Givers = Map<string, Power>;

function includes({ scopes, clients }: Power, other: Power): boolean {
  if (![...other.scopes].every((scope) => scopes.has(scope))) return false;
  return clients === "all" || (other.clients !== "all" && [...other.clients].every((id) => clients.has(id)));
}

const powerOf = ({ scopes, clients }: Json): Power => ({
  scopes: new Set(scopes),
  clients: clients === "all" ? "all" : new Set(clients),
});

const POWERLESS: Power = { scopes: new Set(), clients: new Set() };

/** Sends what a step asks. What comes of it must lie within what the caller got from its own giver. */
async function take(step: Step, secrets: Secret[], givers: Givers, ids: string[]): Promise<void> {
  const by = secrets[step.by % secrets.length] ?? { secret: "", id: "" };
  const on = secrets[(step.do === "create" ? 0 : step.on) % secrets.length]?.id;
  const idsOf = (places: number[] | null) => (places === null ? "all" : places.map((index) => ids[index]));
  const [method, path, body] =
    step.do === "create"
      ? ["POST", "/keys", { name: "Made", scopes: step.scopes, clients: idsOf(step.clients) }]
      : step.do === "rotate"
        ? ["POST", `/keys/${on}/rotate`, { overlap_hours: step.overlap_hours }]
        : ["PATCH", `/keys/${on}`, patchOf(step, idsOf)];
  const reply = await world.call(String(method), `${BASE}${path}`, { key: by.secret, body });
  if (reply.status >= 300) return;
  const giver = givers.get(by.id) ?? POWERLESS;
  expect(includes(giver, powerOf(reply.body))).toBe(true);
  if (step.do !== "rotate") givers.set(reply.body.id, giver);
  if (reply.body.api_key !== undefined) secrets.push({ secret: reply.body.api_key, id: reply.body.id });
}

function patchOf(step: Step & { do: "change" }, idsOf: (places: number[] | null) => unknown): object {
  return {
    name: "Changed",
    ...(step.scopes === null ? {} : { scopes: step.scopes }),
    ...(step.clients === "keep" ? {} : { clients: idsOf(step.clients) }),
  };
}

/** The keys that are there at first, each with another power. */
async function firstKeys(partner: TestPartner, ids: string[]): Promise<{ secrets: Secret[]; givers: Givers }> {
  const powers: { scopes: Scope[]; clients: "all" | string[] }[] = [
    { scopes: POOL, clients: ids.slice(0, 2) },
    { scopes: ["keys:write", "clients:read"], clients: "all" },
    { scopes: ["keys:write", "keys:read", "clients:write"], clients: ids.slice(2) },
  ];
  const secrets: Secret[] = [];
  for (const power of powers) {
    const secret = await world.newKey(partner, power);
    const [newest] = await walk(world, partner.key, "/keys", { limit: 100 });
    secrets.push({ secret, id: newest.id });
  }
  return { secrets, givers: new Map(secrets.map(({ id }, index) => [id, powerOf(powers[index])])) };
}

test("whatever is made, changed and rotated, no key holds a scope or a client that the first of its givers did not have", async () => {
  let grown = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const partner = await world.newPartner();
      const ids: string[] = [];
      for (let index = 0; index < CLIENTS; index += 1) ids.push((await world.newClient(partner)).id);
      const { secrets, givers } = await firstKeys(partner, ids);
      for (const step of steps) await take(step, secrets, givers, ids);
      grown += secrets.length - 3;

      const keys = new Map((await walk(world, partner.key, "/keys", { limit: 100 })).map((key) => [key.id, key]));
      for (const [id, giver] of givers) expect(includes(giver, powerOf(keys.get(id)))).toBe(true);
      for (const { secret, id } of secrets) {
        const me = await world.call("GET", `${BASE}/me`, { key: secret });
        if (me.status !== 401) expect(me.body.scopes).toEqual(keys.get(id).scopes);
      }
    }),
    { numRuns: RUNS },
  );
  expect(grown).toBeGreaterThan(RUNS);
});
