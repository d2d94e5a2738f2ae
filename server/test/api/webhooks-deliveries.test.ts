import { describe, expect, test } from "vitest";
import { fanOut } from "../../src/features/outbox/webhooks/index.ts";
import { queueReplays } from "../../src/features/outbox/webhooks/replay/jobs.ts";
import { ALL_EVENT_TYPES, type EventType } from "../../src/kernel/events.ts";
import { isId, newId, timeOfId } from "../../src/kernel/ids.ts";
import { auditLog, feed, walk } from "../harness/lists.ts";
import { type DeliveryRow, finish, HOOKS, newEndpoint, queuedFor } from "../harness/webhooks.ts";
import { BASE, type Json, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
const HOUR_MS = 3_600_000;

const typesOf = async (endpoint_id: string) => (await queuedFor(world, endpoint_id)).map(({ event_type }) => event_type).sort();

describe("fan-out", () => {
  test("queues each event once for each endpoint that wants it, under an id of its time", async () => {
    const partner = await world.newPartner();
    const all = await newEndpoint(world, partner.key);
    const some = await newEndpoint(world, partner.key, { event_types: ["client.activated"] });
    const other = await newEndpoint(world, (await world.newPartner()).key);
    const client = await world.newClient(partner);
    expect(await typesOf(all.id)).toEqual(["client.activated", "client.created"]);
    expect(await typesOf(some.id)).toEqual(["client.activated"]);
    expect(await typesOf(other.id)).toEqual([]);
    const rows = [...(await queuedFor(world, all.id)), ...(await queuedFor(world, some.id))];
    expect(new Set(rows.map(({ id }) => id)).size).toBe(3);
    for (const row of rows) {
      expect(row).toMatchObject({ client_id: client.id, status: "pending", test: false, replay_id: null });
      expect(isId("delivery", row.id)).toBe(true);
      expect(timeOfId(row.id)).toBe(timeOfId(row.event_id));
    }
  });

  test("an endpoint for * gets every type, also one that is added later, until it is narrowed", async () => {
    const partner = await world.newPartner();
    const { id, event_types } = await newEndpoint(world, partner.key, { event_types: ["*"] });
    const listed = await newEndpoint(world, partner.key);
    expect([event_types, listed.event_types]).toEqual([["*"], ALL_EVENT_TYPES]);
    await world.newClient(partner);
    const later = { id: newId("event", Date.now()), type: "client.renamed" as EventType, client_id: null };
    for (const { statement, values } of fanOut(partner.partner_id, [later], world.clock.now()))
      await world.app.services.db.query(statement, values);
    expect(await typesOf(id)).toEqual(["client.activated", "client.created", "client.renamed"]);
    expect(await typesOf(listed.id)).toEqual(["client.activated", "client.created"]);
    const replay = { since: "2026-01-01T00:00:00Z", dry_run: true };
    world.clock.advance(1_000);
    expect((await world.call("POST", `${HOOKS}/${id}/replay`, { key: partner.key, body: replay })).body.total).toBe(2);
    expect((await world.call("POST", `${HOOKS}/${id}/test`, { key: partner.key })).body.event_type).toBe("client.created");
    await world.call("PATCH", `${HOOKS}/${id}`, { key: partner.key, body: { event_types: ["client.activated"] } });
    const waiting = (await queuedFor(world, id)).filter(({ status, test }) => status === "pending" && !test);
    expect(waiting.map(({ event_type }) => event_type)).toEqual(["client.activated"]);
  });

  test("an endpoint with clients gets theirs alone, and never what concerns the whole partner", async () => {
    const operator = await world.newOperator();
    const partner = await world.newPartner();
    const [one, two] = [await world.newClient(partner), await world.newClient(partner)];
    const bound = await newEndpoint(world, partner.key, { client_ids: [one.id] });
    const wide = await newEndpoint(world, partner.key);
    for (const { id } of [one, two]) await world.call("POST", `${BASE}/clients/${id}/suspend`, { key: partner.key });
    await world.call("PATCH", `/v1/admin/partners/${partner.partner_id}`, { key: operator, body: { grade: "platinum" } });
    expect((await queuedFor(world, bound.id)).map(({ client_id }) => client_id)).toEqual([one.id]);
    expect(await typesOf(wide.id)).toEqual(["client.suspended", "client.suspended", "tier.changed"]);
  });

  test("nothing is queued by what is refused, rolled back, or answered from memory", async () => {
    const partner = await world.newPartner();
    const { id } = await newEndpoint(world, partner.key, { event_types: ["client.created", "client.suspended"] });
    const send = () =>
      world.call("POST", `${BASE}/clients`, {
        key: partner.key,
        body: { company: "Once", external_id: "once" },
        headers: { "idempotency-key": "client-1" },
      });
    const [first, second] = [await send(), await send()];
    expect(second.headers["idempotent-replayed"]).toBe("true");
    const duplicate = { company: "Twice", external_id: "once" };
    expect((await world.call("POST", `${BASE}/clients`, { key: partner.key, body: duplicate })).status).toBe(409);
    const suspend = () => world.call("POST", `${BASE}/clients/${first.body.id}/suspend`, { key: partner.key });
    await suspend();
    await suspend();
    expect(await typesOf(id)).toEqual(["client.created", "client.suspended"]);
    await Promise.all([send(), send(), send()]);
    expect(await typesOf(id)).toHaveLength(2);
  });

  test("every event of a bulk change is queued, in one statement or many", async () => {
    const partner = await world.newPartner();
    const ids: string[] = [];
    for (let count = 0; count < 12; count += 1) ids.push((await world.newClient(partner)).id);
    const { id } = await newEndpoint(world, partner.key, { client_ids: ids.slice(0, 7) });
    await world.call("POST", `${BASE}/clients/bulk`, { key: partner.key, body: { action: "suspend", client_ids: ids } });
    expect((await queuedFor(world, id)).map(({ client_id }) => client_id).sort()).toEqual(ids.slice(0, 7).sort());
  });

  test("whoever sends is told once the events are there to be read, and not of what came to nothing or nobody wants", async () => {
    const partner = await world.newPartner();
    const { id } = await newEndpoint(world, partner.key, { event_types: ["client.created"] });
    const told: Promise<number>[] = [];
    world.app.services.onEvents = (partner_id) => {
      if (partner_id === partner.partner_id) told.push(queuedFor(world, id).then(({ length }) => length));
    };
    try {
      const client = await world.newClient(partner, { external_id: "same" });
      await world.call("POST", `${BASE}/clients/${client.id}/suspend`, { key: partner.key });
      await world.call("POST", `${BASE}/clients`, { key: partner.key, body: { company: "Same", external_id: "same" } });
      await world.call("PATCH", `${BASE}/account`, { key: partner.key, body: { company: "Quiet" } });
      expect(await Promise.all(told)).toEqual([1]);
    } finally {
      delete world.app.services.onEvents;
    }
  });
});

describe("the deliveries of an endpoint", () => {
  test("are listed newest event first, page by page, and filtered by status, type, event and time", async () => {
    const partner = await world.newPartner();
    const { key } = partner;
    const { id } = await newEndpoint(world, key, { event_types: ["client.created", "client.activated"] });
    const start = world.clock.now();
    for (let count = 0; count < 6; count += 1) {
      await world.newClient(partner);
      world.clock.advance(HOUR_MS);
    }
    const path = `/webhooks/${id}/deliveries`;
    const listed = await walk(world, key, path, { limit: 5 });
    expect(listed).toHaveLength(12);
    expect(listed.map((row) => row.id)).toEqual(
      listed
        .map((row) => row.id)
        .sort()
        .reverse(),
    );
    await finish(world, [listed[0].id, listed[5].id], "succeeded");
    await finish(world, [listed[1].id], "failed");
    const idsOf = async (query: Record<string, string>) => (await walk(world, key, path, query)).map((row) => row.id);
    expect(await idsOf({ status: "succeeded" })).toEqual([listed[0].id, listed[5].id]);
    expect(await idsOf({ status: "failed" })).toEqual([listed[1].id]);
    expect((await walk(world, key, `${path}`, { event_type: "client.created" })).map((row) => row.event_type)).toEqual(
      Array(6).fill("client.created"),
    );
    expect(await idsOf({ event_id: listed[3].event_id })).toEqual([listed[3].id]);
    const hour = (count: number) => new Date(start.getTime() + count * HOUR_MS).toISOString();
    expect(await idsOf({ event_created_after: hour(1), event_created_before: hour(3) })).toEqual(
      listed.slice(6, 10).map((row) => row.id),
    );
    expect(listed[11].event_created_at).toBe(hour(0));
    expect(listed[0]).toMatchObject({ status: "pending", attempts: 0, finished_at: null });
  });

  test("fill the longest page, which says that there are more", async () => {
    const { key } = await world.newPartner();
    const { id } = await newEndpoint(world, key);
    await Promise.all(Array.from({ length: 101 }, () => world.call("POST", `${HOOKS}/${id}/test`, { key })));
    const { body } = await world.call("GET", `${HOOKS}/${id}/deliveries?limit=100`, { key });
    expect([body.data.length, body.has_more]).toEqual([100, true]);
  });

  test("show their attempts, newest first, and when they are sent next only while they are", async () => {
    const partner = await world.newPartner();
    const { id } = await newEndpoint(world, partner.key, { event_types: ["client.created"] });
    await world.newClient(partner);
    const [row] = await queuedFor(world, id);
    if (row === undefined) throw new Error("nothing is queued");
    const read = async () => (await world.call("GET", `${BASE}/deliveries/${row.id}`, { key: partner.key })).body;
    expect(await read()).toMatchObject({ next_at: world.clock.now().toISOString(), attempt_log: [] });
    await finish(world, [row.id], "failed");
    await finish(world, [row.id], "succeeded");
    const delivery = await read();
    expect(delivery).toMatchObject({ status: "succeeded", next_at: null, attempts: 2, response_status: 200, endpoint_id: id });
    expect(delivery.attempt_log.map(({ number, status }: { number: number; status: number }) => [number, status])).toEqual([
      [2, 200],
      [1, 500],
    ]);
  });

  test("are filtered by replay and by whether they are tests", async () => {
    const partner = await world.newPartner();
    const { key } = partner;
    const { id } = await newEndpoint(world, key, { event_types: ["client.created"] });
    for (let count = 0; count < 3; count += 1) await world.newClient(partner);
    world.clock.advance(HOUR_MS);
    const body = { since: "2026-01-01T00:00:00Z" };
    const replay = (await world.call("POST", `${HOOKS}/${id}/replay`, { key, body })).body;
    await queueReplays(world.app.services.db, world.clock.now(), () => undefined);
    const tested = (await world.call("POST", `${HOOKS}/${id}/test`, { key })).body.id;
    const rows = await queuedFor(world, id);
    const listed = async (query: Record<string, string>) =>
      (await walk(world, key, `/webhooks/${id}/deliveries`, { limit: 2, ...query })).map((row) => row.id).sort();
    const idsOf = (wanted: (row: DeliveryRow) => boolean) => rows.filter(wanted).map((row) => row.id);
    expect(await listed({})).toHaveLength(7);
    expect(await listed({ replay_id: replay.id })).toEqual(idsOf(({ replay_id }) => replay_id === replay.id).sort());
    expect(await listed({ replay_id: replay.id, test: "true" })).toEqual([]);
    expect(await listed({ replay_id: newId("replay", Date.now()) })).toEqual([]);
    expect(await listed({ test: "true" })).toEqual([tested]);
    expect(await listed({ test: "false" })).toEqual(idsOf(({ test }) => !test).sort());
  });

  test("show the bytes and headers that were sent, but no event to a key that may not read it", async () => {
    const partner = await world.newPartner();
    const { id } = await newEndpoint(world, partner.key, { event_types: ["client.created"] });
    await world.newClient(partner, { company: "Café Über" });
    const tested = (await world.call("POST", `${HOOKS}/${id}/test`, { key: partner.key })).body;
    const row = (await queuedFor(world, id)).find(({ test }) => !test);
    await finish(world, [row?.id ?? ""], "failed");
    const sent = { "Content-Type": "application/json", "X-Api-Key": "redacted", "X-Service-Signature": "t=1,v1=aa" };
    await finish(world, [row?.id ?? ""], "succeeded", sent);
    const read = async (delivery_id: string | undefined, key = partner.key) =>
      (await world.call("GET", `${BASE}/deliveries/${delivery_id}`, { key })).body;
    const [event] = await world.db.sql<{ body: Buffer }>("select body from events where id = $1", [row?.event_id]);
    const delivery = await read(row?.id);
    expect(delivery.request_body).toBe(event?.body.toString());
    expect(delivery.attempt_log.map((attempt: Json) => attempt.request_headers)).toEqual([sent, null]);
    const blind = await world.newKey(partner, { scopes: ["webhooks:read"] });
    expect((await read(row?.id, blind)).request_body).toBeNull();
    expect(JSON.parse((await read(tested.id, blind)).request_body)).toMatchObject({ id: tested.event_id });
  });

  test("are seen only by keys that see the endpoint, and by nobody once it is removed", async () => {
    const partner = await world.newPartner();
    const [one, two] = [await world.newClient(partner), await world.newClient(partner)];
    const { id } = await newEndpoint(world, partner.key, { client_ids: [one.id] });
    await world.call("POST", `${BASE}/clients/${one.id}/suspend`, { key: partner.key });
    const [row] = await queuedFor(world, id);
    const [inside, outside] = [
      await world.newKey(partner, { clients: [one.id, two.id] }),
      await world.newKey(partner, { clients: [two.id] }),
    ];
    const read = async (key: string) => (await world.call("GET", `${BASE}/deliveries/${row?.id}`, { key })).status;
    expect([await read(inside), await read(outside), await read((await world.newPartner()).key)]).toEqual([200, 404, 404]);
    await world.call("DELETE", `${HOOKS}/${id}`, { key: partner.key });
    expect(await read(partner.key)).toBe(404);
  });
});

describe("an endpoint that is narrowed", () => {
  /** An endpoint that got events of two clients and is then for one alone, whose key could have made it. */
  async function narrowed() {
    const partner = await world.newPartner();
    const [one, two] = [await world.newClient(partner), await world.newClient(partner)];
    const { id } = await newEndpoint(world, partner.key);
    for (const client of [one, two]) await world.call("POST", `${BASE}/clients/${client.id}/suspend`, { key: partner.key });
    const done = await queuedFor(world, id);
    await finish(
      world,
      done.map((row) => row.id),
      "failed",
    );
    world.clock.advance(HOUR_MS);
    for (const client of [one, two]) await world.call("POST", `${BASE}/clients/${client.id}/reactivate`, { key: partner.key });
    const tested = (await world.call("POST", `${HOOKS}/${id}/test`, { key: partner.key })).body.id;
    const patch = (body: object) => world.call("PATCH", `${HOOKS}/${id}`, { key: partner.key, body });
    expect((await patch({ client_ids: [one.id] })).status).toBe(200);
    const retry = async (key: string, delivery_id: string | undefined) =>
      (await world.call("POST", `${BASE}/deliveries/${delivery_id}/retry`, { key })).body;
    return { partner, one, two, id, tested, patch, retry, rows: await queuedFor(world, id) };
  }

  test("keeps what it got of others from a key that may not see them", async () => {
    const { partner, one, two, id, tested, retry, rows } = await narrowed();
    const key = await world.newKey(partner, { clients: [one.id] });
    const own = rows.filter(({ client_id }) => client_id === one.id).map((row) => row.id);
    expect(own).toHaveLength(2);
    const listed = await walk(world, key, `/webhooks/${id}/deliveries`, {});
    expect(listed.map((row) => row.id).sort()).toEqual([...own, tested].sort());
    for (const row of rows.filter(({ client_id }) => client_id === two.id)) {
      expect((await world.call("GET", `${BASE}/deliveries/${row.id}`, { key })).status).toBe(404);
      expect((await retry(key, row.id)).code).toBe("not_found");
    }
    expect((await world.call("GET", `${BASE}/deliveries/${tested}`, { key })).status).toBe(200);
    expect((await retry(key, own[0])).status).toBe("pending");
  });

  test("takes back what waits and no longer fits, and sends no such delivery again", async () => {
    const { partner, one, two, id, tested, patch, retry, rows } = await narrowed();
    const statusOf = (client_id: string) => rows.filter((row) => row.client_id === client_id).map(({ status }) => status);
    expect(statusOf(one.id)).toEqual(["failed", "pending"]);
    expect(statusOf(two.id)).toEqual(["failed", "cancelled"]);
    const other = rows.find(({ client_id }) => client_id === two.id);
    expect((await retry(partner.key, other?.id)).code).toBe("event_not_wanted");
    await patch({ event_types: ["client.suspended"] });
    const after = (await queuedFor(world, id)).filter(({ status }) => status === "pending");
    expect(after.map((row) => row.id)).toEqual([tested]);
    const suspended = rows.find(({ client_id }) => client_id === one.id);
    expect((await retry(partner.key, suspended?.id)).status).toBe("pending");
  });

  test("sends nothing again for a key that may not read its type", async () => {
    const { partner, retry, rows } = await narrowed();
    const key = await world.newKey(partner, { scopes: ["webhooks:read", "webhooks:write"] });
    expect(await retry(key, rows[0]?.id)).toMatchObject({ code: "insufficient_scope" });
  });
});

describe("sending again", () => {
  test("queues any delivery for now, finished or not, and keeps counting its attempts", async () => {
    const partner = await world.newPartner();
    const { id } = await newEndpoint(world, partner.key, { event_types: ["client.created"] });
    await world.newClient(partner);
    const [row] = await queuedFor(world, id);
    if (row === undefined) throw new Error("nothing is queued");
    const retry = () => world.call("POST", `${BASE}/deliveries/${row.id}/retry`, { key: partner.key });
    for (const status of ["failed", "succeeded", null] as const) {
      if (status !== null) await finish(world, [row.id], status);
      world.clock.advance(HOUR_MS);
      const reply = await retry();
      expect([reply.status, reply.headers.location]).toEqual([202, `${BASE}/deliveries/${row.id}`]);
      expect(reply.body).toMatchObject({ status: "pending", next_at: world.clock.now().toISOString(), finished_at: null });
    }
    expect((await retry()).body.attempts).toBe(2);
    const entries = await auditLog(world, partner.key, { action: "deliveries.retry" });
    expect(entries.map(({ changes }) => changes.status.from)).toEqual(["failed", "succeeded", "pending", "pending"]);
    await world.call("PATCH", `${HOOKS}/${id}`, { key: partner.key, body: { enabled: false } });
    expect((await retry()).body.code).toBe("endpoint_disabled");
  });
});

describe("a test", () => {
  test("queues an example of the type for this endpoint alone, in no feed, marked as what it is", async () => {
    const { key, partner_id } = await world.newPartner();
    const endpoint = await newEndpoint(world, key, { event_types: ["client.suspended"] });
    const other = await newEndpoint(world, key);
    const test = (body?: object) => world.call("POST", `${HOOKS}/${endpoint.id}/test`, { key, ...(body && { body }) });
    const { status, body, headers } = await test({ type: "deal.won" });
    expect([status, headers.location]).toEqual([202, `${BASE}/deliveries/${body.id}`]);
    expect(body).toMatchObject({ endpoint_id: endpoint.id, event_type: "deal.won", test: true, status: "pending" });
    expect((await test()).body.event_type).toBe("client.suspended");
    const again = await world.call("POST", `${BASE}/deliveries/${body.id}/retry`, { key });
    expect([again.status, again.body.id]).toEqual([202, body.id]);
    expect(await queuedFor(world, other.id)).toEqual([]);
    expect(await feed(world, key)).toEqual([]);
    const [event] = await world.db.sql<{ body: Buffer }>("select body from events where id = $1", [body.event_id]);
    const sent = JSON.parse(String(event?.body));
    expect(Object.keys(sent)).toEqual(["id", "type", "created", "data"]);
    expect(sent).toMatchObject({ id: body.event_id, type: "deal.won", data: { partner_id, mrr_cents: 49_900 } });
    const [entry] = await auditLog(world, key, { action: "webhooks.test" });
    expect(entry).toMatchObject({ target: endpoint.id, changes: { delivery_id: { to: body.id } } });
    await world.call("PATCH", `${HOOKS}/${endpoint.id}`, { key, body: { enabled: false } });
    expect((await test()).body.code).toBe("endpoint_disabled");
  });
});
