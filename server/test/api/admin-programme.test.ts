import { beforeAll, describe, expect, test } from "vitest";
import { onCluster } from "../harness/reads.ts";
import { ADMIN, BASE, type Json, useWorld } from "../harness/world.ts";

const world = useWorld();
let operator: string;

beforeAll(async () => {
  operator = await world.newOperator();
});

const get = (path: string) => world.call("GET", `${ADMIN}${path}`, { key: operator });

describe("the programme's settings", () => {
  const patch = (body: object, headers: Record<string, string> = {}) =>
    world.call("PATCH", `${ADMIN}/programme`, { key: operator, body, headers });

  test("change only against the version that was read", async () => {
    const before = await get("/programme");
    expect(before.body).toMatchObject({ name: "Partner programme", default_currency: "usd", support_email: null, version: 1 });
    const blind = await patch({ name: "Blind" });
    expect([blind.status, blind.body.code]).toEqual([428, "precondition_required"]);
    const body = { name: "Northern programme", default_currency: "eur", support_email: "help@tributary.example" };
    const done = await patch(body, { "if-match": before.headers.etag ?? "" });
    expect([done.status, done.headers.etag]).toEqual([200, '"2"']);
    expect(done.body).toMatchObject({ ...body, version: 2 });
    expect((await patch({ name: "Late" }, { "if-match": before.headers.etag ?? "" })).status).toBe(412);
    expect((await get("/programme")).body).toEqual(done.body);
    expect((await patch({ support_email: null }, { "if-match": '"2"' })).body.support_email).toBeNull();
  });

  test("have those of deal registration: approved by itself, 90 days, 100 at a time, unless told otherwise", async () => {
    const before = await get("/programme");
    expect(before.body).toMatchObject({ registration_review: "auto", protection_days: 90, open_registrations_max: 100 });
    const body = { registration_review: "review", protection_days: 30, open_registrations_max: 5 };
    expect((await patch(body, { "if-match": before.headers.etag ?? "" })).body).toMatchObject(body);
    for (const wrong of [{ registration_review: "never" }, { protection_days: 0 }, { open_registrations_max: 0.5 }])
      expect((await patch(wrong, { "if-match": "*" })).status).toBe(422);
  });

  test("have those of commissions and tiers", async () => {
    const before = await get("/programme");
    expect(before.body).toMatchObject({
      hold_days: 30,
      first_charge_days: 180,
      override_bps: [300, 200, 100],
      override_gate: 1,
      total_cap_bps: 5000,
      tier_grace_days: 30,
      sub_partner_invites: "on",
    });
    const body = { hold_days: 0, override_bps: [500], total_cap_bps: 3000, tier_grace_days: 0, sub_partner_invites: "off" };
    const changed = await patch(body, { "if-match": before.headers.etag ?? "" });
    expect(changed.body).toMatchObject({ ...body, first_charge_days: 180, override_gate: 1 });
    const [entry] = (await get("/audit-log?action=programme.update")).body.data;
    expect(entry.changes.override_bps).toEqual({ from: [300, 200, 100], to: [500] });
    const wrong = [
      { hold_days: 366 },
      { first_charge_days: 0 },
      { override_bps: [1, 2, 3, 4] },
      { override_bps: [10_001] },
      { override_gate: -1 },
      { total_cap_bps: 10_001 },
      { tier_grace_days: 0.5 },
      { sub_partner_invites: true },
    ];
    for (const one of wrong) expect((await patch(one, { "if-match": "*" })).status, JSON.stringify(one)).toBe(422);
  });

  test("have those of payouts: on the 15th at 6:00 UTC, unless told otherwise", async () => {
    const before = await get("/programme");
    expect(before.body).toMatchObject({
      payout_cron: "0 6 15 * *",
      payout_time_zone: "UTC",
      payout_minimums: {},
      payout_debtor: null,
    });
    const debtor = { name: "Tributary GmbH", iban: "de89 3704 0044 0532 0130 00", bic: "cobadeffxxx" };
    const plain = { payout_cron: "30 8 L * *", payout_time_zone: "Europe/Berlin", payout_minimums: { eur: 10_000, jpy: 1 } };
    const changed = await patch({ ...plain, payout_debtor: debtor }, { "if-match": before.headers.etag ?? "" });
    const stored = { name: "Tributary GmbH", iban: "DE89370400440532013000", bic: "COBADEFFXXX" };
    expect(changed.body).toMatchObject({ ...plain, payout_debtor: stored });
    const [entry] = (await get("/audit-log?action=programme.update")).body.data;
    expect(entry.changes).toMatchObject({ payout_cron: { from: "0 6 15 * *", to: "30 8 L * *" }, payout_debtor: "redacted" });
    const cleared = await patch({ payout_cron: null, payout_minimums: {}, payout_debtor: null }, { "if-match": "*" });
    expect(cleared.body).toMatchObject({ payout_cron: null, payout_minimums: {}, payout_debtor: null });
  });

  test("a payout setting that cannot work is refused at its field, with its rule", async () => {
    const refusals: [body: object, pointer: string, code: string][] = [
      [{ payout_cron: "monthly" }, "#/payout_cron", "invalid_cron"],
      [{ payout_cron: "*/5 * * * *" }, "#/payout_cron", "too_frequent"],
      [{ payout_cron: "0 6 30 2 *" }, "#/payout_cron", "never"],
      [{ payout_time_zone: "Europe/Nowhere" }, "#/payout_time_zone", "unknown_time_zone"],
      [{ payout_minimums: { xxy: 100 } }, "#/payout_minimums/xxy", "format"],
      [{ payout_minimums: { USD: 100 } }, "#/payout_minimums/USD", "format"],
      [{ payout_minimums: { usd: 0 } }, "#/payout_minimums/usd", "minimum"],
      [{ payout_debtor: { name: "T", iban: "DE90370400440532013000" } }, "#/payout_debtor/iban", "wrong_checksum"],
      [{ payout_debtor: { name: "T", iban: "DE89370400440532013000", bic: "X" } }, "#/payout_debtor/bic", "invalid_bic"],
    ];
    for (const [body, pointer, code] of refusals) {
      const refused = await patch(body, { "if-match": "*" });
      expect([refused.status, refused.body.errors], JSON.stringify(body)).toMatchObject([422, [{ pointer, code }]]);
    }
    const { errors } = (await patch({ payout_cron: "x", payout_time_zone: "y" }, { "if-match": "*" })).body;
    expect(errors).toHaveLength(2);
  });

  test("a currency that is none is refused", async () => {
    const { status, body } = await patch({ default_currency: "xxy" }, { "if-match": "*" });
    expect([status, body.code]).toEqual([422, "validation_failed"]);
  });
});

