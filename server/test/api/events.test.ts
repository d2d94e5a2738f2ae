import { beforeAll, expect, test } from "vitest";
import { ALL_EVENT_TYPES, EVENT_TYPES } from "../../src/kernel/events.ts";
import { ALL_SCOPES } from "../../src/kernel/scopes.ts";
import { feed } from "../harness/lists.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let partner: TestPartner;
let first: Json;
let second: Json;

/** Two clients, turn by turn: what happened, in this order. */
const HISTORY = [
  ["client.created", "first"],
  ["client.activated", "first"],
  ["client.created", "second"],
  ["client.activated", "second"],
  ["client.suspended", "first"],
  ["client.suspended", "second"],
  ["client.activated", "first"],
  ["client.churned", "second"],
] as const;

beforeAll(async () => {
  partner = await world.newPartner();
  first = await world.newClient(partner, { company: "first" });
  world.clock.advance(1_500);
  second = await world.newClient(partner, { company: "second" });
  await post(first, "suspend");
  await post(second, "suspend");
  await post(first, "reactivate");
  await world.call("DELETE", `${BASE}/clients/${second.id}`, { key: partner.key });
});

const post = ({ id }: Json, verb: string) => world.call("POST", `${BASE}/clients/${id}/${verb}`, { key: partner.key });
const read = (query = "", key = partner.key) => world.call("GET", `${BASE}/events${query}`, { key });
const told = (events: Json[]) => events.map(({ type, data }) => [type, data.company]);

test("the feed tells what happened, oldest first, and a caller's own writes are in the next read", async () => {
  const { status, body } = await read();
  expect([status, body.has_more]).toEqual([200, false]);
  expect(told(body.data)).toEqual(HISTORY);
});

test("an envelope has exactly id, type, created and data, in this order, and created is whole seconds", async () => {
  const { body } = await read();
  for (const event of body.data) {
    expect(Object.keys(event)).toEqual(["id", "type", "created", "data"]);
    expect(Number.isSafeInteger(event.created)).toBe(true);
    expect(event.data.partner_id).toBe(partner.partner_id);
  }
  const now_s = Math.floor(world.clock.now().getTime() / 1000);
  expect([body.data[0].created, body.data.at(-1).created]).toEqual([now_s - 1, now_s]);
});

test.each([1, 3, 8, 100])("a walk in stretches of %i gives every event exactly once, in order", async (limit) => {
  expect(told(await feed(world, partner.key, `limit=${limit}`))).toEqual(HISTORY);
});

test.each([1, 3, 8, 100])(
  "newest first, pages of %i lead back to the oldest event, and what happens meanwhile moves none",
  async (limit) => {
    const reader = await world.newPartner();
    const companies = ["a", "b", "c", "d"];
    for (const company of companies) await world.newClient(reader, { company });
    const seen: Json[] = [];
    let page = await read(`?order=newest&limit=${limit}`, reader.key);
    for (;;) {
      seen.push(...page.body.data);
      if (!page.body.has_more) break;
      await world.newClient(reader, { company: "later" });
      page = await read(`?order=newest&limit=${limit}&after=${page.body.next_cursor}`, reader.key);
    }
    const history = companies.flatMap((company) => [
      ["client.created", company],
      ["client.activated", company],
    ]);
    expect(told(seen)).toEqual(history.toReversed());
    const created = await read("?order=newest&type=client.created", reader.key);
    expect(told(created.body.data).at(-1)).toEqual(["client.created", "a"]);
    const cursor = (await read("?limit=1", reader.key)).body.next_cursor;
    expect((await read(`?order=newest&after=${cursor}`, reader.key)).body.code).toBe("invalid_cursor");
  },
);

