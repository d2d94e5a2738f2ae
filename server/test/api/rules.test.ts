import { beforeAll, describe, expect, test } from "vitest";
import { ADMIN, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let operator: string;
let partner: TestPartner;

beforeAll(async () => {
  operator = await world.newOperator();
  partner = await world.newPartner();
});

const admin = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  world.call(method, `${ADMIN}${path}`, { key: operator, body, headers });
const RATES = { first: { bps: 2000 }, recurring: { bps: 1000 } };
const names = ({ body }: Json) => body.data.map(({ name }: Json) => name);

describe("a commission rule", () => {
  test("is created with defaults, read and listed by whose sales it is for", async () => {
    const created = await admin("POST", "/rules", { name: "Everybody", scope: "programme", ...RATES });
    expect([created.status, created.headers.location]).toEqual([201, `${ADMIN}/rules/${created.body.id}`]);
    const defaults = { priority: 0, active: true, plan: null, currency: null, min_mrr_cents: null, months: null };
    expect(created.body).toMatchObject({ ...RATES, ...defaults, applies_to: "new_deals", version: 1 });
    expect((await admin("GET", `/rules/${created.body.id}`)).body).toEqual(created.body);
    const { partner_id } = partner;
    const flat = { flat_cents: 5_000, currency: "eur" };
    const special = {
      name: "Northern",
      scope: "partner",
      partner_id,
      currency: "eur",
      min_mrr_cents: 100,
      first: flat,
      recurring: flat,
    };
    expect((await admin("POST", "/rules", special)).body).toMatchObject(special);
    expect(names(await admin("GET", `/rules?partner_id=${partner_id}`))).toEqual(["Northern"]);
    expect(names(await admin("GET", "/rules?scope=programme&scope=partner"))).toEqual(["Northern", "Everybody"]);
    expect(names(await admin("GET", "/rules?grade=gold"))).toEqual(["Gold"]);
    const first = await admin("GET", "/rules?limit=4");
    expect(names(first)).toEqual(["Northern", "Everybody", "Platinum", "Gold"]);
    expect(names(await admin("GET", `/rules?cursor=${first.body.next_cursor}`))).toEqual(["Silver", "Registered"]);
  });

  test("is never changed: a change against the version that was read is a new one, and the audit log says how", async () => {
    const { id } = (await admin("POST", "/rules", { name: "Changing", scope: "grade", grade: "silver", ...RATES })).body;
    expect((await admin("PATCH", `/rules/${id}`, { months: 12 })).body.code).toBe("precondition_required");
    const changed = await admin("PATCH", `/rules/${id}`, { months: 12, priority: 5 }, { "if-match": '"1"' });
    expect([changed.status, changed.headers.etag, changed.body.months]).toEqual([200, '"2"', 12]);
    expect((await admin("PATCH", `/rules/${id}`, { months: 24 }, { "if-match": '"1"' })).status).toBe(412);
    expect((await admin("PATCH", `/rules/${id}`, { months: 12 }, { "if-match": '"2"' })).body.version).toBe(2);
    const ended = await admin("PATCH", `/rules/${id}`, { active: false }, { "if-match": '"2"' });
    expect(ended.body).toMatchObject({ active: false, version: 3, months: 12 });
    expect(names(await admin("GET", "/rules?active=false"))).toEqual(["Changing"]);
    expect(names(await admin("GET", "/rules?grade=silver&active=true"))).toEqual(["Silver"]);
    const versions = (await admin("GET", `/rules/${id}/versions`)).body.data;
    expect(versions.map(({ version, months, active }: Json) => [version, months, active])).toEqual([
      [3, 12, false],
      [2, 12, true],
      [1, null, true],
    ]);
    const page = await admin("GET", `/rules/${id}/versions?limit=2`);
    const rest = await admin("GET", `/rules/${id}/versions?limit=2&cursor=${page.body.next_cursor}`);
    expect([page.body.data.length, rest.body.data.length, rest.body.has_more]).toEqual([2, 1, false]);
    const log = (await admin("GET", `/audit-log?target=${id}`)).body.data;
    expect(log.map(({ action }: Json) => action)).toEqual(["rules.update", "rules.update", "rules.create"]);
    expect(log[1].changes).toEqual({ months: { from: null, to: 12 }, priority: { from: 0, to: 5 } });
  });

  test("that two change at the same time gets one version of each, or refuses one", async () => {
    const { id } = (await admin("POST", "/rules", { name: "Contested", scope: "programme", ...RATES })).body;
    const replies = await Promise.all(
      [1, 2, 3, 4].map((months) => admin("PATCH", `/rules/${id}`, { months }, { "if-match": '"1"' })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
    expect((await admin("GET", `/rules/${id}/versions`)).body.data).toHaveLength(2);
  });

  const strange = "ptr_01jd3k5y5cf7m8n9p0q1r2s3t4";
  test.each<[string, object, string]>([
    ["a grade's rule without a grade", { scope: "grade" }, "#/grade"],
    ["a partner's rule without a partner", { scope: "partner" }, "#/partner_id"],
    ["the programme's rule with a grade", { scope: "programme", grade: "gold" }, "#/grade"],
    ["a grade that there is not", { scope: "grade", grade: "diamond" }, "#/grade"],
    ["a partner that there is not", { scope: "partner", partner_id: strange }, "#/partner_id"],
    ["a share of more than everything", { scope: "programme", first: { bps: 10_001 } }, "#/first/bps"],
    ["half a basis point", { scope: "programme", first: { bps: 0.5 } }, "#/first/bps"],
    ["an amount without a currency", { scope: "programme", recurring: { flat_cents: 1 } }, "#/recurring/currency"],
    ["a share that is an amount too", { scope: "programme", first: { bps: 1, flat_cents: 1, currency: "usd" } }, "#/first/bps"],
    [
      "an amount in another currency than the rule's",
      { scope: "programme", currency: "eur", first: { flat_cents: 1, currency: "usd" } },
      "#/first/currency",
    ],
    ["a minimum in no currency", { scope: "programme", min_mrr_cents: 1 }, "#/currency"],
    ["no month", { scope: "programme", months: 0 }, "#/months"],
    ["more than a hundred years", { scope: "programme", months: 1201 }, "#/months"],
  ])("is refused with %s", async (_, fields, pointer) => {
    const { status, body, text } = await admin("POST", "/rules", { name: "X", ...RATES, ...fields });
    expect([status, body.code], text).toEqual([422, "validation_failed"]);
    expect(
      body.errors.map((fault: Json) => fault.pointer),
      text,
    ).toContain(pointer);
  });

  test("keeps whose sales it is for, and what contradicts that or itself is refused", async () => {
    const { id } = (await admin("POST", "/rules", { name: "Fixed", scope: "programme", currency: "eur", ...RATES })).body;
    for (const body of [{ scope: "grade" }, { grade: "gold" }, { first: { flat_cents: 1, currency: "usd" } }, {}])
      expect((await admin("PATCH", `/rules/${id}`, body, { "if-match": "*" })).status).toBe(422);
    expect((await admin("GET", `/rules/${id}`)).body.version).toBe(1);
  });

  test("may be for a plan of the catalogue, spelled as there, and for no other", async () => {
    expect((await admin("POST", "/rules", { name: "Early", scope: "programme", plan: "Any", ...RATES })).body.plan).toBe("Any");
    await admin("POST", "/plans", { name: "Growth" });
    const refused = await admin("POST", "/rules", { name: "X", scope: "programme", plan: "Unheard", ...RATES });
    expect([refused.status, refused.body.code, refused.body.plans]).toEqual([422, "unknown_plan", ["Growth"]]);
    expect((await admin("POST", "/rules", { name: "G", scope: "programme", plan: "growth", ...RATES })).body.plan).toBe("Growth");
    const [early] = (await admin("GET", "/rules?limit=100")).body.data.filter(({ name }: Json) => name === "Early");
    expect((await admin("PATCH", `/rules/${early.id}`, { priority: 1 }, { "if-match": "*" })).body.plan).toBe("Any");
  });
});
