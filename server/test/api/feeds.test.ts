import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/kernel/ids.ts";
import { BATCH } from "../../src/platform/record/sequencer.ts";
import { auditLog, changes, feed, walk } from "../harness/lists.ts";
import { newEndpoint } from "../harness/webhooks.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

// Without background work: what a reader gets, its read has sequenced.
const world = useWorld({}, "api");

const FEEDS = {
  "/v1/partners/events": {
    id: "event",
    table: "event_feed",
    insert: `insert into event_feed (partner_id, event_id, type, subject, subject_version, transaction_id, ordinal)
      select $1, n.id, 'tier.changed', n.subject, n.version, n.transaction_id, n.ordinal`,
  },
  "/v1/changes": {
    id: "change",
    table: "change_feed",
    insert: `insert into change_feed (partner_id, change_id, resource, account_id, change, subject, subject_version, transaction_id, ordinal)
      select $1, n.id, 'contact', 'cli_x', 'updated', n.subject, n.version, n.transaction_id, n.ordinal`,
  },
} as const;

describe.each(Object.entries(FEEDS))("%s with more pending than the sequencer takes at once", (path, { id, table, insert }) => {
  test("has everything that was committed before a read, in the order of versions and transactions", async () => {
    const { partner_id, key } = await world.newPartner();
    const ids = Array.from({ length: 2 * BATCH + 500 }, () => newId(id, Date.now())).sort();
    const entries = ids.map((id) => ({ id, subject: id, version: 1, transaction_id: id, ordinal: 0 }));
    // The oldest transaction was the last to change its subject: its predecessors are in other batches.
    for (const [version, index] of [2 * BATCH + 400, BATCH + 400, 0].entries())
      Object.assign(entries[index] ?? {}, { subject: "x", version: version + 1 });
    // A transaction on the border of two batches.
    const border = entries.slice(BATCH - 1, BATCH + 3);
    for (const [ordinal, entry] of border.entries()) Object.assign(entry, { transaction_id: border[0]?.id, ordinal });
    await world.db.sql(
      `${insert} from jsonb_to_recordset($2) as n (id text, subject text, version int, transaction_id text, ordinal int)`,
      [partner_id, JSON.stringify(entries)],
    );
    expect((await world.call("GET", `${path}?after=end`, { key })).status).toBe(200);
    const stored = await world.db.sql<{ id: string; seq: number }>(
      `select ${id}_id as id, seq::int from ${table} where partner_id = $1 order by seq`,
      [partner_id],
    );
    const seqOf = new Map(stored.map(({ id, seq }) => [id, seq]));
    expect(stored.map(({ seq }) => seq)).toEqual(ids.map((_, index) => index + 1));
    const versions = entries.filter(({ subject }) => subject === "x").sort((a, b) => a.version - b.version);
    const positions = versions.map(({ id }) => seqOf.get(id) ?? 0);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    const first = seqOf.get(border[0]?.id ?? "") ?? 0;
    expect(border.map(({ id }) => seqOf.get(id))).toEqual(border.map((_, index) => first + index));
  });
});

describe("a key bound to clients", () => {
  let partner: TestPartner;
  let clients: Json[];
  let own: Json;
  let wide: Json;

  beforeAll(async () => {
    partner = await world.newPartner();
    const { key, partner_id } = partner;
    wide = await newEndpoint(world, key);
    clients = [await world.newClient(partner), await world.newClient(partner), await world.newClient(partner)];
    own = await newEndpoint(world, key, { client_ids: clients.slice(0, 2).map(({ id }) => id) });
    for (const account of [{}, ...clients.map(({ id }) => ({ account_id: id }))]) {
      await world.newContact(partner, account);
      await world.newLead(partner, account);
    }
    for (const { id } of clients) await world.call("POST", `${BASE}/clients/${id}/suspend`, { key });
    const operator = await world.newOperator();
    await world.call("PATCH", `/v1/admin/partners/${partner_id}`, { key: operator, body: { grade: "platinum" } });
  });

  /** Each feed as a key sees it, and the client that an entry is about. */
  const READERS: Record<string, { read(key: string): Promise<Json[]>; clientOf(entry: Json): string | null; filter: string }> = {
    [`${BASE}/events`]: {
      read: (key) => feed(world, key),
      clientOf: ({ type, data }) => (type.startsWith("client.") ? data.client_id : null),
      filter: "client_id",
    },
    "/v1/changes": { read: (key) => changes(world, key), clientOf: ({ account_id }) => account_id, filter: "account_id" },
    [`${BASE}/activity`]: {
      read: async (key) => (await world.call("GET", `${BASE}/activity?limit=100`, { key })).body.data,
      clientOf: ({ account_id }) => account_id,
      filter: "account_id",
    },
    [`${BASE}/audit-log`]: {
      read: (key) => auditLog(world, key),
      clientOf: ({ client_id }) => client_id,
      filter: "client_id",
    },
  };

  describe.each(Object.entries(READERS))("reads %s", (path, { read, clientOf, filter }) => {
    test.each([1, 2])("of its %i clients alone, and finds nothing of others by filter or by id", async (count) => {
      const bound: string[] = clients.slice(0, count).map(({ id }) => id);
      const key = await world.newKey(partner, { clients: bound });
      const all = await read(partner.key);
      const isOwn = (entry: Json) => bound.includes(clientOf(entry) ?? "");
      const expected = all.filter(isOwn);
      expect(expected.length).toBeGreaterThan(0);
      expect(new Set(all.map(clientOf)).size).toBeGreaterThan(3);
      expect((await read(key)).map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
      const asked = await world.call("GET", `${path}?${filter}=${clients[2].id}`, { key });
      expect([asked.status, asked.body.data]).toEqual([200, []]);
      if (/events|audit/.test(path)) {
        for (const entry of all) {
          expect((await world.call("GET", `${path}/${entry.id}`, { key })).status).toBe(isOwn(entry) ? 200 : 404);
        }
      }
    });
  });

  test("reads the deliveries of endpoints for its clients, and none of others", async () => {
    const [one, two] = clients;
    const key = await world.newKey(partner, { clients: [one.id, two.id] });
    const alone = await world.newKey(partner, { clients: [one.id] });
    const all = await walk(world, partner.key, `/webhooks/${own.id}/deliveries`);
    expect(await walk(world, key, `/webhooks/${own.id}/deliveries`)).toEqual(all);
    for (const [reader, endpoint] of [
      [key, wide],
      [alone, wide],
      [alone, own],
    ]) {
      expect((await world.call("GET", `${BASE}/webhooks/${endpoint.id}/deliveries`, { key: reader })).status).toBe(404);
      const [row] = await walk(world, partner.key, `/webhooks/${endpoint.id}/deliveries`);
      expect((await world.call("GET", `${BASE}/deliveries/${row.id}`, { key: reader })).status).toBe(404);
      expect((await world.call("POST", `${BASE}/deliveries/${row.id}/retry`, { key: reader })).status).toBe(404);
    }
  });
});
