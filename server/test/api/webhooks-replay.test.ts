import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { queueReplays, WAITING_MAX } from "../../src/features/outbox/webhooks/replay/jobs.ts";
import { type Database, openDatabase } from "../../src/platform/db/database.ts";
import { auditLog, walk } from "../harness/lists.ts";
import { finish, HOOKS, newEndpoint, queuedFor } from "../harness/webhooks.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
const HOUR_MS = 3_600_000;
let second: Database;

beforeAll(() => {
  second = openDatabase(world.db.service, 2);
});
afterAll(() => second.close());

const hoursAgo = (hours: number) => new Date(world.clock.now().getTime() - hours * HOUR_MS).toISOString();
const replay = (key: string, id: string, body: object) => world.call("POST", `${HOOKS}/${id}/replay`, { key, body });
const work = (db = world.app.services.db) => queueReplays(db, world.clock.now(), () => undefined);
const readReplay = async (key: string, { endpoint_id, id }: Json) =>
  (await world.call("GET", `${HOOKS}/${endpoint_id}/replays/${id}`, { key })).body;

/** A partner with so many clients, made an hour apart, the last an hour ago. */
async function past(hours: number): Promise<TestPartner> {
  const partner = await world.newPartner();
  for (let count = 0; count < hours; count += 1) {
    await world.newClient(partner);
    world.clock.advance(HOUR_MS);
  }
  return partner;
}

