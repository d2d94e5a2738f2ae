import { beforeAll, describe, expect, test } from "vitest";
import type { Route } from "../../src/platform/http/route.ts";
import { BASE, GENERAL, type Json, type Reply, type TestPartner, useWorld } from "../harness/world.ts";
import { type Belongings, bodyOf, headersOf, malformed, neverMade, OPERATIONS, urlOf } from "./operations.ts";
import { belongingsOf } from "./scene.ts";

const world = useWorld();
const WITH_ID = OPERATIONS.filter(({ route }) => Object.keys(route.params).length > 0);
let partner: TestPartner;
let own: Belongings;
/** A key with every scope, for one client. */
let key: string;
let strangers: [string, Belongings][];
/** The client that the key is not bound to, as it is before anything is asked of it. */
let untouched: Json;

beforeAll(async () => {
  partner = await world.newPartner();
  const bound = await world.newClient(partner);
  const unbound = await world.newClient(partner);
  own = await belongingsOf(world, partner, bound.id);
  key = await world.newKey(partner, { clients: [bound.id] });
  const other = await world.newPartner();
  strangers = [
    ["another partner's", await belongingsOf(world, other, (await world.newClient(other)).id)],
    ["of a client that the key is not bound to", await belongingsOf(world, partner, unbound.id)],
    ["never made", neverMade],
    ["malformed", malformed],
  ];
  untouched = (await world.call("GET", `${BASE}/clients/${unbound.id}`, { key: partner.key })).body;
});

/** What concerns the whole partner answers only to a key for all clients, to which no client's things are strange. */
const keyFor = (route: Route) => (route.partner_wide ? partner.key : key);
const isOfPartner = ({ partner_wide, params }: Route) => partner_wide || Object.values(params)[0] === "snapshot";
const strangersFor = (route: Route) => strangers.filter(([name]) => !isOfPartner(route) || !name.startsWith("of a client"));

/** Everything a caller can see of a reply, but for the request id and the ids asked for. */
function seen({ status, headers, text }: Reply, ids: readonly string[]): unknown {
  const { date: _date, "request-id": request_id = "", "content-length": _length, ...rest } = headers;
  // Not numbers of versions, which are in a status, too.
  const shown = ids
    .filter((id) => !/^\d+$/.test(id))
    .reduce((rest, id) => rest.replaceAll(id, "<id>"), text.replaceAll(request_id, "<request>"));
  return [status, rest, shown];
}

describe.concurrent.each(WITH_ID)("$name", ({ route }) => {
  test("what is not the caller's is not found, and cannot be told from what never existed", async () => {
    const answers = new Map<string, unknown>();
    for (const [name, idFor] of strangersFor(route)) {
      const ids: string[] = [];
      const url = urlOf(route, (thing) => {
        // What is for sale is everybody's to buy; what is not is hidden.
        const id = idFor(thing === "offer" ? "snapshot" : thing);
        ids.push(id);
        return id;
      });
      const reply = await world.call(route.method, url, { key: keyFor(route), body: bodyOf(route), headers: headersOf(route) });
      expect([name, reply.status, reply.body.code]).toEqual([name, 404, "not_found"]);
      answers.set(name, seen(reply, ids));
    }
    const [first, ...others] = [...answers.values()];
    for (const other of others) expect(other).toEqual(first);
  });
});

test("the same ids are found by the keys they belong to, so that the ones above are hidden, not missing", async () => {
  const [, [, unbound = neverMade] = []] = strangers;
  for (const { route } of WITH_ID.filter(({ route }) => route.method === "GET")) {
    expect((await world.call("GET", urlOf(route, own), { key: keyFor(route) })).status).toBe(200);
    expect((await world.call("GET", urlOf(route, unbound), { key: partner.key })).status).toBe(200);
  }
});

test("what was asked of other people's things has not happened to them", async () => {
  const [, [, unbound = neverMade] = []] = strangers;
  const client = await world.call("GET", `${BASE}/clients/${unbound("client")}`, { key: partner.key });
  expect(client.body).toEqual(untouched);
  const bound = await world.call("GET", `${BASE}/keys/${unbound("key")}`, { key: partner.key });
  expect(bound.body).toMatchObject({ version: 1, revoked_at: null });
});

test("a filter by a client that is not the caller's answers as one by a client that never existed", async () => {
  const filters = [`${BASE}/events?client_id`, `${BASE}/audit-log?client_id`];
  for (const list of ["contacts", "leads", "deals", "pipelines", "custom-fields", "imports", "changes"])
    filters.push(`${GENERAL}/${list}?account_id`);
  for (const filter of filters) {
    for (const [name, idFor] of strangers.slice(0, 3)) {
      const { status, body } = await world.call("GET", `${filter}=${idFor("client")}`, { key });
      expect([name, status, body.data, body.has_more]).toEqual([name, 200, [], false]);
    }
  }
});
