import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { ALL_SCOPES } from "../../src/kernel/scopes.ts";
import type { Statement } from "../../src/platform/db/statement.ts";
import { dropOldChanges } from "../../src/platform/record/retention.ts";
import { type EventReader, openStream } from "../harness/event-stream.ts";
import { changes } from "../harness/lists.ts";
import { BASE, type Json, keptDaysAgo, type TestPartner, useWorld } from "../harness/world.ts";
import { eventually } from "../postgres/processes.ts";

const world = useWorld({ heartbeat_ms: 300 });
const readers: EventReader[] = [];
let base_url: string;

beforeAll(async () => {
  base_url = await world.app.http.listen({ host: "127.0.0.1", port: 0 });
});
afterEach(async () => {
  for (const reader of readers.splice(0)) {
    reader.close();
    await reader.ended;
  }
});

async function listen(key: string, query = "", headers: Record<string, string> = {}): Promise<EventReader> {
  const reader = await openStream(base_url, `/v1/changes/stream?${query}`, { key, headers });
  readers.push(reader);
  return reader;
}

const ids = ({ messages }: EventReader) => messages.map(({ data }) => data.id);
const hintOf = ({ at: _, detail: __, ...hint }: Json) => hint;

async function makeContacts(partner: TestPartner, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const made = await Promise.all(Array.from({ length: Math.min(10, count - ids.length) }, () => world.newContact(partner)));
    ids.push(...made.map(({ id }) => id));
  }
  return ids;
}

/** The last change of a partner: when it has arrived, everything before it has. */
async function untilCaughtUp(partner: TestPartner, reader: EventReader): Promise<void> {
  const { id } = await world.newContact(partner);
  await eventually("the last change", () => ids(reader).includes(id) || null);
}