test("the cursor is never null and keeps the reader's place: only what happens later comes after it", async () => {
  const reader = await world.newPartner();
  const empty = await read("", reader.key);
  expect(empty.body).toEqual({ data: [], has_more: false, next_cursor: expect.stringMatching(/./) });
  await world.newClient(reader, { company: "third" });
  const next = await read(`?after=${empty.body.next_cursor}`, reader.key);
  expect(next.body.data).toHaveLength(2);
  for (let cursor = next.body.next_cursor, round = 0; round < 2; round += 1) {
    const { body } = await read(`?after=${cursor}`, reader.key);
    expect([body.data, body.has_more]).toEqual([[], false]);
    cursor = body.next_cursor;
    expect(cursor).toEqual(expect.stringMatching(/./));
  }
  const { id } = (await world.call("GET", `${BASE}/clients`, { key: reader.key })).body.data[0];
  await world.call("DELETE", `${BASE}/clients/${id}`, { key: reader.key });
  const last = await read(`?after=${next.body.next_cursor}`, reader.key);
  expect(told(last.body.data)).toEqual([["client.churned", "third"]]);
});

test("a cursor from behind the end, as one of before a restore is, has expired: it would pass over what comes", async () => {
  const reader = await world.newPartner();
  await world.newClient(reader);
  const { body } = await read("", reader.key);
  await world.db.sql("update feed_heads set seq = seq - 1 where partner_id = $1", [reader.partner_id]);
  const reply = await read(`?after=${body.next_cursor}`, reader.key);
  expect([reply.status, reply.body.code]).toEqual([410, "cursor_expired"]);
});

test("after=end begins with what comes next", async () => {
  const reader = await world.newPartner();
  await world.newClient(reader, { company: "before" });
  const end = await read("?after=end", reader.key);
  expect([end.body.data, end.body.has_more]).toEqual([[], false]);
  await world.newClient(reader, { company: "later" });
  const { body } = await read(`?after=${end.body.next_cursor}`, reader.key);
  expect(new Set(told(body.data).map(([, company]) => company))).toEqual(new Set(["later"]));
});

test("a filtered reader's cursor moves past what the filter holds back, and gives nothing twice", async () => {
  const query = "?type=client.churned&type=client.suspended";
  const { body } = await read(`${query}&limit=2`);
  expect(told(body.data)).toEqual([HISTORY[4], HISTORY[5]]);
  const rest = await read(`${query}&after=${body.next_cursor}`);
  expect(told(rest.body.data)).toEqual([HISTORY[7]]);
  const reader = await world.newPartner();
  const before = await read(query, reader.key);
  await world.newClient(reader);
  const after = await read(`${query}&after=${before.body.next_cursor}`, reader.key);
  expect(after.body.data).toEqual([]);
  expect(after.body.next_cursor).not.toBe(before.body.next_cursor);
});

test("filters by type and by client give exactly what matches, in the order of the feed", async () => {
  expect(told((await read("?type=client.activated")).body.data)).toEqual(HISTORY.filter(([type]) => type === "client.activated"));
  expect(told((await read(`?client_id=${second.id}`)).body.data)).toEqual(HISTORY.filter(([, name]) => name === "second"));
  expect(told((await read(`?client_id=${second.id}&type=client.churned`)).body.data)).toEqual([HISTORY[7]]);
  expect((await read("?type=deal.won")).body.data).toEqual([]);
});

test.each(["type=client.churned", "client_id=CLIENT"])("a cursor is refused under another filter: %s", async (filter) => {
  const { body } = await read("?limit=1");
  const reply = await read(`?${filter.replace("CLIENT", first.id)}&after=${body.next_cursor}`);
  expect([reply.status, reply.body.code]).toEqual([400, "invalid_cursor"]);
});

test.each(["limit=0", "limit=101", "type=client.gone", "type=client.created&type=client.created", "client_id=cli_1"])(
  "%s is refused with 400",
  async (query) => {
    const { status, body } = await read(`?${query}`);
    expect([status, body.code]).toEqual([400, "invalid_parameter"]);
  },
);

