import { expect, test } from "vitest";
import { feed, walk } from "../harness/lists.ts";
import { BASE, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
const REPLAYED = "idempotent-replayed";

function create(key: string, idempotencyKey: string, body: unknown = { company: "Harbour Dental" }) {
  return world.call("POST", `${BASE}/clients`, { key, body, headers: { "idempotency-key": idempotencyKey } });
}

async function clientsOf({ key }: TestPartner): Promise<string[]> {
  return (await walk(world, key, "/clients")).map(({ id }) => id);
}

test("the same request again gives the stored reply: status, body, Location, ETag, and the mark that it is one", async () => {
  const partner = await world.newPartner();
  const first = await create(partner.key, "order-1");
  expect([first.status, first.headers[REPLAYED]]).toEqual([201, undefined]);
  world.clock.advance(3_600_000);
  await world.call("PATCH", `${BASE}/clients/${first.body.id}`, { key: partner.key, body: { company: "Renamed" } });
  const again = await create(partner.key, "order-1");
  expect([again.status, again.text, again.headers[REPLAYED]]).toEqual([201, first.text, "true"]);
  for (const name of ["location", "etag", "content-type", "cache-control"]) expect(again.headers[name]).toBe(first.headers[name]);
  expect(again.headers["request-id"]).not.toBe(first.headers["request-id"]);
  expect(await clientsOf(partner)).toEqual([first.body.id]);
  expect(await feed(world, partner.key)).toHaveLength(2);
});

test("the order of JSON members and the blanks between them do not make another request", async () => {
  const { key } = await world.newPartner();
  const first = await create(
    key,
    "order",
    '{"company":"A","contact":{"name":"B","email":"b@c.example"},"metadata":{"x":"1","y":"2"}}',
  );
  const again = await create(
    key,
    "order",
    '{ "metadata": {"y": "2", "x": "1"}, "contact": {"email": "b@c.example", "name": "B"}, "company": "A" }',
  );
  expect([again.text, again.headers[REPLAYED]]).toEqual([first.text, "true"]);
});

test.each([
  ["another value", { company: "Harbour Dental", plan: "Scale" }],
  ["a member more", { company: "Harbour Dental", plan: "Growth", mrr_cents: 0 }],
  ["a member less", { company: "Harbour Dental" }],
])("a key that was used is refused with %s, and nothing happens", async (_case, body) => {
  const partner = await world.newPartner();
  await create(partner.key, "order-1", { company: "Harbour Dental", plan: "Growth" });
  const reply = await create(partner.key, "order-1", body);
  expect([reply.status, reply.body.code]).toEqual([422, "idempotency_key_reused"]);
  expect(await clientsOf(partner)).toHaveLength(1);
});

test("a key that was used is refused on another route and on another id", async () => {
  const partner = await world.newPartner();
  const [first, second] = [await world.newClient(partner), await world.newClient(partner)];
  const headers = { "idempotency-key": "move-1" };
  const call = (id: string, verb: string) => world.call("POST", `${BASE}/clients/${id}/${verb}`, { key: partner.key, headers });
  expect((await call(first.id, "suspend")).status).toBe(200);
  for (const reply of [await call(second.id, "suspend"), await call(first.id, "reactivate")]) {
    expect([reply.status, reply.body.code]).toEqual([422, "idempotency_key_reused"]);
  }
  const again = await call(first.id, "suspend");
  expect([again.status, again.headers[REPLAYED]]).toEqual([200, "true"]);
});

test("a replay changes nothing, even where the request would now do something", async () => {
  const partner = await world.newPartner();
  const { id } = await world.newClient(partner);
  const suspend = () =>
    world.call("POST", `${BASE}/clients/${id}/suspend`, { key: partner.key, headers: { "idempotency-key": "suspend-1" } });
  await suspend();
  await world.call("POST", `${BASE}/clients/${id}/reactivate`, { key: partner.key });
  expect((await suspend()).body.status).toBe("suspended");
  expect((await world.call("GET", `${BASE}/clients/${id}`, { key: partner.key })).body.status).toBe("active");
});

test("a repeat with an If-Match that its own first attempt made stale gives the stored reply, not 412", async () => {
  const partner = await world.newPartner();
  const { id, version } = await world.newClient(partner);
  const headers = { "idempotency-key": "suspend-1", "if-match": `"${version}"` };
  const suspend = () => world.call("POST", `${BASE}/clients/${id}/suspend`, { key: partner.key, headers });
  const first = await suspend();
  const again = await suspend();
  expect([first.status, again.status, again.headers[REPLAYED], again.text]).toEqual([200, 200, "true", first.text]);
});

test.each(["", " ", "a b", "a/b", "ü", "x".repeat(256), "a\tb", "{}"])(
  "the key %j is refused with 400",
  async (idempotencyKey) => {
    const partner = await world.newPartner();
    const { status, body } = await create(partner.key, idempotencyKey);
    expect([status, body.code]).toEqual([400, "idempotency_key_invalid"]);
    expect(await clientsOf(partner)).toEqual([]);
  },
);

test("every character of the set, and 255 of them, make a key", async () => {
  const { key } = await world.newPartner();
  for (const good of ["x".repeat(255), "AZaz09_.:-"]) expect((await create(key, good)).status).toBe(201);
});

test("an attempt that failed leaves nothing, and the same key then works for the mended request", async () => {
  const partner = await world.newPartner();
  await world.newClient(partner, { external_id: "crm-1" });
  expect((await create(partner.key, "order-1", { company: "" })).status).toBe(422);
  expect((await create(partner.key, "order-1", { company: "X", external_id: "crm-1" })).status).toBe(409);
  expect(await world.db.sql("select 1 from idempotency_replies where partner_id = $1", [partner.partner_id])).toEqual([]);
  const mended = await create(partner.key, "order-1", { company: "X", external_id: "crm-2" });
  expect([mended.status, mended.headers[REPLAYED]]).toEqual([201, undefined]);
});

test("a key belongs to the credential: another key of the partner, or another partner, uses it anew", async () => {
  const partner = await world.newPartner();
  const [first, sibling, stranger] = [
    await create(partner.key, "order-1"),
    await create(await world.newKey(partner), "order-1", { company: "Other" }),
    await create((await world.newPartner()).key, "order-1", { company: "Third" }),
  ];
  expect([first.status, sibling.status, stranger.status]).toEqual([201, 201, 201]);
  expect(new Set([first.body.id, sibling.body.id, stranger.body.id]).size).toBe(3);
});

test("of many at once with one key, one takes effect; the others get its reply or are told that it runs", async () => {
  const partner = await world.newPartner();
  const replies = await Promise.all(Array.from({ length: 20 }, () => create(partner.key, "order-1")));
  const made = replies.filter(({ status, headers }) => status === 201 && headers[REPLAYED] === undefined);
  expect(made).toHaveLength(1);
  for (const reply of replies.filter((reply) => reply !== made[0])) {
    if (reply.status === 201) expect([reply.text, reply.headers[REPLAYED]]).toEqual([made[0]?.text, "true"]);
    else expect([reply.status, reply.body.code, reply.headers["retry-after"]]).toEqual([409, "idempotency_key_in_progress", "1"]);
  }
  expect(await clientsOf(partner)).toEqual([made[0]?.body.id]);
});

test("a PATCH or a GET does not take an Idempotency-Key into account", async () => {
  const partner = await world.newPartner();
  const { id } = await world.newClient(partner);
  const headers = { "idempotency-key": "not a key" };
  const patched = await world.call("PATCH", `${BASE}/clients/${id}`, { key: partner.key, body: { plan: "Scale" }, headers });
  expect([patched.status, patched.body.plan]).toEqual([200, "Scale"]);
  expect((await world.call("GET", `${BASE}/clients/${id}`, { key: partner.key, headers })).status).toBe(200);
});
