import { beforeAll, describe, expect, test } from "vitest";
import { reviewGrade } from "../../src/features/money/standing/index.ts";
import { statement } from "../../src/platform/db/statement.ts";
import { createContext } from "../../src/platform/record/context.ts";
import { auditLog, feed } from "../harness/lists.ts";
import { DAY_MS } from "../harness/sales.ts";
import { newCertification, runStandingJob } from "../harness/standing.ts";
import { ADMIN, BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let operator: string;

beforeAll(async () => {
  operator = await world.newOperator();
});

const admin = (method: string, path: string, body?: unknown) =>
  world.call(method, `${ADMIN}${path}`, { key: operator, ...(body === undefined ? {} : { body }) });

/** A partner with the lowest grade that nobody has pinned. */
async function newcomer(api_access = true): Promise<TestPartner> {
  const partner = await world.newPartner({ api_access });
  await world.db.sql("update partners set grade = 'registered', pinned = false where id = $1", [partner.partner_id]);
  return partner;
}

const read = async ({ partner_id }: TestPartner): Promise<Json> => (await admin("GET", `/partners/${partner_id}`)).body;
const standing = async ({ key }: TestPartner): Promise<Json> => (await world.call("GET", `${BASE}/account/tier`, { key })).body;

/** Active clients made as rows: what makes them is not what is looked at here. */
async function addClients({ partner_id }: TestPartner, count: number, at = world.clock.now()): Promise<void> {
  await world.db.sql(
    `with c as (
       insert into clients (partner_id, id, company, currency, status, status_changed_at, created_at, updated_at)
       select $1, 'cli_' || lpad(to_hex((random() * 1e9)::bigint), 16, '0') || lpad(n::text, 10, '0'), 'Harbour', 'usd', 'active', $3, $3, $3
       from generate_series(1, $2::int) n returning *)
     insert into client_movements (partner_id, at, client_id, version, currency, mrr_cents, clients)
     select c.partner_id, c.created_at, c.id, 1, c.currency, 0, 1 from c`,
    [partner_id, count, at],
  );
}

async function setClients({ partner_id }: TestPartner, status: string, count: number): Promise<void> {
  await world.db.sql(
    `update clients set status = $2 where partner_id = $1 and id in (
       select id from clients where partner_id = $1 and not house and status <> $2 limit $3)`,
    [partner_id, status, count],
  );
}

const insertClient = statement(`
  insert into clients (partner_id, id, company, currency, status, status_changed_at, created_at, updated_at)
  values ($1, $2, 'Harbour', 'usd', 'active', $3, $3, $3)`);

/** The review that goes with a win, in a transaction of its own. */
function reviewInTransaction({ partner_id }: TestPartner): Promise<void> {
  const ctx = createContext(world.app.services, { principal: { type: "system", partner_id } });
  return ctx.tx((tx) => reviewGrade(ctx, tx, partner_id));
}

const told = async ({ key }: TestPartner) =>
  (await feed(world, key, "type=tier.changed")).map(({ data }) => [
    data.previous_grade,
    data.grade,
    data.direction,
    data.reason,
    data.certification,
  ]);

describe("progress", () => {
  test("shows the next tier, what it requires and what is missing; the operator sees the same", async () => {
    const partner = await newcomer();
    await addClients(partner, 3);
    const body = await standing(partner);
    expect(body).toEqual({
      grade: "registered",
      name: "Registered",
      pinned: false,
      pinned_until: null,
      grace_until: null,
      next: { grade: "silver", name: "Silver" },
      progress: [{ metric: "active_clients", value: 3, required: 5, missing: 2, met: false }],
      keep: [],
    });
    expect((await admin("GET", `/partners/${partner.partner_id}/tier`)).body).toEqual(body);
  });

  test("counts retention of the clients that were active when the window began", async () => {
    const partner = await newcomer();
    const yearAgo = new Date(world.clock.now().getTime() - 366 * DAY_MS);
    await addClients(partner, 8, yearAgo);
    await setClients(partner, "churned", 2);
    await addClients(partner, 20);
    await world.db.sql("update partners set grade = 'gold', pinned = true where id = $1", [partner.partner_id]);
    const { next, progress } = await standing(partner);
    expect(next.grade).toBe("platinum");
    expect(progress).toEqual([
      { metric: "active_clients", value: 26, required: 50, missing: 24, met: false },
      { metric: "retention_bps", value: 7500, required: 8500, missing: 1000, met: false, window_days: 365 },
    ]);
  });

  test("is empty at the top", async () => {
    const partner = await newcomer();
    await admin("PATCH", `/partners/${partner.partner_id}`, { grade: "platinum" });
    expect(await standing(partner)).toMatchObject({ grade: "platinum", next: null, progress: [], pinned: true });
  });
});

describe("promotion", () => {
  test("skips grades, grants API access where the tier says so, and closes the open request for it", async () => {
    const partner = await newcomer(false);
    await world.call("POST", `${BASE}/access-request`, { key: partner.key });
    await addClients(partner, 20);
    await reviewInTransaction(partner);
    expect(await read(partner)).toMatchObject({ grade: "gold", api_access: true, pinned: false, version: 2 });
    const access = await world.call("GET", `${BASE}/access-request`, { key: partner.key });
    expect(access.body.request.status).toBe("granted");
    expect(await told(partner)).toEqual([["registered", "gold", "up", "metric", null]]);
    const [entry] = await auditLog(world, partner.key, { action: "tiers.change" });
    expect(entry.changes).toMatchObject({ grade: { from: "registered", to: "gold" }, api_access: { from: false, to: true } });
  });

  test("of many reviews at once, one promotes", async () => {
    const partner = await newcomer();
    await addClients(partner, 5);
    await Promise.all(Array.from({ length: 6 }, () => reviewInTransaction(partner)));
    expect(await told(partner)).toEqual([["registered", "silver", "up", "metric", null]]);
  });

  test("of two sales at once that reach the number together, the second promotes", async () => {
    const partner = await newcomer();
    await addClients(partner, 3);
    const { partner_id } = partner;
    const ctx = createContext(world.app.services, { principal: { type: "system", partner_id } });
    const win = () =>
      ctx.tx(async (tx) => {
        await tx.query(insertClient, [partner_id, tx.newId("client"), tx.now]);
        await reviewGrade(ctx, tx, partner_id);
      });
    await Promise.all([win(), win()]);
    expect(await told(partner)).toEqual([["registered", "silver", "up", "metric", null]]);
  });

  test("never lowers a grade, nor changes one that is pinned", async () => {
    const partner = await newcomer();
    await addClients(partner, 5);
    await admin("PATCH", `/partners/${partner.partner_id}`, { grade: "gold", pinned: false });
    await reviewInTransaction(partner);
    expect((await read(partner)).grade).toBe("gold");
    await admin("PATCH", `/partners/${partner.partner_id}`, { grade: "registered" });
    await reviewInTransaction(partner);
    expect(await read(partner)).toMatchObject({ grade: "registered", pinned: true });
    await world.db.sql("update partners set pinned_until = $2 where id = $1", [partner.partner_id, world.clock.now()]);
    await reviewInTransaction(partner);
    expect(await read(partner)).toMatchObject({ grade: "silver", pinned: false, pinned_until: null });
  });

  test("counts the monthly revenue of sales that still earn in one currency", async () => {
    const partner = await newcomer();
    await world.db.sql(
      `insert into tiers (grade, name, rank, requirements, created_at, updated_at)
       values ('earner', 'Earner', 90, '[{"metric": "won_mrr_cents", "value": 1000, "currency": "eur"}]', $1, $1)`,
      [world.clock.now()],
    );
    try {
      const { partner_id } = partner;
      await world.db.sql("insert into books (partner_id) values ($1)", [partner_id]);
      const now = world.clock.now();
      const earn = async (deal_id: string, currency: string, mrr_cents: number, until: { window?: Date; ended?: Date } = {}) => {
        const { id } = await world.newClient(partner);
        await world.db.sql(
          `insert into earnings (partner_id, deal_id, round, client_id, currency, mrr_cents, grade, terms, opened_at, window_until, ended_at, end_reason)
           values ($1, $2, 1, $3, $4, $5, 'registered', '{}', $6, $7, $8, $9)`,
          [partner_id, deal_id, id, currency, mrr_cents, now, until.window, until.ended, until.ended && "reversed"],
        );
        return id;
      };
      await earn("deal_1", "eur", 600);
      await earn("deal_2", "usd", 5000);
      await earn("deal_3", "eur", 5000, { ended: now });
      await earn("deal_4", "eur", 5000, { window: now });
      const left = await earn("deal_5", "eur", 5000);
      await world.call("DELETE", `${BASE}/clients/${left}`, { key: partner.key });
      await reviewInTransaction(partner);
      expect((await read(partner)).grade).toBe("registered");
      await earn("deal_6", "eur", 400, { window: new Date(now.getTime() + 1) });
      await reviewInTransaction(partner);
      expect((await read(partner)).grade).toBe("earner");
    } finally {
      await world.db.sql("update partners set grade = 'registered' where grade = 'earner'");
      await world.db.sql("delete from tiers where grade = 'earner'");
    }
  });
});

describe("the nightly review", () => {
  test("takes a grade away only after the days of grace, and tells why", async () => {
    const partner = await newcomer();
    await addClients(partner, 5);
    await runStandingJob(world, "tier_review");
    expect((await read(partner)).grade).toBe("silver");
    await setClients(partner, "suspended", 1);
    await runStandingJob(world, "tier_review");
    const grace_until = new Date(world.clock.now().getTime() + 30 * DAY_MS).toISOString();
    expect(await standing(partner)).toMatchObject({
      grade: "silver",
      grace_until,
      keep: [{ value: 4, required: 5, met: false }],
    });
    world.clock.advance(30 * DAY_MS - 1);
    await runStandingJob(world, "tier_review");
    expect(await read(partner)).toMatchObject({ grade: "silver", grace_until });
    world.clock.advance(1);
    await runStandingJob(world, "tier_review");
    expect(await read(partner)).toMatchObject({ grade: "registered", grace_until: null });
    expect(await told(partner)).toEqual([
      ["registered", "silver", "up", "metric", null],
      ["silver", "registered", "down", "metric", null],
    ]);
  });

  test("ends the grace of a partner that meets the requirements again, without an event", async () => {
    const partner = await newcomer();
    await addClients(partner, 5);
    await runStandingJob(world, "tier_review");
    await setClients(partner, "suspended", 1);
    await runStandingJob(world, "tier_review");
    await addClients(partner, 1);
    await runStandingJob(world, "tier_review");
    expect(await read(partner)).toMatchObject({ grade: "silver", grace_until: null });
    expect(await told(partner)).toHaveLength(1);
  });

  test("leaves a pinned grade alone until its time, and decides over one that was unpinned", async () => {
    const partner = await newcomer();
    const pinned_until = new Date(world.clock.now().getTime() + 10 * DAY_MS).toISOString();
    const { body } = await admin("PATCH", `/partners/${partner.partner_id}`, { grade: "gold", pinned_until });
    expect(body).toMatchObject({ grade: "gold", pinned: true, pinned_until });
    await runStandingJob(world, "tier_review");
    expect(await read(partner)).toMatchObject({ grade: "gold", pinned: true, grace_until: null });
    world.clock.advance(10 * DAY_MS);
    await runStandingJob(world, "tier_review");
    const late = new Date(world.clock.now().getTime() + 30 * DAY_MS).toISOString();
    expect(await read(partner)).toMatchObject({ grade: "gold", pinned: false, pinned_until: null, grace_until: late });
    await admin("PATCH", `/partners/${partner.partner_id}`, { pinned: true });
    expect(await read(partner)).toMatchObject({ pinned: true, pinned_until: null, grace_until: null });
  });

  test("changes nothing the second time", async () => {
    await runStandingJob(world, "tier_review");
    expect(await runStandingJob(world, "tier_review")).toBe("0 partners changed");
  });

  test("follows an edit of the tiers within minutes", async () => {
    const partner = await newcomer();
    await addClients(partner, 4);
    // The migration made the tiers, at the time of the database.
    await world.db.sql("update tiers set updated_at = $1", [world.clock.now()]);
    world.clock.advance(DAY_MS);
    expect(await runStandingJob(world, "tier_edits")).toBe("no tier was edited");
    const requirements = '[{"metric": "active_clients", "value": 4}]';
    await world.db.sql("update tiers set requirements = $1, updated_at = $2 where grade = 'silver'", [
      requirements,
      world.clock.now(),
    ]);
    await runStandingJob(world, "tier_edits");
    expect((await read(partner)).grade).toBe("silver");
    await world.db.sql(`update tiers set requirements = '[{"metric": "active_clients", "value": 5}]' where grade = 'silver'`);
  });
});

describe("certifications", () => {
  const path = ({ partner_id }: TestPartner) => `/partners/${partner_id}/certifications`;
  const grant = (partner: TestPartner, certification_id: string, fields = {}) =>
    admin("POST", path(partner), { certification_id, ...fields });

  test("a grant lifts the grade, is held once, and is told as a certification", async () => {
    const partner = await newcomer();
    const lifting = await newCertification(world, { lifts_to: "silver", valid_days: 90 });
    const plain = await newCertification(world);
    const first = await grant(partner, lifting);
    expect([first.status, first.body.expires_at]).toEqual([
      201,
      new Date(world.clock.now().getTime() + 90 * DAY_MS).toISOString(),
    ]);
    const second = await grant(partner, lifting);
    expect([second.status, second.body.code, second.body.existing_id]).toEqual([409, "duplicate_certification", first.body.id]);
    world.clock.advance(1);
    expect((await grant(partner, plain)).body.expires_at).toBeNull();
    expect(await told(partner)).toEqual([
      ["registered", "silver", "up", "certification", lifting],
      ["silver", "silver", "none", "certification", plain],
    ]);
    const own = (await world.call("GET", `${BASE}/account/certifications`, { key: partner.key })).body;
    expect(own.data.map(({ certification_id }: Json) => certification_id)).toEqual([plain, lifting]);
    expect((await admin("GET", path(partner))).body).toEqual(own);
    const changes = (await world.call("GET", `${BASE}/account/tier-changes`, { key: partner.key })).body;
    expect(changes.data.map((change: Json) => [change.grade, change.direction, change.certification_id])).toEqual([
      ["silver", "none", plain],
      ["silver", "up", lifting],
    ]);
    expect((await admin("GET", `/partners/${partner.partner_id}/tier-changes`)).body).toEqual(changes);
  });

  test("a grade by certification outlives the certification by the days of grace", async () => {
    const partner = await newcomer();
    const lifting = await newCertification(world, { lifts_to: "gold", valid_days: 10 });
    await grant(partner, lifting);
    world.clock.advance(10 * DAY_MS);
    await runStandingJob(world, "certification_expiry");
    expect(await runStandingJob(world, "certification_expiry")).toBe("0 certifications ended");
    expect((await read(partner)).grade).toBe("gold");
    await runStandingJob(world, "tier_review");
    world.clock.advance(30 * DAY_MS);
    await runStandingJob(world, "tier_review");
    expect(await told(partner)).toEqual([
      ["registered", "gold", "up", "certification", lifting],
      ["gold", "gold", "none", "certification", lifting],
      ["gold", "registered", "down", "metric", null],
    ]);
    expect((await grant(partner, lifting)).status).toBe(201);
  });

  test("one that is overdue ends before it is granted again", async () => {
    const partner = await newcomer();
    const short = await newCertification(world, { valid_days: 1 });
    await grant(partner, short);
    world.clock.advance(DAY_MS);
    expect((await grant(partner, short)).status).toBe(201);
    const { data } = (await admin("GET", `${path(partner)}?held=false`)).body;
    expect(data.map(({ end_reason }: Json) => end_reason)).toEqual(["expired"]);
  });

  test("the end of one never promotes, whatever the partner fits by now", async () => {
    const partner = await newcomer();
    const plain = await newCertification(world);
    const { id } = (await grant(partner, plain)).body;
    await addClients(partner, 5);
    await admin("DELETE", `${path(partner)}/${id}`);
    expect(await told(partner)).toEqual([
      ["registered", "registered", "none", "certification", plain],
      ["registered", "registered", "none", "certification", plain],
    ]);
  });

  test("a pinned grade is not lifted, and the grant is told all the same", async () => {
    const partner = await newcomer();
    await admin("PATCH", `/partners/${partner.partner_id}`, { pinned: true });
    const lifting = await newCertification(world, { lifts_to: "gold" });
    await grant(partner, lifting);
    expect(await told(partner)).toEqual([["registered", "registered", "none", "certification", lifting]]);
  });

  test("a revocation is told once, also when it comes at the same time as another", async () => {
    const partner = await newcomer();
    const plain = await newCertification(world);
    const { id } = (await grant(partner, plain)).body;
    const replies = await Promise.all([1, 2, 3].map(() => admin("DELETE", `${path(partner)}/${id}`)));
    expect(replies.map(({ status }) => status)).toEqual([204, 204, 204]);
    expect(await told(partner)).toHaveLength(2);
    expect((await admin("DELETE", `${path(await newcomer())}/${id}`)).status).toBe(404);
  });

  test("grants and revocations at once leave one grant at most, and an event for each change", async () => {
    const partner = await newcomer();
    const plain = await newCertification(world);
    const { id } = (await grant(partner, plain)).body;
    const [, ...granted] = await Promise.all([
      admin("DELETE", `${path(partner)}/${id}`),
      ...[1, 2, 3].map(() => grant(partner, plain)),
    ]);
    const made = granted.filter(({ status }) => status === 201).length;
    expect(made).toBeLessThanOrEqual(1);
    const held = (await admin("GET", `${path(partner)}?held=true`)).body.data;
    expect(held).toHaveLength(made);
    expect(await told(partner)).toHaveLength(2 + made);
  });

  test("an unknown or archived certification and a time in the past are refused", async () => {
    const partner = await newcomer();
    const old = await newCertification(world);
    const past = await grant(partner, old, { expires_at: world.clock.now().toISOString() });
    expect([past.status, past.body.errors[0].pointer]).toEqual([422, "#/expires_at"]);
    await world.db.sql("update certifications set archived = true where id = $1", [old]);
    const { status, body } = await grant(partner, old);
    expect([status, body.errors[0].code]).toEqual([422, "unknown_certification"]);
  });
});

test("a grade without a tier is refused, also for a new partner", async () => {
  const partner = await newcomer();
  const { status, body } = await admin("PATCH", `/partners/${partner.partner_id}`, { grade: "diamond" });
  expect([status, body.code, body.errors[0].code]).toEqual([422, "validation_failed", "unknown_grade"]);
  const owner = { name: "Nora", email: "diamond@northwind.example" };
  const created = await admin("POST", "/partners", { company: "X", owner, grade: "diamond" });
  expect([created.status, created.body.errors[0].code]).toEqual([422, "unknown_grade"]);
});
