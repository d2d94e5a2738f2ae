import { parse } from "csv-parse/sync";
import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/kernel/ids.ts";
import { createContext } from "../../src/platform/record/context.ts";
import { type FeedRange, readFeedPage } from "../../src/platform/record/feed.ts";
import { BATCH, CHANGE_FEED, EVENT_FEED } from "../../src/platform/record/sequencer.ts";
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

describe.each(Object.entries(FEEDS))("%s by time and as a file", (path, { table, id }) => {
  const HOUR_MS = 3_600_000;
  const hours: string[] = [];
  let reader: TestPartner;

  beforeAll(async () => {
    reader = await world.newPartner();
    for (let count = 0; count < 4; count += 1) {
      hours.push(world.clock.now().toISOString());
      const { id: account_id } = await world.newClient(reader, { company: `=Hour ${count}` });
      await world.newContact(reader, { account_id });
      world.clock.advance(HOUR_MS);
    }
  });

  const read = async (query: string) => {
    const rows: Json[] = [];
    for (let after = "", more = true; more; ) {
      const { body, text, status } = await world.call("GET", `${path}?limit=1&${query}${after}`, { key: reader.key });
      if (status !== 200) throw new Error(text);
      rows.push(...body.data);
      after = `&after=${body.next_cursor}`;
      more = body.has_more;
    }
    return rows;
  };
  const timeOf = (row: Json) => new Date(row.at ?? row.created * 1_000).toISOString();

  test.each([
    [0, 4],
    [1, 3],
    [2, 2],
    [3, 9],
  ])("has what began from hour %i on, before hour %i", async (from, before) => {
    const all = await read("");
    expect(all.length).toBeGreaterThanOrEqual(4);
    const end = hours[before] ?? "2030-01-01T00:00:00Z";
    const expected = all.filter((row) => timeOf(row) >= (hours[from] ?? "") && timeOf(row) < end);
    expect(await read(`created_after=${hours[from]}&created_before=${end}`)).toEqual(expected);
    expect(await read(`created_after=${hours[from]}`)).toEqual(all.filter((row) => timeOf(row) >= (hours[from] ?? "")));
  });

  test("reads only the positions about that time, and finds there what committed late", async () => {
    const { partner_id } = await world.newPartner();
    const ctx = createContext(world.app.services, { principal: { type: "system", partner_id } });
    const start_ms = world.clock.now().getTime();
    const at = (minutes: number) => new Date(start_ms + minutes * 60_000).toISOString();
    // One entry a minute; that of minute 55 committed five minutes late, after that of minute 60.
    const minutes = Array.from({ length: 120 }, (_, minute) => minute).sort(
      (a, b) => (a === 55 ? 60.5 : a) - (b === 55 ? 60.5 : b),
    );
    const ids = minutes.map((minute) => newId(id, start_ms + minute * 60_000));
    const entries = ids.map((id, index) => ({ id, subject: id, version: 1, transaction_id: id, ordinal: 0, seq: index + 1 }));
    const { insert } = FEEDS[path as keyof typeof FEEDS];
    await world.db.sql(
      `${insert} from jsonb_to_recordset($2) as n (id text, subject text, version int, transaction_id text, ordinal int)`,
      [partner_id, JSON.stringify(entries)],
    );
    await world.db.sql(
      `update ${table} f set seq = n.seq from jsonb_to_recordset($2) as n (id text, seq int) where partner_id = $1 and ${id}_id = n.id`,
      [partner_id, JSON.stringify(entries)],
    );
    const heads = id === "event" ? "feed_heads" : "change_heads";
    await world.db.sql(`insert into ${heads} (partner_id, seq) values ($1, 120)`, [partner_id]);
    const feedOf = id === "event" ? EVENT_FEED : CHANGE_FEED;
    const times = { created_after: at(55), created_before: at(70) };
    let range: FeedRange | null = null;
    await readFeedPage(ctx, feedOf, { list: "x", after: undefined, limit: 100, indexed: true, ...times }, async (asked) => {
      range = asked;
      return [];
    });
    const { after, until } = range as unknown as FeedRange;
    // The slack is ten minutes on either side.
    expect([after, until]).toEqual([45, 80]);
    expect(minutes.slice(after, until)).toEqual(expect.arrayContaining(Array.from({ length: 15 }, (_, index) => 55 + index)));
  });

  test("is exported as NDJSON and CSV, whole, with its filters", async () => {
    const query = `created_before=${hours[3]}`;
    const rows = await read(query);
    const file = async (format: string) =>
      (await world.call("GET", `${path}?format=${format}&${query}`, { key: reader.key })).text;
    const lines = (await file("ndjson")).split("\n").slice(0, -1);
    expect(lines.map((line) => JSON.parse(line))).toEqual(rows);
    const cells = parse(await file("csv"), { columns: true }) as Record<string, string>[];
    expect(cells.map((row) => row.id)).toEqual(rows.map((row) => row.id));
    if (id === "event") expect(cells.map((row) => JSON.parse(row.data ?? ""))).toEqual(rows.map(({ data }) => data));
    else expect(Object.keys(cells[0] ?? {})).toContain("detail");
    const refused = await world.call("GET", `${path}?format=csv&limit=5`, { key: reader.key });
    expect([refused.status, refused.body.code]).toEqual([400, "invalid_parameter"]);
    const [entry] = await auditLog(world, reader.key, { action: `${id}s.export` });
    expect(entry).toMatchObject({ outcome: "success" });
  });

  test("is exported beyond a page, also from a cursor on", async () => {
    const many = await world.newPartner();
    const start = (await world.call("GET", path, { key: many.key })).body.next_cursor;
    const { id: account_id } = await world.newClient(many);
    const contacts = Array.from({ length: 120 }, (_, index) => index);
    if (id === "change") for (const _ of contacts) await world.newContact(many, { account_id });
    else
      for (const index of contacts.slice(0, 110))
        await world.call("POST", `${BASE}/clients/${account_id}/${index % 2 === 0 ? "suspend" : "reactivate"}`, {
          key: many.key,
        });
    const { text } = await world.call("GET", `${path}?format=ndjson&after=${start}`, { key: many.key });
    expect(text.split("\n").length - 1).toBeGreaterThan(110);
  });
});

test("the sales activity fills the longest page, which says that there is more", async () => {
  const { partner_id, key } = await world.newPartner();
  const { id: account_id } = await world.newClient({ partner_id, key });
  const ids = Array.from({ length: 101 }, () => newId("change", Date.now())).sort();
  await world.db.sql(
    `insert into change_feed (partner_id, change_id, resource, account_id, change, subject, subject_version, transaction_id, ordinal)
     select $1, n.id, 'lead', $2, 'created', 'lead_' || substr(n.id, 5), 1, n.id, 0 from unnest($3::text[]) as n (id)`,
    [partner_id, account_id, ids],
  );
  const { body } = await world.call("GET", `${BASE}/activity?limit=100`, { key });
  expect([body.data.map(({ id }: Json) => id), body.has_more]).toEqual([ids.slice(0, 100), true]);
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
