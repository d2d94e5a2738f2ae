import { beforeAll, describe, expect, test } from "vitest";
import { importFile } from "../harness/imports.ts";
import { ADMIN, BASE, GENERAL, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let operator: string;
let partner: TestPartner;

beforeAll(async () => {
  operator = await world.newOperator();
  partner = await world.newPartner();
});

const admin = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  world.call(method, `${ADMIN}${path}`, { key: operator, body, headers });
const own = (method: string, path: string, body?: object) => world.call(method, path, { key: partner.key, body });
const names = ({ body }: Json) => body.data.map(({ name }: Json) => name);

test("without a catalogue, any name of a plan is accepted as it is sent", async () => {
  expect((await world.newClient(partner, { plan: "anything" })).plan).toBe("anything");
  await world.db.sql(
    `insert into plans (id, name, state, created_at, updated_at) values ('pln_0123456789abcdefghjkmnpqrs', 'Old Plan', 'legacy', now(), now())`,
  );
  expect((await world.newClient(partner, { plan: "old plan" })).plan).toBe("old plan");
  expect((await own("GET", `${BASE}/plans`)).body.data).toEqual([]);
});

describe("a catalogue", () => {
  let growth: Json;

  beforeAll(async () => {
    const created = await admin("POST", "/plans", { name: "Growth", prices: { usd: 49_900, eur: 45_900 } });
    expect([created.status, created.headers.location]).toEqual([201, `${ADMIN}/plans/${created.body.id}`]);
    growth = created.body;
    expect((await admin("POST", "/plans", { name: "Scale" })).body).toMatchObject({ prices: {}, state: "active", version: 1 });
  });

  test("is listed by name, to partners only what they can sell", async () => {
    expect(names(await admin("GET", "/plans"))).toEqual(["Growth", "Old Plan", "Scale"]);
    expect(names(await admin("GET", "/plans?state=legacy&state=archived"))).toEqual(["Old Plan"]);
    const first = await own("GET", `${BASE}/plans?limit=1`);
    expect([names(first), first.body.has_more]).toEqual([["Growth"], true]);
    expect(names(await own("GET", `${BASE}/plans?cursor=${first.body.next_cursor}`))).toEqual(["Scale"]);
    expect((await own("GET", `${BASE}/plans?state=legacy`)).body.code).toBe("unknown_parameter");
  });

  test("has one plan of a name, in whatever case; the problem says which", async () => {
    const again = await admin("POST", "/plans", { name: "GROWTH" });
    expect([again.status, again.body.code, again.body.existing_id]).toEqual([409, "duplicate_plan", growth.id]);
    const legacy = await admin("POST", "/plans", { name: "old plan" });
    expect([legacy.body.code, legacy.body.existing_id]).toEqual(["duplicate_plan", "pln_0123456789abcdefghjkmnpqrs"]);
    const scale = (await admin("GET", "/plans")).body.data.at(-1);
    const renamed = await admin("PATCH", `/plans/${scale.id}`, { name: "growth" }, { "if-match": "*" });
    expect([renamed.status, renamed.body.existing_id]).toEqual([409, growth.id]);
  });

  test("changes only against the version that was read, and the audit log says how", async () => {
    const { id } = (await admin("POST", "/plans", { name: "Trial" })).body;
    expect((await admin("PATCH", `/plans/${id}`, { state: "archived" })).body.code).toBe("precondition_required");
    const changed = await admin("PATCH", `/plans/${id}`, { state: "archived", prices: { gbp: 0 } }, { "if-match": '"1"' });
    expect([changed.status, changed.headers.etag, changed.body.state]).toEqual([200, '"2"', "archived"]);
    expect((await admin("PATCH", `/plans/${id}`, { name: "Late" }, { "if-match": '"1"' })).status).toBe(412);
    expect((await admin("GET", `/plans/${id}`)).body).toEqual(changed.body);
    expect((await admin("PATCH", `/plans/${id}`, { state: "archived" }, { "if-match": "*" })).body.version).toBe(2);
    const [updated, created] = (await admin("GET", `/audit-log?target=${id}`)).body.data;
    expect([updated.action, created.action]).toEqual(["plans.update", "plans.create"]);
    expect(updated.changes.state).toEqual({ from: "active", to: "archived" });
  });

  test.each([
    ["a price in no currency", { name: "X", prices: { xxy: 1 } }, "#/prices/xxy"],
    ["a price that is negative", { name: "X", prices: { usd: -1 } }, "#/prices/usd"],
    ["a name with blanks around it", { name: " X" }, "#/name"],
    ["a state that only an upgrade gives", { name: "X", state: "legacy" }, "#/state"],
  ])("refuses %s", async (_, body, pointer) => {
    const refused = await admin("POST", "/plans", body);
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, pointer]);
  });

  test("a client has a plan of it, spelled as there; another is refused with the names to choose from", async () => {
    const client = await world.newClient(partner, { plan: "gROWTH", external_id: "c-1" });
    expect([client.plan, client.version]).toEqual(["Growth", 1]);
    const refused = await own("POST", `${BASE}/clients`, { company: "X", plan: "Unheard" });
    expect([refused.status, refused.body.code, refused.body.plans]).toEqual([422, "unknown_plan", ["Growth", "Scale"]]);
    expect((await world.newClient(partner, { plan: "OLD PLAN" })).plan).toBe("Old Plan");
    const twice = await own("POST", `${BASE}/clients`, { company: "X", plan: "Unheard", external_id: "c-1" });
    expect(twice.body.code).toBe("duplicate_client");
    const [created] = (await own("GET", `${BASE}/events?client_id=${client.id}`)).body.data;
    expect(created.data.plan).toBe("Growth");
  });

  test("a repeated request with an Idempotency-Key gets the client once, whatever the spelling", async () => {
    const options = { key: partner.key, body: { company: "Once", plan: "scale" }, headers: { "idempotency-key": "spelled" } };
    const [first, second] = [
      await world.call("POST", `${BASE}/clients`, options),
      await world.call("POST", `${BASE}/clients`, options),
    ];
    expect([first.status, first.body.plan, second.text]).toEqual([201, "Scale", first.text]);
    expect((await own("GET", `${BASE}/clients?q=once`)).body.data).toHaveLength(1);
  });

  test("a client that is changed keeps its plan, archived or never in the catalogue, and takes only known ones", async () => {
    const [client] = (await own("GET", `${BASE}/clients?plan=anything`)).body.data;
    const path = `${BASE}/clients/${client.id}`;
    expect((await own("PATCH", path, { plan: "anything", mrr_cents: 5 })).body).toMatchObject({ plan: "anything", mrr_cents: 5 });
    expect((await own("PATCH", path, { plan: "Anything" })).body.code).toBe("unknown_plan");
    expect((await own("PATCH", path, { plan: "scale" })).body.plan).toBe("Scale");
    expect((await own("PATCH", path, { plan: "SCALE" })).body.version).toBe(3);
    expect((await own("PATCH", path, { plan: null })).body.plan).toBeNull();
  });

  test("sales are the same: created, changed, registered and imported", async () => {
    const sale = { company: "Pier Nine", plan: "growth", mrr_cents: 49_900 };
    const created = await own("POST", `${BASE}/deals`, sale);
    expect([created.status, created.body.plan]).toEqual([201, "Growth"]);
    expect((await own("POST", `${BASE}/deals`, { ...sale, company: "Other", plan: "Trial" })).body.code).toBe("unknown_plan");
    const path = `${BASE}/deals/${created.body.id}`;
    expect((await own("PATCH", path, { plan: "Unheard" })).body.errors[0].pointer).toBe("#/plan");
    expect((await own("PATCH", path, { plan: "scale" })).body).toMatchObject({ plan: "Scale", version: 2 });
    expect((await own("PATCH", path, { plan: "SCALE" })).body.version).toBe(2);
    const plain = (await own("POST", `${GENERAL}/deals`, { name: "Later" })).body;
    const register = (plan: string) => own("POST", `${BASE}/deals`, { deal_id: plain.id, company: "Later", plan });
    expect((await register("Unheard")).body.code).toBe("unknown_plan");
    expect((await register("scale")).body).toMatchObject({ plan: "Scale", sale: true });
    const file = "name,company,plan\r\nA,Alpha Works,GROWTH\r\nB,Beta Works,Unheard\r\n";
    const done = await importFile(world, partner, file, { resource: "deal" });
    expect(done).toMatchObject({ created: 1, failed: 1 });
  });

  test("a sale is won although its plan was archived since", async () => {
    const sale = await own("POST", `${BASE}/deals`, { company: "Quay Cycles", plan: "Growth", mrr_cents: 10 });
    const archived = await admin("PATCH", `/plans/${growth.id}`, { state: "archived" }, { "if-match": "*" });
    expect(archived.status).toBe(200);
    const won = await own("POST", `${GENERAL}/deals/${sale.body.id}/stage`, { stage: "Won" });
    expect([won.status, won.body.plan], won.text).toEqual([200, "Growth"]);
    expect((await own("GET", `${BASE}/clients/${won.body.client_id}`)).body.plan).toBe("Growth");
    expect((await own("POST", `${BASE}/clients`, { company: "X", plan: "Growth" })).body.code).toBe("unknown_plan");
  });
});