describe("the stream of changes", () => {
  test("names each record that changes, as the feed does, with its cursor", async () => {
    const partner = await world.newPartner();
    await world.newContact(partner);
    const reader = await listen(partner.key);
    const contact = await world.newContact(partner);
    await world.call("PATCH", `/v1/contacts/${contact.id}`, { key: partner.key, body: { notes: "Called" } });
    const lead = await world.newLead(partner);
    await reader.until(3);
    expect(reader.messages.map(({ event }) => event)).toEqual(["change", "change", "change"]);
    expect(ids(reader)).toEqual([contact.id, contact.id, lead.id]);
    expect(reader.messages.map(({ data }) => data)).toEqual((await changes(world, partner.key)).slice(1).map(hintOf));
    const rest = await world.call("GET", `/v1/changes?after=${reader.messages[0]?.id}`, { key: partner.key });
    expect(rest.body.data.map(hintOf)).toEqual(reader.messages.slice(1).map(({ data }) => data));
    expect(rest.body.next_cursor).toBe(reader.lastId());
  });

  test("goes on after the last message, by Last-Event-ID or by after, and the header goes before", async () => {
    const partner = await world.newPartner();
    const first = await listen(partner.key);
    const made = [await world.newContact(partner), await world.newContact(partner)].map(({ id }) => id);
    await first.until(2);
    first.close();
    made.push(...(await makeContacts(partner, 150)));
    const [id1 = "", id2 = ""] = first.messages.map(({ id }) => id);
    const resumed = [
      await listen(partner.key, "", { "last-event-id": id1 }),
      await listen(partner.key, `after=${id1}`),
      await listen(partner.key, "after=end", { "last-event-id": id1 }),
      await listen(partner.key, `after=${id1}`, { "last-event-id": id2 }),
    ];
    const all = (await changes(world, partner.key)).map(({ id }) => id);
    for (const [index, reader] of resumed.entries()) {
      await untilCaughtUp(partner, reader);
      expect(ids(reader).slice(0, made.length - 1 - Number(index === 3))).toEqual(all.slice(index === 3 ? 2 : 1));
      expect(new Set(ids(reader)).size).toBe(reader.messages.length);
    }
  });

  test("shows a key only what it may see", async () => {
    const partner = await world.newPartner();
    const [one, two] = [await world.newClient(partner), await world.newClient(partner)];
    const other = await world.newPartner();
    const bound = await world.newKey(partner, { clients: [two.id] });
    const blind = await world.newKey(partner, { scopes: ALL_SCOPES.filter((scope) => scope !== "contacts:read") });
    const streams = {
      all: await listen(partner.key),
      of_one: await listen(partner.key, `account_id=${one.id}`),
      of_leads: await listen(partner.key, "resource=lead"),
      bound: await listen(bound),
      bound_elsewhere: await listen(bound, `account_id=${one.id}`),
      blind: await listen(blind),
      other: await listen(other.key),
    };
    const made = [
      await world.newContact(partner, { account_id: one.id }),
      await world.newContact(partner, { account_id: two.id }),
      await world.newLead(partner, { account_id: one.id }),
    ].map(({ id }) => id);
    await streams.all.until(3);
    // What everybody may see comes after what somebody may not: so that has been passed over when this arrives.
    const seen = await world.newLead(partner, { account_id: two.id });
    const foreign = await world.newContact(other);
    const [c1, c2, l1] = made;
    await Promise.all([streams.all.until(4), streams.bound.until(2), streams.of_leads.until(2), streams.blind.until(2)]);
    await streams.other.until(1);
    expect(ids(streams.all)).toEqual([c1, c2, l1, seen.id]);
    expect(ids(streams.of_one)).toEqual([c1, l1]);
    expect(ids(streams.of_leads)).toEqual([l1, seen.id]);
    expect(ids(streams.bound)).toEqual([c2, seen.id]);
    expect(ids(streams.blind)).toEqual([l1, seen.id]);
    expect(ids(streams.other)).toEqual([foreign.id]);
    expect(streams.bound_elsewhere.messages).toEqual([]);
    expect((await listen(bound, "after=end")).status).toBe(200);
    const refused = await listen(blind, "resource=contact");
    expect([refused.status, refused.problem().required_scope]).toEqual([403, "contacts:read"]);
    const deaf = await listen(await world.newKey(partner, { scopes: ["contacts:read"] }));
    expect([deaf.status, deaf.problem().required_scope]).toEqual([403, "events:read"]);
  });

  test("moves its id on while others change, so that a quiet reader comes back to where it was", async () => {
    const partner = await world.newPartner();
    const quiet = await listen(partner.key, "resource=deal");
    const begun = quiet.lastId();
    await makeContacts(partner, 3);
    await eventually("the id to move on", () => quiet.lastId() !== begun || null);
    expect(quiet.messages).toEqual([]);
    const heard = quiet.heartbeats();
    await eventually("another sign of life", () => quiet.heartbeats() > heard || null);
  });

  test("refuses a cursor of another list, and one from before what is kept", async () => {
    const partner = await world.newPartner();
    const begun = (await listen(partner.key)).lastId();
    const other = await listen(partner.key, `resource=lead&after=${begun}`);
    expect([other.status, other.problem().code]).toEqual([400, "invalid_cursor"]);
    const forged = await listen(partner.key, "", { "last-event-id": "\u00ff\u0080" });
    expect([forged.status, forged.problem().code]).toEqual([400, "invalid_cursor"]);
    await world.newContact(partner);
    await world.db.sql(
      "update change_feed set change_id = 'chg_' || substr(first_id_at('chg', $2::timestamptz), 5) where partner_id = $1",
      [partner.partner_id, keptDaysAgo(world, 31)],
    );
    await changes(world, partner.key);
    await dropOldChanges(world.app.services.db, world.clock.now());
    const expired = await listen(partner.key, "", { "last-event-id": begun });
    expect([expired.status, expired.problem().code]).toEqual([410, "cursor_expired"]);
  });
});

