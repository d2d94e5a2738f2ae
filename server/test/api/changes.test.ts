import { beforeAll, describe, expect, test } from "vitest";
import { ALL_SCOPES } from "../../src/kernel/scopes.ts";
import { dropOldChanges } from "../../src/platform/record/retention.ts";
import { changes } from "../harness/lists.ts";
import { type Json, keptDaysAgo, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let partner: TestPartner;

beforeAll(async () => {
  partner = await world.newPartner();
});

const read = (query = "", key = partner.key) => world.call("GET", `/v1/changes?${query}`, { key });
const ids = (found: Json[]) => found.map(({ id }) => id);

describe("the change feed", () => {
  test("names each change with its record, its account, its version and its time", async () => {
    const { body: start } = await read();
    const contact = await world.newContact(partner);
    const { body } = await read(`after=${start.next_cursor}`);
    const { id, account_id, created_at } = contact;
    expect(body.data).toEqual([{ resource: "contact", id, account_id, change: "created", version: 1, at: created_at }]);
    expect(body.has_more).toBe(false);
  });

  test("goes on from its cursor, which is never null, in stretches of any length", async () => {
    const fed = await world.newPartner();
    const made: string[] = [];
    for (let index = 0; index < 7; index += 1) made.push((await world.newContact(fed)).id);
    for (const limit of [1, 3, 7, 100]) expect(ids(await changes(world, fed.key, `limit=${limit}`))).toEqual(made);
    const { body: end } = await read("limit=100", fed.key);
    expect((await read(`after=${end.next_cursor}`, fed.key)).body).toMatchObject({ data: [], has_more: false });
  });

  test("has the accounts of the key, or the one asked for", async () => {
    const [one, two] = [await world.newClient(partner), await world.newClient(partner)];
    const contacts = [
      await world.newContact(partner, { account_id: one.id }),
      await world.newContact(partner, { account_id: two.id }),
    ];
    expect(ids((await read(`account_id=${one.id}`)).body.data)).toEqual([contacts[0].id]);
    const bound = await world.newKey(partner, { clients: [two.id] });
    expect(ids((await read("", bound)).body.data)).toEqual([contacts[1].id]);
    expect((await read(`account_id=${one.id}`, bound)).body.data).toEqual([]);
  });

  test("shows a key the records that it may read, and moves on past the others", async () => {
    const blind = await world.newKey(partner, { scopes: ALL_SCOPES.filter((scope) => scope !== "contacts:read") });
    const { status, body } = await read("", blind);
    expect([status, body.data, body.has_more]).toEqual([200, [], false]);
    const asked = await read("resource=contact", blind);
    expect([asked.status, asked.body.required_scope]).toEqual([403, "contacts:read"]);
    expect((await read("resource=nonsense")).status).toBe(400);
  });

  test("nothing of another partner is in it", async () => {
    const other = await world.newPartner();
    await world.newContact(partner);
    expect(await changes(world, other.key)).toEqual([]);
  });

  test("tells nothing of what was refused", async () => {
    const quiet = await world.newPartner();
    const { phone } = await world.newContact(quiet);
    await world.call("POST", "/v1/contacts", { key: quiet.key, body: { name: "Twice", phone } });
    expect(await changes(world, quiet.key)).toHaveLength(1);
  });
});

test("a cursor from before what is kept has expired; without one the feed begins with what is left", async () => {
  const old = await world.newPartner();
  const { body: start } = await read("", old.key);
  await world.newContact(old);
  // Changes carry the time in their ids, so the one that is to be old is moved into the past.
  const back =
    "update change_feed set change_id = 'chg_' || substr(first_id_at('chg', $2::timestamptz), 5) where partner_id = $1";
  await world.db.sql(back, [old.partner_id, keptDaysAgo(world, 31)]);
  await read("", old.key);
  const young = await world.newContact(old);
  expect(await dropOldChanges(world.app.services.db, world.clock.now())).toBe(1);
  const expired = await read(`after=${start.next_cursor}`, old.key);
  expect([expired.status, expired.body.code]).toEqual([410, "cursor_expired"]);
  expect(ids((await read("", old.key)).body.data)).toEqual([young.id]);
});

test("a cursor from behind the end, as one of before a restore is, has expired: it would pass over what comes", async () => {
  const reader = await world.newPartner();
  await world.newContact(reader);
  const { body } = await read("", reader.key);
  await world.db.sql("update change_heads set seq = seq - 1 where partner_id = $1", [reader.partner_id]);
  const reply = await read(`after=${body.next_cursor}`, reader.key);
  expect([reply.status, reply.body.code]).toEqual([410, "cursor_expired"]);
});

test("after=end begins with what comes next", async () => {
  const reader = await world.newPartner();
  await world.newContact(reader);
  const end = await read("after=end", reader.key);
  expect([end.body.data, end.body.has_more]).toEqual([[], false]);
  const later = await world.newContact(reader);
  expect(ids((await read(`after=${end.body.next_cursor}`, reader.key)).body.data)).toEqual([later.id]);
});
