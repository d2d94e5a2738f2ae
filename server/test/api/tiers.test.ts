import { beforeAll, describe, expect, test } from "vitest";
import { payoutSettings } from "../../src/features/money/payouts/index.ts";
import { setProgramme } from "../harness/sales.ts";
import { ADMIN, BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let operator: string;
let partner: TestPartner;

beforeAll(async () => {
  operator = await world.newOperator();
  partner = await world.newPartner();
});

const admin = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  world.call(method, `${ADMIN}${path}`, { key: operator, body, headers });
const any = { "if-match": "*" };
const grades = ({ body }: Json) => body.data.map(({ grade }: Json) => grade);

describe("tiers", () => {
  test("are there from the start, in the order of their rank, with the rate of their rule", async () => {
    const all = await admin("GET", "/tiers");
    expect(grades(all)).toEqual(["registered", "silver", "gold", "platinum"]);
    expect(all.body.data[2]).toMatchObject({
      name: "Gold",
      rank: 2,
      requirements: [{ metric: "active_clients", value: 20 }],
      hold_days: null,
      rate: { first: { bps: 2000 }, recurring: { bps: 2000 }, months: 24 },
    });
  });

  test("partners see them with what the programme says where a tier says nothing", async () => {
    await admin("PATCH", "/tiers/silver", { hold_days: 7 }, any);
    const { body } = await world.call("GET", `${BASE}/tiers`, { key: partner.key });
    expect(body.data.slice(0, 2)).toMatchObject([
      { grade: "registered", hold_days: 30, protection_days: 90, open_registrations_max: 100 },
      { grade: "silver", hold_days: 7, protection_days: 90 },
    ]);
  });

  test("have minimums of payouts over those of the programme", async () => {
    const minimums = { usd: 2_000, eur: 3_000 };
    await setProgramme(world, operator, { payout_minimums: { usd: 9_000, gbp: 8_000 } });
    expect((await admin("PATCH", "/tiers/silver", { payout_minimums: minimums }, any)).body.payout_minimums).toEqual(minimums);
    const { body } = await world.call("GET", `${BASE}/tiers`, { key: partner.key });
    expect(body.data[0].payout_minimums).toEqual({ usd: 9_000, gbp: 8_000 });
    expect(body.data[1].payout_minimums).toEqual({ ...minimums, gbp: 8_000 });
    const settings = { cron: "0 6 15 * *", time_zone: "UTC", debtor: null };
    expect(await payoutSettings(world.app.services.db, "silver")).toEqual({ ...settings, minimums: { ...minimums, gbp: 8_000 } });
    expect(await payoutSettings(world.app.services.db, "gold")).toEqual({ ...settings, minimums: { usd: 9_000, gbp: 8_000 } });
    const wrong = await admin("PATCH", "/tiers/silver", { payout_minimums: { usd: -1 } }, any);
    expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([422, "#/payout_minimums/usd"]);
  });

  test("show the grade's rule without conditions that has the highest priority", async () => {
    const rule = { scope: "grade", grade: "platinum", first: { bps: 4000 }, recurring: { bps: 3000 } };
    await admin("POST", "/rules", { name: "Only some", ...rule, currency: "eur", priority: 9 });
    expect((await admin("GET", "/tiers/platinum")).body.rate.first).toEqual({ bps: 2500 });
    const { id } = (await admin("POST", "/rules", { name: "Better", ...rule, priority: 5 })).body;
    expect((await admin("GET", "/tiers/platinum")).body.rate).toEqual({
      first: { bps: 4000 },
      recurring: { bps: 3000 },
      months: null,
    });
    await admin("PATCH", `/rules/${id}`, { active: false }, any);
    expect((await admin("GET", "/tiers/platinum")).body.rate.first).toEqual({ bps: 2500 });
  });

  test("are created above all others, or in a rank that is free", async () => {
    const created = await admin("POST", "/tiers", { grade: "diamond", name: "Diamond", api_access: true });
    expect([created.status, created.headers.location]).toEqual([201, `${ADMIN}/tiers/diamond`]);
    expect(created.body).toMatchObject({ rank: 4, requirements: [], rate: null, api_access: true, version: 1 });
    expect((await admin("POST", "/tiers", { grade: "diamond", name: "Again" })).body.code).toBe("duplicate_tier");
    expect((await admin("POST", "/tiers", { grade: "bronze", name: "Bronze", rank: 1 })).body.code).toBe("duplicate_tier");
    expect((await admin("POST", "/tiers", { grade: "bronze", name: "Bronze", rank: 10 })).body.rank).toBe(10);
    expect((await admin("PATCH", "/tiers/bronze", { rank: 2 }, any)).body.code).toBe("duplicate_tier");
    const moved = await Promise.all(["a", "b", "c"].map((grade) => admin("POST", "/tiers", { grade, name: grade })));
    expect(moved.map(({ body }) => body.rank).sort()).toEqual([11, 12, 13]);
  });

  test("change only against the version that was read, and the audit log says how", async () => {
    expect((await admin("PATCH", "/tiers/diamond", { name: "X" })).body.code).toBe("precondition_required");
    const requirements = [
      { metric: "won_mrr_cents", value: 1_000_000, currency: "usd" },
      { metric: "won_mrr_cents", value: 900_000, currency: "eur" },
      { metric: "retention_bps", value: 9_000, window_days: 180 },
      { metric: "certifications", value: 2 },
    ];
    const changed = await admin("PATCH", "/tiers/diamond", { requirements, rate_limit_burst: 500 }, { "if-match": '"1"' });
    expect([changed.status, changed.headers.etag]).toEqual([200, '"2"']);
    expect(changed.body).toMatchObject({ requirements, rate_limit_burst: 500 });
    expect((await admin("PATCH", "/tiers/diamond", { name: "Late" }, { "if-match": '"1"' })).status).toBe(412);
    expect((await admin("PATCH", "/tiers/diamond", { requirements }, any)).body.version).toBe(2);
    const [entry] = (await admin("GET", "/audit-log?target=diamond&action=tiers.update")).body.data;
    expect(entry.changes).toMatchObject({ requirements: { from: [], to: requirements } });
  });

  test.each<[string, object, string]>([
    [
      "a requirement of revenue without a currency",
      { requirements: [{ metric: "won_mrr_cents", value: 1 }] },
      "#/requirements/0/currency",
    ],
    ["a retention without a window", { requirements: [{ metric: "retention_bps", value: 1 }] }, "#/requirements/0/window_days"],
    [
      "a retention of more than everybody",
      { requirements: [{ metric: "retention_bps", value: 10_001, window_days: 1 }] },
      "#/requirements/0/value",
    ],
    [
      "clients in a currency",
      { requirements: [{ metric: "active_clients", value: 1, currency: "usd" }] },
      "#/requirements/0/currency",
    ],
    ["the same requirement twice", { requirements: Array(2).fill({ metric: "active_clients", value: 1 }) }, "#/requirements/1"],
    ["an unknown metric", { requirements: [{ metric: "charm", value: 1 }] }, "#/requirements/0/metric"],
    ["the rank of the lowest", { rank: 0 }, "#/rank"],
    ["more than a year of hold", { hold_days: 366 }, "#/hold_days"],
  ])("refuse %s, new or changed", async (_, body, pointer) => {
    const changed = await admin("PATCH", "/tiers/gold", body, any);
    expect([changed.status, changed.body.errors?.[0].pointer], changed.text).toEqual([422, pointer]);
    const made = await admin("POST", "/tiers", { grade: "new", name: "New", ...body });
    expect([made.status, made.body.errors?.[0].pointer], made.text).toEqual([422, pointer]);
  });

  test("keep their grade", async () => {
    const { status, body } = await admin("PATCH", "/tiers/gold", { grade: "x" }, any);
    expect([status, body.errors[0].pointer]).toEqual([422, "#/grade"]);
  });

  test("the lowest has the rank 0, requires nothing and stays", async () => {
    expect((await admin("PATCH", "/tiers/registered", { rank: 50 }, any)).status).toBe(422);
    const requirements = [{ metric: "active_clients", value: 1 }];
    expect((await admin("PATCH", "/tiers/registered", { requirements }, any)).status).toBe(422);
    expect((await admin("PATCH", "/tiers/registered", { name: "Starter" }, any)).body.name).toBe("Starter");
    expect((await admin("DELETE", "/tiers/registered")).body.code).toBe("resource_in_use");
  });

  test("are deleted once no partner, rule or certification names them", async () => {
    const used = async () => {
      const { status, body } = await admin("DELETE", "/tiers/gold");
      return [status, body.code, body.used_by];
    };
    const certification = (await admin("POST", "/certifications", { name: "Gilded", lifts_to: "gold" })).body;
    expect(await used()).toEqual([409, "resource_in_use", ["partners", "rules", "certifications"]]);
    await world.db.sql("update partners set grade = 'silver' where grade = 'gold'");
    await admin("PATCH", `/certifications/${certification.id}`, { lifts_to: null }, any);
    expect(await used()).toEqual([409, "resource_in_use", ["rules"]]);
    const [rule] = (await admin("GET", "/rules?grade=gold")).body.data;
    await admin("PATCH", `/rules/${rule.id}`, { active: false }, any);
    expect((await admin("DELETE", "/tiers/gold", undefined, { "if-match": '"7"' })).status).toBe(412);
    expect((await admin("DELETE", "/tiers/gold")).status).toBe(204);
    expect((await admin("GET", "/tiers/gold")).status).toBe(404);
    const again = await admin("PATCH", `/rules/${rule.id}`, { active: true }, any);
    expect([again.status, again.body.errors[0].code]).toEqual([422, "unknown_grade"]);
    const [entry] = (await admin("GET", "/audit-log?target=gold")).body.data;
    expect(entry.action).toBe("tiers.delete");
  });
});

describe("certifications", () => {
  test("are created, changed against the version that was read, archived and listed by name", async () => {
    const fields = { name: "Onboarding", description: "Two clients and an exam", valid_days: 365, lifts_to: "silver" };
    const created = await admin("POST", "/certifications", fields);
    expect([created.status, created.headers.location]).toEqual([201, `${ADMIN}/certifications/${created.body.id}`]);
    expect(created.body).toMatchObject({ ...fields, archived: false, version: 1 });
    const path = `/certifications/${created.body.id}`;
    const again = await admin("POST", "/certifications", { name: "ONBOARDING" });
    expect([again.status, again.body.existing_id]).toEqual([409, created.body.id]);
    expect((await admin("PATCH", path, { valid_days: null })).body.code).toBe("precondition_required");
    expect((await admin("PATCH", path, { valid_days: null }, { "if-match": '"1"' })).body).toMatchObject({
      valid_days: null,
      version: 2,
    });
    expect((await admin("PATCH", path, { lifts_to: "unheard" }, any)).body.errors[0].pointer).toBe("#/lifts_to");
    expect((await admin("DELETE", path)).status).toBe(204);
    expect((await admin("GET", path)).body).toMatchObject({ archived: true, version: 3 });
    await admin("POST", "/certifications", { name: "Advanced" });
    const names = ({ body }: Json) => body.data.map(({ name }: Json) => name);
    expect(names(await admin("GET", "/certifications"))).toEqual(["Advanced", "Gilded", "Onboarding"]);
    expect(names(await admin("GET", "/certifications?archived=true"))).toEqual(["Onboarding"]);
    const log = (await admin("GET", `/audit-log?target=${created.body.id}`)).body.data;
    expect(log.map(({ action }: Json) => action)).toEqual([
      "certifications.update",
      "certifications.update",
      "certifications.create",
    ]);
  });

  test.each<[string, object, string]>([
    ["a grade that there is not", { lifts_to: "unheard" }, "#/lifts_to"],
    ["a validity of no day", { valid_days: 0 }, "#/valid_days"],
  ])("refuse %s", async (_, fields, pointer) => {
    const refused = await admin("POST", "/certifications", { name: "X", ...fields });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, pointer]);
  });
});
