import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/kernel/ids.ts";
import { type Database, openDatabase } from "../../src/platform/db/database.ts";
import type { Job, JobContext } from "../../src/platform/jobs/job.ts";
import { maintenanceJobs } from "../../src/platform/jobs/maintenance.ts";
import { runJob } from "../../src/platform/jobs/run-job.ts";
import { feed, walk } from "../harness/lists.ts";
import { finish, newEndpoint, queuedFor } from "../harness/webhooks.ts";
import { ADMIN, BASE, type Json, useWorld } from "../harness/world.ts";

const DAY_MS = 86_400_000;
const world = useWorld({}, "api");
let owner: Database;
let operator: string;
const observed: string[] = [];

beforeAll(async () => {
  owner = openDatabase(world.db.owner, 1);
  operator = await world.newOperator();
});
afterAll(() => owner.close());

const jobs = maintenanceJobs("03:20");

/** Runs a job as the worker does, and tells what it did. */
async function run(name: string, job: Job | undefined = jobs.find((known) => known.name === name)): Promise<string | null> {
  if (job === undefined) throw new Error(`there is no job ${name}`);
  const ctx: JobContext = { db: world.app.services.db, owner, clock: world.clock };
  await runJob(job, ctx, (which, outcome) => observed.push(`${which} ${outcome}`));
  const [row] = await world.db.sql<{ outcome: string | null }>("select outcome from job_runs where name = $1", [name]);
  return row?.outcome ?? null;
}

/** Does something so many days ago. */
async function ago<T>(days: number, act: () => Promise<T>): Promise<T> {
  world.clock.advance(-days * DAY_MS);
  try {
    return await act();
  } finally {
    world.clock.advance(days * DAY_MS);
  }
}

async function partitionsOf(table: string): Promise<string[]> {
  const rows = await world.db.sql<{ name: string }>(
    "select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1",
    [table],
  );
  return rows.map(({ name }) => name);
}

test("partitions are made 24 months ahead, and running it again makes none", async () => {
  for (const table of ["events_2028_10", "events_2028_11", "audit_entries_2028_11"]) await world.db.sql(`drop table ${table}`);
  expect(await run("partitions")).toBe("3 partitions added");
  expect(await run("partitions")).toBe("0 partitions added");
  expect(await partitionsOf("events")).toEqual(expect.arrayContaining(["events_2028_10", "events_2028_11"]));
});

test("deliveries and their attempts go with the months of their events, those in no month's partition too", async () => {
  const partner = await world.newPartner();
  const endpoint = await newEndpoint(world, partner.key, { event_types: ["client.created"] });
  for (const days of [800, 100, 31, 0]) {
    await ago(days, () => world.newClient(partner));
    const ids = (await queuedFor(world, endpoint.id)).filter(({ status }) => status === "pending").map(({ id }) => id);
    await finish(world, ids, "succeeded");
  }
  const listed = await walk(world, partner.key, `/webhooks/${endpoint.id}/deliveries`);
  expect(listed).toHaveLength(4);
  expect(await run("delivery_retention")).toBe("6 partitions dropped");
  expect(await run("delivery_retention")).toBe("0 partitions dropped");
  const left = (await walk(world, partner.key, `/webhooks/${endpoint.id}/deliveries`)).map(({ id }) => id);
  expect(left).toEqual(listed.slice(0, 2).map(({ id }) => id));
  const attempts = await world.db.sql("select delivery_id as id from delivery_attempts where endpoint_id = $1", [endpoint.id]);
  expect(attempts.map(({ id }) => id).sort()).toEqual([...left].sort());
});

test("clicks are kept for thirteen months, those in no month's partition too", async () => {
  const partner = await world.newPartner();
  const click = (at: string) =>
    world.db.sql("insert into clicks (partner_id, id, link_id, visitor, repeat) values ($1, $2, 'lnk_a', '\\x00', false)", [
      partner.partner_id,
      newId("click", Date.parse(at)),
    ]);
  await world.db.sql("select add_partitions('clicks', 'clk', '2025-08-01', '2025-08-01')");
  for (const at of ["2025-08-31T23:59:59Z", "2025-09-30T23:59:59Z", "2025-10-01T00:00:00Z", "2026-11-01T00:00:00Z"])
    await click(at);
  expect(await run("click_retention")).toBe("1 partitions dropped");
  expect(await world.db.sql("select 1 from clicks where partner_id = $1", [partner.partner_id])).toHaveLength(2);
  expect(await partitionsOf("clicks")).not.toContain("clicks_2025_08");
});