test.each(ALL_EVENT_TYPES)("%s is read only with the read scope of its resource: asked for without it, 403", async (type) => {
  const required_scope = EVENT_TYPES[type];
  const key = await world.newKey(partner, { scopes: ALL_SCOPES.filter((scope) => scope !== required_scope) });
  const { status, body } = await read(`?type=${type}`, key);
  expect([status, body.code, body.required_scope]).toEqual([403, "insufficient_scope", required_scope]);
  const allowed = await world.newKey(partner, { scopes: ["events:read", required_scope] });
  expect((await read(`?type=${type}`, allowed)).status).toBe(200);
});

test("types whose scope a key lacks are left out of its feed, and are not found by id", async () => {
  const key = await world.newKey(partner, { scopes: ["events:read", "deals:read"] });
  expect((await read("", key)).body.data).toEqual([]);
  const [event] = await feed(world, partner.key);
  expect((await world.call("GET", `${BASE}/events/${event.id}`, { key })).status).toBe(404);
});

test("a key bound to clients reads the events of those alone, in the feed and by id", async () => {
  const key = await world.newKey(partner, { clients: [first.id] });
  expect(told(await feed(world, key))).toEqual(HISTORY.filter(([, name]) => name === "first"));
  expect((await read(`?client_id=${second.id}`, key)).body.data).toEqual([]);
  const all = await feed(world, partner.key);
  for (const { id, data } of all) {
    const { status } = await world.call("GET", `${BASE}/events/${id}`, { key });
    expect(status).toBe(data.client_id === first.id ? 200 : 404);
  }
});

test("an event read by id is, byte for byte, the one in the feed and the one in the database", async () => {
  const { text, body } = await read();
  for (const { id } of body.data) {
    const alone = await world.call("GET", `${BASE}/events/${id}`, { key: partner.key });
    expect(alone.status).toBe(200);
    expect(text).toContain(alone.text);
    const [stored] = await world.db.sql<{ body: Buffer }>("select body from events where id = $1", [id]);
    expect(alone.text).toBe(stored?.body.toString());
  }
});

test("another partner's events are in no feed and under no id", async () => {
  const stranger = await world.newPartner();
  await world.newClient(stranger, { company: "theirs" });
  const theirs = await feed(world, stranger.key);
  expect(told(theirs)).toEqual([
    ["client.created", "theirs"],
    ["client.activated", "theirs"],
  ]);
  const { status, body } = await world.call("GET", `${BASE}/events/${theirs[0].id}`, { key: partner.key });
  expect([status, body.code]).toEqual([404, "not_found"]);
  expect(told(await feed(world, partner.key))).toEqual(HISTORY);
});

test("a type that is rare in a long feed is found page by page, of which some are empty, and nothing is missed", async () => {
  const busy = await world.newPartner();
  const before = await world.newClient(busy);
  await read("?limit=1", busy.key);
  await world.db.sql(
    `with head as (update feed_heads set seq = seq + 45000 where partner_id = $1 returning seq)
     insert into event_feed (partner_id, event_id, type, subject, subject_version, transaction_id, ordinal, seq)
     select $1, 'evt_' || lpad(n::text, 26, '0'), 'deal.won', 'deal_x', n, 'evt_' || lpad(n::text, 26, '0'), 0, head.seq - 45000 + n
     from head, generate_series(1, 45000) n`,
    [busy.partner_id],
  );
  const after = await world.newClient(busy);
  const pages: string[][] = [];
  let cursor = "";
  for (let more = true; more; ) {
    const { status, body } = await read(`?type=client.created${cursor === "" ? "" : `&after=${cursor}`}`, busy.key);
    expect(status).toBe(200);
    pages.push(body.data.map(({ data }: Json) => data.client_id));
    cursor = encodeURIComponent(body.next_cursor);
    more = body.has_more;
  }
  expect(pages.flat()).toEqual([before.id, after.id]);
  expect(pages.length).toBeGreaterThan(2);
  expect((await read(`?client_id=${after.id}`, busy.key)).body.data).toHaveLength(2);
});
