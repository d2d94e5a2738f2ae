import { beforeAll, expect, test } from "vitest";
import { walk } from "../harness/lists.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
const DAY_MS = 86_400_000;
let partner: TestPartner;
/** Oldest first, a day between two. */
const clients: Json[] = [];

const FIELDS = [
  { company: "Harbour Dental", plan: "Growth", tags: ["vip", "emea"], external_id: "crm-1" },
  { company: "alpine clinic", plan: "Scale", tags: ["emea"], contact: { name: "Ada Okafor", email: "ada@alpine.example" } },
  { company: "Zürich Optik", plan: "Growth", tags: [], contact: { phone: "+41445552671" } },
  { company: "100% Fit_ness", plan: null, tags: ["vip"], external_id: "CRM-1" },
  { company: "Alpine clinic", plan: "Basic plan", tags: ["two words"], external_id: "back\\slash" },
  { company: "harbour", tags: [] },
];

beforeAll(async () => {
  partner = await world.newPartner();
  for (const fields of FIELDS) {
    clients.push(await world.newClient(partner, fields));
    world.clock.advance(DAY_MS);
  }
  const stranger = await world.newPartner();
  for (const fields of FIELDS) await world.newClient(stranger, fields);
});

const at = (rows: Json[]) => rows.map(({ id }) => clients.findIndex((client) => client.id === id));
const find = (query: Record<string, string>) => walk(world, partner.key, "/clients", { sort: "created_at", ...query });

test.each([
  ["a word of the company", "dental", [0]],
  ["part of a word, whatever the case", "ARBOU", [0, 5]],
  ["letters beyond ASCII", "zürich", [2]],
  ["the external id", "crm-1", [0, 3]],
  ["the contact's name", "okafor", [1]],
  ["the contact's address", "@alpine", [1]],
  ["the contact's phone", "+4144", [2]],
  ["two letters", "al", [0, 1, 4]],
  ["a per cent sign as itself", "0%", [3]],
  ["an underscore as itself", "t_n", [3]],
  ["a backslash as itself", "k\\s", [4]],
  ["what is nowhere", "nobody", []],
  ["what would span two fields", "clinicada", []],
])("a search by %s finds the clients that have it, and no other partner's", async (_case, q, expected) => {
  expect(at(await find({ q }))).toEqual(expected);
});

test.each([
  ["plan=Growth", [0, 2]],
  ["plan=Growth&plan=Basic%20plan", [0, 2, 4]],
  ["tag=vip", [0, 3]],
  ["tag=vip&tag=two%20words", [0, 3, 4]],
  ["external_id=crm-1", [0]],
  ["external_id=crm", []],
  ["tag=vip&plan=Growth&status=active", [0]],
  ["q=alpine&plan=Scale", [1]],
])("%s gives exactly the clients that have it", async (query, expected) => {
  const { status, body } = await world.call("GET", `${BASE}/clients?sort=created_at&${query}`, { key: partner.key });
  expect([status, at(body.data)]).toEqual([200, expected]);
});

test("created_after is inclusive, created_before is not, and both may be far away", async () => {
  const { created_at } = clients[2];
  expect(at(await find({ created_after: created_at }))).toEqual([2, 3, 4, 5]);
  expect(at(await find({ created_before: created_at }))).toEqual([0, 1]);
  expect(at(await find({ created_after: clients[1].created_at, created_before: clients[4].created_at }))).toEqual([1, 2, 3]);
  expect(at(await find({ created_after: "0001-01-01T00:00:00Z", created_before: "9999-12-31T23:59:59Z" }))).toHaveLength(6);
});

test.each([1, 2, 3, 100])(
  "in pages of %i, a walk by company is in its order, whatever the case, each client once",
  async (limit) => {
    const upwards = at(await walk(world, partner.key, "/clients", { sort: "company", limit }));
    expect(upwards).toEqual([3, 1, 4, 5, 0, 2]);
    expect(at(await walk(world, partner.key, "/clients", { sort: "-company", limit }))).toEqual(upwards.toReversed());
  },
);

test.each([1, 2, 100])("in pages of %i, a walk by -updated_at begins with what changed last", async (limit) => {
  const changing = await world.newPartner();
  const ids: string[] = [];
  for (let index = 0; index < 5; index += 1) ids.push((await world.newClient(changing)).id);
  world.clock.advance(1);
  await world.call("PATCH", `${BASE}/clients/${ids[1]}`, { key: changing.key, body: { plan: "Growth" } });
  world.clock.advance(1);
  await world.call("POST", `${BASE}/clients/${ids[3]}/suspend`, { key: changing.key });
  const rows = await walk(world, changing.key, "/clients", { sort: "-updated_at", limit });
  expect(rows.map(({ id }) => ids.indexOf(id))).toEqual([3, 1, 4, 2, 0]);
});

test("the longest company there can be has a cursor too", async () => {
  const { key } = await world.newPartner();
  for (const letter of ["😀", "\u0001", '"']) {
    await world.call("POST", `${BASE}/clients`, { key, body: { company: letter.repeat(199 / letter.length) + letter } });
  }
  expect(await walk(world, key, "/clients", { sort: "company", limit: 1 })).toHaveLength(3);
});

test("a cursor is refused under another search", async () => {
  const { body } = await world.call("GET", `${BASE}/clients?limit=1&q=alpine`, { key: partner.key });
  const reply = await world.call("GET", `${BASE}/clients?limit=1&q=clinic&cursor=${body.next_cursor}`, { key: partner.key });
  expect([reply.status, reply.body.code]).toEqual([400, "invalid_cursor"]);
});

test("a key bound to clients finds those alone", async () => {
  const key = await world.newKey(partner, { clients: [clients[1].id, clients[2].id] });
  expect(at(await walk(world, key, "/clients", { q: "alpine" }))).toEqual([1]);
  expect(at(await walk(world, key, "/clients", { sort: "company", limit: 1 }))).toEqual([1, 2]);
});

test("tags are replaced by a patch, and refused when they are blank, twice or too many", async () => {
  const client = await world.newClient(partner, { company: "Tagged", tags: ["a", "b"] });
  const patch = (tags: string[]) => world.call("PATCH", `${BASE}/clients/${client.id}`, { key: partner.key, body: { tags } });
  expect((await patch(["c"])).body).toMatchObject({ tags: ["c"], version: 2 });
  expect((await patch(["c"])).body.version).toBe(2);
  for (const tags of [[""], [" a"], ["a", "a"], ["x".repeat(51)], Array.from({ length: 51 }, (_, index) => `t${index}`)]) {
    expect((await patch(tags)).status).toBe(422);
  }
  expect((await patch([])).body.tags).toEqual([]);
});
