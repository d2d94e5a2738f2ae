import { beforeAll, expect, test } from "vitest";
import { walk } from "../harness/lists.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
const COUNT = 12;
let partner: TestPartner;
/** Oldest first. */
const ids: string[] = [];

beforeAll(async () => {
  partner = await world.newPartner();
  for (let index = 0; index < COUNT; index += 1) {
    world.clock.advance(index % 3);
    ids.push((await world.newClient(partner, { company: `Client ${index}`, activate: index % 4 !== 0 })).id);
  }
  await world.call("POST", `${BASE}/clients/${ids[1]}/suspend`, { key: partner.key });
  await world.call("DELETE", `${BASE}/clients/${ids[2]}`, { key: partner.key });
});

const list = (query = "") => world.call("GET", `${BASE}/clients${query}`, { key: partner.key });
const idsOf = (rows: Json[]) => rows.map(({ id }) => id);

test("clients are listed newest first, each as it is read alone", async () => {
  const { status, body } = await list();
  expect(status).toBe(200);
  expect(idsOf(body.data)).toEqual(ids.toReversed());
  expect([body.has_more, body.next_cursor]).toEqual([false, null]);
  const alone = await world.call("GET", `${BASE}/clients/${ids[5]}`, { key: partner.key });
  expect(body.data.find(({ id }: Json) => id === ids[5])).toEqual(alone.body);
});

test("a page has at most limit clients and says whether the list goes on", async () => {
  const first = await list("?limit=5");
  expect(idsOf(first.body.data)).toEqual(ids.toReversed().slice(0, 5));
  expect(first.body.has_more).toBe(true);
  const exact = await list(`?limit=${COUNT}`);
  expect([exact.body.data.length, exact.body.has_more, exact.body.next_cursor]).toEqual([COUNT, false, null]);
});

test("25 clients are on a page when no limit is given", async () => {
  const many = await world.newPartner();
  for (let index = 0; index < 26; index += 1) await world.newClient(many);
  const { body } = await world.call("GET", `${BASE}/clients`, { key: many.key });
  expect([body.data.length, body.has_more]).toEqual([25, true]);
});

test.each([1, 2, 5, 11, 12, 100])("a walk in pages of %i gives every client exactly once, in order", async (limit) => {
  expect(idsOf(await walk(world, partner.key, "/clients", { limit }))).toEqual(ids.toReversed());
  expect(idsOf(await walk(world, partner.key, "/clients", { limit, sort: "created_at" }))).toEqual(ids);
});

test.each([
  ["one status", "?status=suspended", [1]],
  ["another", "?status=churned", [2]],
  ["several", "?status=suspended&status=pending&sort=created_at", [0, 1, 4, 8]],
  ["all", "?status=pending&status=active&status=suspended&status=churned&sort=created_at", [...Array(COUNT).keys()]],
])("a filter by %s gives exactly the clients that have it", async (_case, query, expected) => {
  const { body } = await list(query);
  expect(idsOf(body.data)).toEqual(expected.map((index) => ids[index]));
});

test("a filtered walk in pages gives exactly what one page gives", async () => {
  const active = idsOf((await list("?status=active")).body.data);
  expect(active).toHaveLength(COUNT - 5);
  expect(idsOf(await walk(world, partner.key, "/clients", { status: "active", limit: 2 }))).toEqual(active);
});

test("the house account is in the list only when asked for", async () => {
  const without = await list();
  expect(without.body.data.some(({ house }: Json) => house)).toBe(false);
  const { body } = await list("?include_house=true");
  expect(body.data).toHaveLength(COUNT + 1);
  expect(body.data.filter(({ house }: Json) => house)).toEqual([expect.objectContaining({ company: "Test Agency" })]);
});

test.each([
  ["another filter", "status=active"],
  ["another sort", "sort=created_at"],
  ["the house account", "include_house=true"],
])("a cursor is refused under %s", async (_case, query) => {
  const { body } = await list("?limit=2");
  const reply = await list(`?limit=2&${query}&cursor=${body.next_cursor}`);
  expect([reply.status, reply.body.code]).toEqual([400, "invalid_cursor"]);
  const other = await world.call("GET", `${BASE}/keys?cursor=${body.next_cursor}`, { key: partner.key });
  expect([other.status, other.body.code]).toEqual([400, "invalid_cursor"]);
});

test("the limit may change from page to page", async () => {
  const first = await list("?limit=2");
  const second = await list(`?limit=50&cursor=${first.body.next_cursor}`);
  expect([...idsOf(first.body.data), ...idsOf(second.body.data)]).toEqual(ids.toReversed());
});

test.each([
  "limit=0",
  "limit=101",
  "limit=-1",
  "limit=ten",
  "limit=1.5",
  "limit=",
  "limit=1&limit=2",
  "sort=name",
  "tag=",
  "q=",
  "created_after=yesterday",
  "status=gone",
])("%s is refused with 400", async (query) => {
  const { status, body } = await list(`?${query}`);
  expect([status, body.code]).toEqual([400, "invalid_parameter"]);
  expect(body.errors[0]).toMatchObject({ in: "query", pointer: expect.stringMatching(`^#/${query.split("=")[0]}`) });
});

test("an unknown parameter is refused by its name", async () => {
  const { status, body } = await list("?colour=red");
  expect([status, body.code, body.errors[0].pointer]).toEqual([400, "unknown_parameter", "#/colour"]);
});

test("another partner's clients are not in the list", async () => {
  const stranger = await world.newPartner();
  const own = await world.newClient(stranger);
  expect(idsOf(await walk(world, stranger.key, "/clients"))).toEqual([own.id]);
});