describe("the retention of events", () => {
  test("takes away whole months that ended more than 30 days ago, and tells a cursor from before that it has expired", async () => {
    const partner = await world.newPartner();
    const read = (after = "") => world.call("GET", `${BASE}/events?limit=100${after && `&after=${after}`}`, { key: partner.key });
    const empty = await read();
    const old = await ago(100, () => world.newClient(partner, { company: "Old" }));
    const half = await world.call("GET", `${BASE}/events?limit=1`, { key: partner.key });
    const afterOld = await read();
    await ago(31, () => world.newClient(partner, { company: "Last month" }));
    await world.newClient(partner, { company: "New" });
    const [oldEvent] = (await feed(world, partner.key)).filter(({ data }) => data.client_id === old.id);

    expect(await run("event_retention")).toMatch(/^[1-9]\d* events out of the feeds, 3 partitions dropped$/);
    expect(await run("event_retention")).toBe("0 events out of the feeds, 0 partitions dropped");

    const left = (await partitionsOf("events")).filter((name) => /_2026_(0[7-9]|10)$/.test(name));
    expect(left).toEqual(["events_2026_10"]);
    for (const cursor of [empty.body.next_cursor, half.body.next_cursor]) {
      const { status, body } = await read(cursor);
      expect([status, body.code]).toEqual([410, "cursor_expired"]);
    }
    const companies = (body: Json) => [...new Set(body.data.map(({ data }: Json) => data.company))];
    expect(companies((await read()).body)).toEqual(["Last month", "New"]);
    expect(companies((await read(afterOld.body.next_cursor)).body)).toEqual(["Last month", "New"]);
    expect((await world.call("GET", `${BASE}/events/${oldEvent.id}`, { key: partner.key })).status).toBe(404);
    expect((await world.call("GET", `${BASE}/clients/${old.id}`, { key: partner.key })).status).toBe(200);
  });

  test("a reader that starts without a cursor after it walks to the end and keeps its place", async () => {
    const partner = await world.newPartner();
    await ago(100, () => world.newClient(partner));
    await world.newClient(partner);
    await world.newClient(partner);
    await run("event_retention");
    expect(await feed(world, partner.key, "limit=1")).toHaveLength(4);
  });

  test("goes by the database's time where the process's own runs ahead", async () => {
    const partner = await world.newPartner();
    const behind_days = (Date.now() - world.clock.now().getTime()) / DAY_MS;
    await ago(-behind_days, () => world.newClient(partner));
    await ago(-behind_days - 400, () => run("event_retention"));
    expect(await feed(world, partner.key)).toHaveLength(2);
  });
});

test("audit entries are kept for a year, and those before it go, but for their hashes", async () => {
  const partner = await world.newPartner();
  await ago(400, () => world.newClient(partner));
  await ago(300, () => world.newClient(partner));
  const count = async () =>
    (await world.db.sql("select 1 from audit_entries where partner_id = $1 and action = 'clients.create'", [partner.partner_id]))
      .length;
  const leaves = async (table: string) =>
    (
      await world.db.sql<{ leaf: string }>(
        `select id || encode(leaf_hash, 'hex') as leaf from ${table} where partner_id = $1 order by id`,
        [partner.partner_id],
      )
    ).map(({ leaf }) => leaf);
  const before = await leaves("audit_entries");
  expect(await count()).toBe(2);
  await run("audit_retention");
  await run("audit_retention");
  expect(await count()).toBe(1);
  const after = await leaves("audit_entries");
  expect(after.length).toBeLessThan(before.length);
  expect([...(await leaves("audit_leaves")), ...after]).toEqual(before);
});

test("replies are replayed for a day, then forgotten, however many there are", async () => {
  const partner = await world.newPartner();
  const send = (key: string) =>
    world.call("POST", `${BASE}/clients`, {
      key: partner.key,
      body: { company: "Once" },
      headers: { "idempotency-key": key },
    });
  await ago(2, () => send("old"));
  const first = await ago(0.9, () => send("young"));
  await world.db.sql(
    `insert into idempotency_replies (partner_id, actor_id, key, fingerprint, status, headers, sealed, created_at)
     select $1, 'key_x', 'bulk' || i, '', 200, '{}', false, $2 from generate_series(1, 11000) i`,
    [partner.partner_id, new Date(world.clock.now().getTime() - 2 * DAY_MS)],
  );
  expect(await run("idempotency_retention")).toBe("11001 replies forgotten");
  expect(await run("idempotency_retention")).toBe("0 replies forgotten");
  expect((await send("young")).body.id).toBe(first.body.id);
  expect((await send("old")).headers["idempotent-replayed"]).toBeUndefined();
});

test("a run that fails is thrown on, counted, and seen in the operator's health", async () => {
  const failing = { name: "failing", schedule: "0 0 * * *", run: () => Promise.reject(new Error("no luck today")) };
  await expect(run("failing", failing)).rejects.toThrow("no luck today");
  const { body } = await world.call("GET", `${ADMIN}/health`, { key: operator });
  const seen = Object.fromEntries(body.jobs.map((job: Json) => [job.name, job]));
  expect(seen.failing).toMatchObject({ runs: 1, failures: 1, last_error: "no luck today", outcome: null });
  expect(seen.partitions).toMatchObject({ runs: 2, failures: 0, last_error: null, outcome: "0 partitions added" });
  expect(observed).toContain("failing failure");
  expect(observed).toContain("partitions success");
});
