import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { Scope } from "../../src/kernel/scopes.ts";
import { walk } from "../harness/lists.ts";
import { sized } from "../harness/size.ts";
import { BASE, GENERAL, type Json, nextPhone, type Reply, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({ egress: "development" }, "api");
const RUNS = sized(10, 50);
const SCOPES: Scope[] = ["contacts:write", "clients:write", "keys:write", "webhooks:write", "clients:read"];
const REPLAYED = "idempotent-replayed";

let partner: TestPartner;
let clients: string[];

beforeAll(async () => {
  partner = await world.newPartner();
  clients = [(await world.newClient(partner)).id, (await world.newClient(partner)).id, (await world.newClient(partner)).id];
});

type Rights = { scopes: readonly Scope[]; clients: "all" | readonly string[] };

async function newKey(rights: Partial<Rights> = {}): Promise<{ id: string; secret: string }> {
  const body = { name: "Replays", scopes: SCOPES, clients: "all", ...rights };
  const reply = await world.call("POST", `${BASE}/keys`, { key: partner.key, body });
  return { id: reply.body.id, secret: reply.body.api_key };
}

function post(secret: string, path: string, body: unknown, name: string): Promise<Reply> {
  return world.call("POST", path, { key: secret, body, headers: { "idempotency-key": name } });
}

const change = (
  id: string,
  body: Partial<Rights> | { name: string } | { expires_at: string } | { allowed_cidrs: readonly string[] },
) => world.call("PATCH", `${BASE}/keys/${id}`, { key: partner.key, body });

const rotate = (id: string, overlap_hours = 1) =>
  world.call("POST", `${BASE}/keys/${id}/rotate`, { key: partner.key, body: { overlap_hours } });

const newContact = (account_id?: string) => ({
  name: "Ada",
  phone: nextPhone(),
  ...(account_id === undefined ? {} : { account_id }),
});

function expectWithheld({ status, body, text }: Reply, secret?: string): void {
  expect([status, body.code]).toEqual([403, "reply_withheld"]);
  if (secret !== undefined) expect(text).not.toContain(secret);
}

describe("a stored reply is withheld from a key that has lost", () => {
  test("the client that it is about", async () => {
    const key = await newKey({ clients: clients.slice(0, 2) });
    const body = newContact(clients[0]);
    expect((await post(key.secret, `${GENERAL}/contacts`, body, "one")).status).toBe(201);
    await change(key.id, { clients: clients.slice(1, 2) });
    expectWithheld(await post(key.secret, `${GENERAL}/contacts`, body, "one"));
  });

  test("the client that it was made for by default, though the call would now be made for another", async () => {
    const key = await newKey({ clients: clients.slice(0, 1) });
    const body = newContact();
    expect((await post(key.secret, `${GENERAL}/contacts`, body, "one")).body.account_id).toBe(clients[0]);
    await change(key.id, { clients: clients.slice(1, 2) });
    expectWithheld(await post(key.secret, `${GENERAL}/contacts`, body, "one"));
  });

  test.each([
    ["a scope", { scopes: SCOPES.filter((scope) => scope !== "clients:write") }],
    ["its access to all clients", "bound"],
    ["its unlimited time", { expires_at: "2026-12-01T00:00:00.000Z" }],
    ["its access from any network", { allowed_cidrs: ["127.0.0.0/8"] }],
  ] as const)("%s", async (_case, rights) => {
    const key = await newKey();
    const body = { name: "Made", scopes: ["clients:read"], clients: [clients[0] ?? ""] };
    const first = await post(key.secret, `${BASE}/keys`, body, "make");
    expect(first.status).toBe(201);
    expect((await change(key.id, rights === "bound" ? { clients } : rights)).status).toBe(200);
    expectWithheld(await post(key.secret, `${BASE}/keys`, body, "make"), first.body.api_key);
    expect(
      await walk(world, partner.key, "/keys").then((keys) => keys.filter(({ created_by }: Json) => created_by === key.id)),
    ).toHaveLength(1);
  });
});

test.each([
  ["a new name", { name: "Renamed" }],
  ["more clients", { clients: "all" as const }],
  ["another order of its scopes", { scopes: [...SCOPES].reverse() }],
])("a key with %s gets its stored replies as before", async (_case, patch) => {
  const key = await newKey({ clients });
  const body = newContact(clients[0]);
  const first = await post(key.secret, `${GENERAL}/contacts`, body, "one");
  expect((await change(key.id, patch)).status).toBe(200);
  const again = await post(key.secret, `${GENERAL}/contacts`, body, "one");
  expect([again.status, again.headers[REPLAYED], again.text]).toEqual([201, "true", first.text]);
});

describe("a reply with a secret", () => {
  const calls = {
    "of a new key": { path: `${BASE}/keys`, body: { name: "Made", scopes: ["clients:read"], clients: "all" }, member: "api_key" },
    "of a new webhook endpoint": {
      path: `${BASE}/webhooks`,
      body: { url: "http://127.0.0.1:9/hook", event_types: ["client.created"] },
      member: "secret",
    },
  };

  test.each(Object.entries(calls))("%s is repeated only to the secret of the key that got it first", async (_case, call) => {
    const key = await newKey();
    const first = await post(key.secret, call.path, call.body, "make");
    expect(first.status).toBe(201);
    const rotated = (await rotate(key.id)).body.api_key;
    expectWithheld(await post(rotated, call.path, call.body, "make"), first.body[call.member]);
    expect((await post(key.secret, call.path, call.body, "make")).body[call.member]).toBe(first.body[call.member]);
  });

  test("is audited each time that it is repeated, and a refusal as a denial", async () => {
    const key = await newKey();
    const body = { name: "Made", scopes: ["clients:read"], clients: "all" };
    const first = await post(key.secret, `${BASE}/keys`, body, "make");
    const again = await post(key.secret, `${BASE}/keys`, body, "make");
    await post((await rotate(key.id)).body.api_key, `${BASE}/keys`, body, "make");
    await world.app.tally.flush();
    const entries = await walk(world, partner.key, "/audit-log", { actor_id: key.id });
    expect(entries.map(({ action, outcome, target, code }: Json) => ({ action, outcome, target, code }))).toEqual([
      { action: "keys.create", outcome: "denied", target: null, code: "reply_withheld" },
      { action: "keys.create_replay", outcome: "success", target: first.body.id, code: null },
      { action: "keys.create", outcome: "success", target: first.body.id, code: null },
    ]);
    expect(entries[1].request_id).toBe(again.headers["request-id"]);
  });

  test("is not needed by others: a rotated key still gets its replies without a secret", async () => {
    const key = await newKey();
    const body = newContact();
    const first = await post(key.secret, `${GENERAL}/contacts`, body, "one");
    const again = await post((await rotate(key.id)).body.api_key, `${GENERAL}/contacts`, body, "one");
    expect([again.headers[REPLAYED], again.text]).toEqual(["true", first.text]);
  });
});

const rights = fc.record({
  scopes: fc.subarray(SCOPES.slice(1), { minLength: 0 }).map((scopes): Scope[] => ["contacts:write", ...scopes]),
  clients: fc.option(fc.subarray([0, 1, 2], { minLength: 1 }), { nil: "all" as const }),
});
const step = fc.oneof(
  fc.record({ do: fc.constant("change" as const), rights }),
  fc.record({ do: fc.constant("send" as const), account: fc.nat(2) }),
  fc.record({ do: fc.constant("repeat" as const), which: fc.nat(20) }),
  fc.record({ do: fc.constant("rotate" as const) }),
);

const includes = (now: Rights, then: Rights) =>
  then.scopes.every((scope) => now.scopes.includes(scope)) &&
  (now.clients === "all" || (then.clients !== "all" && then.clients.every((id) => now.clients.includes(id))));

test("whatever happens to a key, it gets a stored reply again exactly if it never lost a right since", async () => {
  await fc.assert(
    fc.asyncProperty(rights, fc.array(step, { maxLength: 12 }), async (start, steps) => {
      const idsOf = ({ scopes, clients: places }: typeof start): Rights => ({
        scopes,
        clients: places === "all" ? "all" : places.map((place) => clients[place] ?? ""),
      });
      let held = idsOf(start);
      const key = await newKey(held);
      let { secret } = key;
      const sent: { body: object; intact: boolean; text: string }[] = [];
      for (const one of steps) {
        if (one.do === "change") {
          const next = idsOf(one.rights);
          expect((await change(key.id, next)).status).toBe(200);
          for (const past of sent) past.intact &&= includes(next, held);
          held = next;
        } else if (one.do === "rotate") secret = (await rotate(key.id, 0)).body.api_key;
        else if (one.do === "send") {
          const body = newContact(clients[one.account]);
          const reply = await post(secret, `${GENERAL}/contacts`, body, `s-${sent.length}`);
          if (reply.status === 201) sent.push({ body, intact: true, text: reply.text });
        } else {
          const index = one.which % Math.max(sent.length, 1);
          const past = sent[index];
          if (past === undefined) continue;
          const reply = await post(secret, `${GENERAL}/contacts`, past.body, `s-${index}`);
          if (past.intact) expect([reply.headers[REPLAYED], reply.text]).toEqual(["true", past.text]);
          else expectWithheld(reply);
        }
      }
    }),
    { numRuns: RUNS },
  );
});

test("once a key was narrowed, no request gets what it got before, whatever was under way", async () => {
  for (let round = 0; round < 5; round += 1) {
    const key = await newKey({ clients });
    const body = newContact(clients[0]);
    const first = await post(key.secret, `${GENERAL}/contacts`, body, "one");
    const repeat = () => post(key.secret, `${GENERAL}/contacts`, body, "one");
    const during = Array.from({ length: 10 }, repeat);
    const narrowed = change(key.id, { clients: clients.slice(1) });
    during.push(...Array.from({ length: 10 }, repeat));
    expect((await narrowed).status).toBe(200);
    for (const reply of await Promise.all(Array.from({ length: 10 }, repeat))) {
      if (reply.body.code !== "idempotency_key_in_progress") expectWithheld(reply);
    }
    for (const reply of await Promise.all(during)) {
      const known = ["reply_withheld", "idempotency_key_in_progress", "service_unavailable"].includes(reply.body.code);
      expect(known || reply.text === first.text, reply.text).toBe(true);
    }
    expectWithheld(await repeat());
  }
});