describe("a stream ends", () => {
  test("with its key: after the revocation nothing arrives, also of what happened before it", async () => {
    const partner = await world.newPartner();
    const body = { name: "Revoked", scopes: ["events:read", "contacts:read"], clients: "all" };
    const { body: made } = await world.call("POST", `${BASE}/keys`, { key: partner.key, body });
    const [reader, witness] = [await listen(made.api_key), await listen(partner.key)];
    await world.newContact(partner);
    await Promise.all([reader.until(1), witness.until(1)]);
    const { status } = await world.call("DELETE", `${BASE}/keys/${made.id}`, { key: partner.key });
    expect(status).toBeLessThan(300);
    await world.newContact(partner);
    expect(await reader.ended).toBe("lost");
    await witness.until(2);
    expect(reader.messages).toHaveLength(1);
    expect((await listen(made.api_key, "", { "last-event-id": reader.lastId() })).status).toBe(401);
  });

  test("with a narrower key, and with the partner's suspension, even if nothing changes", async () => {
    const partner = await world.newPartner();
    const body = { name: "Narrowed", scopes: ["events:read", "contacts:read"], clients: "all" };
    const { body: made } = await world.call("POST", `${BASE}/keys`, { key: partner.key, body });
    const [narrowed, suspended] = [await listen(made.api_key), await listen(partner.key)];
    await world.call("PATCH", `${BASE}/keys/${made.id}`, { key: partner.key, body: { scopes: ["events:read"] } });
    expect(await narrowed.ended).toBe("lost");
    await world.db.sql("update partners set status = 'suspended' where id = $1", [partner.partner_id]);
    expect(await suspended.ended).toBe("lost");
  });

  test("for the follower at once when its reader leaves: the last one stops the reads", async () => {
    const partner = await world.newPartner();
    const reader = await listen(partner.key);
    const heads = () => sent.filter(({ values }) => values[0] === partner.partner_id).length;
    const sent = watchStatements();
    await eventually("reads of the feed", () => heads() > 1 || null);
    reader.close();
    await eventually("the reads to stop", async () => {
      const before = heads();
      await new Promise((resolve) => setTimeout(resolve, 450));
      return heads() === before || null;
    });
  });
});

type Sent = { statement: Statement; values: readonly unknown[] };
let unwatch = () => {};
afterEach(() => unwatch());

/** Every statement that the application sends outside of transactions, until the end of the test. */
function watchStatements(): Sent[] {
  const sent: Sent[] = [];
  const { db } = world.app.services;
  const undo = [db, db.byKey].map((queryable) => {
    const { query } = queryable;
    queryable.query = (statement, values = []) => {
      sent.push({ statement, values });
      return query(statement, values);
    };
    return () => {
      queryable.query = query;
    };
  });
  unwatch = () => {
    for (const one of undo) one();
  };
  return sent;
}

test("200 readers of a partner cost what one does: a read of the feed per turn, and one check of all their keys", async () => {
  const partner = await world.newPartner();
  const keys = await Promise.all(Array.from({ length: 20 }, () => world.newKey(partner)));
  const all = await Promise.all(Array.from({ length: 200 }, (_, turn) => listen(keys[turn % 20] ?? "", "resource=contact")));
  const sent = watchStatements();
  const CHANGES = 5;
  for (let turn = 1; turn <= CHANGES; turn += 1) {
    await world.newContact(partner);
    await Promise.all(all.map((reader) => reader.until(turn)));
  }
  const texts = sent.map(({ statement }) => statement.text);
  expect(texts.filter((text) => /from change_feed f\s+where f.partner_id = \$1 and f.seq > \$2/.test(text))).toHaveLength(
    CHANGES,
  );
  // Heartbeats may fall between two changes, a batch may be sent in two; 200 readers would take 1,000.
  expect(texts.filter((text) => text.includes("from unnest($1::bytea[]")).length).toBeLessThan(100);
  for (const reader of all) expect(ids(reader)).toEqual(ids(all[0] as EventReader));
});

test("a reader that reads nothing is not kept anything for, delays nobody, and finds everything later", async () => {
  const partner = await world.newPartner();
  const { account_id } = await world.newContact(partner);
  const [slow, brisk] = [await listen(partner.key), await listen(partner.key)];
  slow.pause();
  // More than the buffers of a connection hold. With their positions, because this is not about sequencing.
  const COUNT = 40_000;
  await world.db.sql(
    `with made as (
       insert into change_feed (partner_id, change_id, seq, resource, account_id, subject, subject_version, change, transaction_id, ordinal)
       select $1, 'chg_' || lpad(n::text, 26, '0'), n + 1, 'contact', $2, 'con_' || lpad(n::text, 26, '0'), 1, 'created', 'chg_' || lpad(n::text, 26, '0'), 0
       from generate_series(1, $3::int) n
     )
     update change_heads set seq = $3::int + 1 where partner_id = $1`,
    [partner.partner_id, account_id, COUNT],
  );
  await brisk.until(COUNT);
  const sent = watchStatements();
  slow.resume();
  await slow.until(COUNT);
  expect(sent.filter(({ statement }) => statement.text.includes("f.resource = any ($4)")).length).toBeGreaterThan(10);
  expect(slow.messages).toHaveLength(COUNT);
  expect(new Set(ids(slow)).size).toBe(COUNT);
  expect(ids(slow)).toEqual(ids(brisk));
});