describe("a replay", () => {
  test("queues what the endpoint gets of the time asked for, once each, and says how far it is", async () => {
    const partner = await past(6);
    const { key } = partner;
    const { id } = await newEndpoint(world, key, { event_types: ["client.created", "client.activated"] });
    const reply = await replay(key, id, { since: hoursAgo(5), until: hoursAgo(2), types: ["client.created"] });
    expect([reply.status, reply.headers.location]).toEqual([202, `${HOOKS}/${id}/replays/${reply.body.id}`]);
    expect(reply.body).toMatchObject({ state: "running", total: 3, queued: 0, types: ["client.created"], only_failed: false });
    await work();
    await work();
    const rows = await queuedFor(world, id);
    expect(rows.map(({ event_type, replay_id, status }) => [event_type, replay_id, status])).toEqual(
      Array(3).fill(["client.created", reply.body.id, "pending"]),
    );
    expect(await readReplay(key, reply.body)).toMatchObject({ state: "done", total: 3, queued: 3 });
    expect((await auditLog(world, key, { action: "replays.create" }))[0]).toMatchObject({ target: id });
  });

  test("leaves alone what the endpoint does not get: other clients, other types, other partners", async () => {
    await past(2);
    const partner = await past(3);
    const clients = await walk(world, partner.key, "/clients");
    const { id } = await newEndpoint(world, partner.key, { client_ids: [clients[0].id], event_types: ["client.created"] });
    const { body } = await replay(partner.key, id, { since: hoursAgo(100) });
    expect(body).toMatchObject({ total: 1, types: null });
    await work();
    expect((await queuedFor(world, id)).map(({ client_id }) => client_id)).toEqual([clients[0].id]);
  });

  test("only of what failed takes what was given up and has not arrived since", async () => {
    const partner = await world.newPartner();
    const { key } = partner;
    const { id } = await newEndpoint(world, key, { event_types: ["client.created"] });
    for (let count = 0; count < 5; count += 1) await world.newClient(partner);
    world.clock.advance(HOUR_MS);
    const rows = await queuedFor(world, id);
    const ids = rows.map((row) => row.id);
    await finish(world, ids.slice(0, 2), "succeeded");
    await finish(world, ids.slice(2, 4), "failed");
    const first = await replay(key, id, { since: hoursAgo(2), only_failed: true });
    expect(first.body.total).toBe(2);
    await work();
    const again = (await queuedFor(world, id)).filter(({ replay_id }) => replay_id !== null);
    expect(again.map(({ event_id }) => event_id)).toEqual(rows.slice(2, 4).map(({ event_id }) => event_id));
    await finish(world, [again[0]?.id ?? ""], "succeeded");
    await finish(world, [again[1]?.id ?? ""], "failed");
    const rest = await replay(key, id, { since: hoursAgo(2), only_failed: true, dry_run: true });
    expect(rest.body).toMatchObject({ id: null, state: "dry_run", total: 1 });
    const { body: last } = await replay(key, id, { since: hoursAgo(2), only_failed: true });
    await work();
    const third = (await queuedFor(world, id)).filter(({ replay_id }) => replay_id === last.id);
    expect(third.map(({ event_id }) => event_id)).toEqual([rows[3]?.event_id]);
    expect(await readReplay(key, last)).toMatchObject({ state: "done", total: 1, queued: 1 });
  });

  test("that is a dry run counts and does nothing else", async () => {
    const partner = await past(4);
    const { id } = await newEndpoint(world, partner.key);
    const { status, body, headers } = await replay(partner.key, id, { since: hoursAgo(3), dry_run: true });
    expect([status, headers.location, body.total]).toEqual([202, undefined, 6]);
    await work();
    expect(await queuedFor(world, id)).toEqual([]);
    expect(await walk(world, partner.key, `/webhooks/${id}/replays`)).toEqual([]);
    expect(await auditLog(world, partner.key, { action: "replays.create" })).toEqual([]);
  });

  test("never has more than a few waiting, goes on as they are sent, and does not wait for those that fail", async () => {
    const partner = await world.newPartner();
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.push((await world.newClient(partner)).id);
    const body = { action: "suspend", client_ids: ids };
    for (let round = 0; round < 90; round += 1) {
      const action = round % 2 === 0 ? "suspend" : "reactivate";
      await world.call("POST", `${BASE}/clients/bulk`, { key: partner.key, body: { ...body, action } });
    }
    world.clock.advance(HOUR_MS);
    const endpoint = await newEndpoint(world, partner.key);
    const { body: made } = await replay(partner.key, endpoint.id, { since: hoursAgo(2) });
    expect(made.total).toBe(276);
    await work();
    await work();
    const first = await queuedFor(world, endpoint.id);
    expect(first).toHaveLength(WAITING_MAX);
    expect(await readReplay(partner.key, made)).toMatchObject({ state: "running", queued: WAITING_MAX });
    await world.db.sql("update deliveries set attempts = 1 where id = any ($1)", [first.slice(0, 50).map(({ id }) => id)]);
    await work();
    expect(await queuedFor(world, endpoint.id)).toHaveLength(250);
    await finish(
      world,
      first.slice(50).map(({ id }) => id),
      "succeeded",
    );
    await work();
    const all = await queuedFor(world, endpoint.id);
    expect(new Set(all.map(({ event_id }) => event_id)).size).toBe(276);
    expect(all).toHaveLength(276);
    expect(await readReplay(partner.key, made)).toMatchObject({ state: "done", queued: 276 });
  });

  test("is worked off once, whichever processes work on it at the same time", async () => {
    const partner = await past(10);
    const { id } = await newEndpoint(world, partner.key);
    const { body } = await replay(partner.key, id, { since: hoursAgo(24) });
    await Promise.all([work(), work(second), work(), work(second)]);
    await work();
    expect(await queuedFor(world, id)).toHaveLength(20);
    expect(await readReplay(partner.key, body)).toMatchObject({ state: "done", queued: 20, total: 20 });
  });

  test("runs alone for its endpoint; the next is refused until it is done or cancelled", async () => {
    const partner = await past(2);
    const { key } = partner;
    const { id } = await newEndpoint(world, key);
    const { body: first } = await replay(key, id, { since: hoursAgo(5) });
    const refused = await replay(key, id, { since: hoursAgo(5) });
    expect([refused.status, refused.body.code, refused.body.existing_id]).toEqual([409, "replay_in_progress", first.id]);
    await work();
    const { body: next } = await replay(key, id, { since: hoursAgo(5) });
    expect(next.state).toBe("running");
    const listed = await walk(world, key, `/webhooks/${id}/replays`, { limit: 1 });
    expect(listed.map((row) => row.id)).toEqual([next.id, first.id]);
    await world.call("PATCH", `${HOOKS}/${id}`, { key, body: { enabled: false } });
    await work();
    expect((await readReplay(key, next)).queued).toBe(0);
    expect((await replay(key, id, { since: hoursAgo(5) })).body.code).toBe("endpoint_disabled");
  });

  test("that is cancelled takes back what is not sent yet, and queues no more", async () => {
    const partner = await past(4);
    const { key } = partner;
    const { id } = await newEndpoint(world, key);
    const live = await world.newClient(partner);
    const { body } = await replay(key, id, { since: hoursAgo(5) });
    await work();
    const queued = (await queuedFor(world, id)).filter(({ replay_id }) => replay_id !== null);
    await finish(world, [queued[0]?.id ?? ""], "succeeded");
    const cancel = () => world.call("DELETE", `${HOOKS}/${id}/replays/${body.id}`, { key });
    expect([(await cancel()).status, (await cancel()).status]).toEqual([204, 204]);
    await work();
    const rows = await queuedFor(world, id);
    expect(rows.filter(({ replay_id }) => replay_id !== null).map(({ status }) => status)).toEqual([
      "succeeded",
      ...Array(queued.length - 1).fill("cancelled"),
    ]);
    expect(
      rows.filter(({ client_id, replay_id }) => client_id === live.id && replay_id === null).map(({ status }) => status),
    ).toEqual(["pending", "pending"]);
    const { body: other } = await replay(key, id, { since: hoursAgo(5), types: ["client.created"] });
    expect((await world.call("DELETE", `${HOOKS}/${id}/replays/${other.id}`, { key })).status).toBe(204);
    expect(await readReplay(key, other)).toMatchObject({ state: "cancelled", queued: 0 });
  });

  test("is remembered with the last hundred of its endpoint, and reaches no further than now", async () => {
    const partner = await past(1);
    const { id } = await newEndpoint(world, partner.key);
    const made: string[] = [];
    for (let count = 0; count < 103; count += 1) {
      world.clock.advance(1);
      const { body } = await replay(partner.key, id, { since: hoursAgo(5), until: "2199-01-01T00:00:00Z" });
      expect(body.until).toBe(world.clock.now().toISOString());
      await world.call("DELETE", `${HOOKS}/${id}/replays/${body.id}`, { key: partner.key });
      made.unshift(body.id);
    }
    const listed = await walk(world, partner.key, `/webhooks/${id}/replays`, { limit: 100 });
    expect(listed.map((row) => row.id)).toEqual(made.slice(0, 100));
  });

  test.each([{ since: "2026-11-02T00:00:00Z", until: "2026-11-01T00:00:00Z" }, { since: "2199-01-01T00:00:00Z" }])(
    "of no time at all is refused: %j",
    async (body) => {
      const { key } = await world.newPartner();
      const { id } = await newEndpoint(world, key);
      const reply = await replay(key, id, body);
      expect([reply.status, reply.body.errors[0].pointer]).toEqual([422, "#/since"]);
    },
  );
});