test("health tells of the process, the database, the migrations, the feed and the jobs", async () => {
  const partner = await world.newPartner();
  await world.newClient(partner);
  const { body } = await get("/health");
  const [newest] = await world.db.sql<{ file: string }>("select file from migrations order by number desc limit 1");
  expect(body).toMatchObject({ readiness: "ready", migrations: { newest: newest?.file }, process: { version: "0.1.0" } });
  expect(body.database.size_bytes).toBeGreaterThan(1_000_000);
  expect(body.database.connections).toBeGreaterThan(0);
  expect(body.feed.waiting_events).toBeGreaterThanOrEqual(0);
  expect(Array.isArray(body.jobs)).toBe(true);
});

describe("the audit log of everything", () => {
  const actions = (body: Json) => body.data.map(({ action, partner_id }: Json) => [action, partner_id]);

  test("shows what partners and the operator did, each under whose log it stands in", async () => {
    const partner = await world.newPartner();
    const client = await world.newClient(partner);
    await world.call("POST", `${BASE}/clients/${client.id}/suspend`, { key: partner.key });
    await world.call("POST", `${ADMIN}/keys`, { key: operator, body: { name: "Seen" } });
    const own = await get(`/audit-log?partner_id=${partner.partner_id}&action=clients.suspend`);
    expect(actions(own.body)).toEqual([["clients.suspend", partner.partner_id]]);
    const keys = await get("/audit-log?action=operator_keys.create");
    expect(actions(keys.body)).toEqual([["operator_keys.create", null]]);
    const { id } = keys.body.data[0].actor;
    const by = await get(`/audit-log?actor_id=${id}&limit=100`);
    expect(new Set(by.body.data.map(({ actor }: Json) => actor.id))).toEqual(new Set([id]));
    const all = await get("/audit-log?limit=100");
    expect(new Set(all.body.data.map((entry: Json) => entry.partner_id)).size).toBeGreaterThan(1);
  });

  test("goes page by page by id, within times", async () => {
    const ids: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const { body }: { body: Json } = await get(`/audit-log?limit=3${cursor === "" ? "" : `&cursor=${cursor}`}`);
      ids.push(...body.data.map(({ id }: Json) => id));
      cursor = body.next_cursor;
    }
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual([...ids].sort().reverse());
    const later = new Date(world.clock.now().getTime() + 1).toISOString();
    expect((await get(`/audit-log?created_after=${later}`)).body.data).toEqual([]);
    expect((await get(`/audit-log?created_before=${later}&limit=100`)).body.data.length).toBeGreaterThan(3);
  });

  test("no partner's key sees it, nor any entry of another partner or the operator", async () => {
    const partner = await world.newPartner();
    expect((await world.call("GET", `${ADMIN}/audit-log`, { key: partner.key })).status).toBe(401);
    const { body } = await world.call("GET", `${BASE}/audit-log?action=operator_keys.create`, { key: partner.key });
    expect(body.data).toEqual([]);
  });

  test.skipIf(onCluster())("its pages are answered by an index, and so is each log by action or actor", async () => {
    const ofLog = (where: string) => `a.partner_id = 'ptr_x' and ${where}`;
    for (const where of ["true", ofLog("a.action = 'clients.suspend'"), ofLog("a.actor_id = 'key_x'")]) {
      const plan = await world.db.connect();
      try {
        await plan.query("set enable_seqscan = off; set enable_sort = off");
        const { rows } = await plan.query(`explain select a.id from audit_entries a where ${where} order by a.id desc limit 26`);
        expect(JSON.stringify(rows)).not.toMatch(/Seq Scan|Sort \(/);
      } finally {
        await plan.end();
      }
    }
  });
});
