import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/kernel/ids.ts";
import { changes, walk } from "../harness/lists.ts";
import { BASE, type Json, nextPhone, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let partner: TestPartner;

beforeAll(async () => {
  partner = await world.newPartner();
});

const call = (method: string, path: string, body?: unknown, key = partner.key, headers = {}) =>
  world.call(method, `/v1/leads${path}`, { key, body, headers });

const NOTHING = { source: null, medium: null, campaign: null, term: null, content: null };

describe("a lead", () => {
  test("needs a name and nothing else, and comes back whole", async () => {
    const { status, headers, body } = await call("POST", "", { name: "Ada" });
    expect([status, headers.location, headers.etag]).toEqual([201, `/v1/leads/${body.id}`, '"1"']);
    const { id: _, account_id: __, ...shown } = body;
    const now = world.clock.now().toISOString();
    expect(shown).toEqual({
      name: "Ada",
      phone: null,
      email: null,
      company: null,
      title: null,
      country: null,
      status: "new",
      disqualified_reason: null,
      owner_id: null,
      score: 0,
      affiliate_link_id: null,
      source: { kind: "api", name: null, url: null, referrer: null, utm: NOTHING, click_id: null },
      tags: [],
      notes: null,
      custom: {},
      external_id: null,
      converted: null,
      last_activity_at: now,
      created_at: now,
      updated_at: now,
      version: 1,
    });
    expect((await call("GET", `/${body.id}`)).body).toEqual(body);
  });

  test("keeps every field as it was sent", async () => {
    const fields = {
      name: "Bo Ek",
      phone: nextPhone(),
      email: "Bo@Ek.example",
      company: "Ek AB",
      title: "Owner",
      country: "SE",
      source: {
        kind: "ad",
        name: "Search ads",
        url: "https://ek.example/?a=1",
        referrer: "https://search.example/",
        click_id: "Cj0",
        utm: { source: "search", medium: "cpc", campaign: "Spring", term: "roof", content: "b" },
      },
      tags: ["vip"],
      notes: "Line one\nline two",
      external_id: "form-1",
    };
    const { body } = await call("POST", "", fields);
    expect(body).toMatchObject(fields);
    const bare = await call("PATCH", `/${body.id}`, { source: { kind: "form", utm: { medium: "mail", term: null } } });
    expect(bare.body.source).toEqual({
      kind: "form",
      name: null,
      url: null,
      referrer: null,
      click_id: null,
      utm: { ...NOTHING, medium: "mail" },
    });
  });

  test("that nobody could tell from another is refused, and the refusal names what would do", async () => {
    const pointers = ["#/name", "#/phone", "#/email", "#/external_id"];
    for (const body of [{}, { company: "Acme" }, { name: null, email: null }]) {
      const reply = await call("POST", "", body);
      expect([reply.status, reply.body.errors.map(({ pointer }: Json) => pointer)]).toEqual([422, pointers]);
      expect(reply.body.errors[0].code).toBe("identity_required");
    }
    const { id } = await world.newLead(partner);
    expect((await call("PATCH", `/${id}`, { name: null })).body.errors[0].code).toBe("identity_required");
    expect((await call("PATCH", `/${id}`, { name: null, external_id: "known-by-this" })).status).toBe(200);
  });

  test("has a phone that can be called, or a guess at what was meant", async () => {
    const { status, body } = await call("POST", "", { phone: "+1 415 555 2671" });
    expect([status, body.code, body.suggestion]).toEqual([422, "invalid_phone", "+14155552671"]);
  });

  test("is gone once deleted, and leaves its phone free", async () => {
    const phone = nextPhone();
    const { id } = await world.newLead(partner, { phone });
    expect((await call("DELETE", `/${id}`)).status).toBe(204);
    expect((await call("GET", `/${id}`)).status).toBe(404);
    expect((await call("POST", "", { phone })).status).toBe(201);
  });

  test("is changed only in the version that the caller saw", async () => {
    const { id } = await world.newLead(partner);
    const stale = await call("PATCH", `/${id}`, { title: "Owner" }, partner.key, { "if-match": '"7"' });
    expect([stale.status, stale.body.current_version]).toEqual([412, 1]);
    expect((await call("PATCH", `/${id}`, { title: "Owner" }, partner.key, { "if-match": '"1"' })).body.version).toBe(2);
    expect((await call("PATCH", `/${id}`, { title: "Owner" })).body.version).toBe(2);
  });
});

describe("one person once", () => {
  test.each([
    ["phone", () => ({ phone: nextPhone() })],
    ["email", () => ({ email: `${nextPhone().slice(1)}@once.example` })],
    ["external_id", () => ({ external_id: nextPhone() })],
  ])("a second lead with the same %s is refused and names the first", async (field, make) => {
    const given = make();
    const first = await world.newLead(partner, given);
    const again = field === "email" ? { email: (given as { email: string }).email.toUpperCase() } : given;
    const { status, body } = await call("POST", "", { name: "Second", ...again });
    expect([status, body.code, body.existing_id, body.fields]).toEqual([409, "duplicate_lead", first.id, [field]]);
    const other = await world.newLead(partner);
    expect((await call("PATCH", `/${other.id}`, given)).body.existing_id).toBe(first.id);
    const client = await world.newClient(partner);
    expect((await call("POST", "", { ...given, account_id: client.id })).status).toBe(201);
  });

  test("who comes back after a conversion is a new lead, unless your own id says it is the same", async () => {
    const phone = nextPhone();
    const first = await world.newLead(partner, { phone, external_id: "comes-back" });
    expect((await call("POST", `/${first.id}/convert`)).status).toBe(200);
    const { status, body } = await call("POST", "/upsert", { phone, name: "Again" });
    expect([status, body.id === first.id]).toEqual([201, false]);
    const known = await call("POST", "/upsert", { external_id: "comes-back", title: "Chair" });
    expect([known.status, known.body.id]).toEqual([200, first.id]);
  });
});

describe("an upsert", () => {
  test("makes a lead, then changes it, and says which of the two it did", async () => {
    const phone = nextPhone();
    const made = await call("POST", "/upsert", { phone, company: "Acme", tags: ["a"] });
    expect([made.status, made.headers.location]).toEqual([201, `/v1/leads/${made.body.id}`]);
    const changed = await call("POST", "/upsert", { phone, name: "Ada", email: "ada@upsert.example", tags: ["b"] });
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { id: made.body.id, company: "Acme", tags: ["a", "b"], version: 2 },
    ]);
    const byMail = await call("POST", "/upsert", { email: "ADA@upsert.example", name: "Ada", tags: ["b"] });
    expect(byMail.body).toMatchObject({ id: made.body.id, version: 3, email: "ADA@upsert.example" });
  });

  test("that means two leads changes neither and names both", async () => {
    const one = await world.newLead(partner, { phone: nextPhone() });
    const two = await world.newLead(partner, { email: "two@leads.example" });
    const { status, body } = await call("POST", "/upsert", { phone: one.phone, email: two.email });
    expect([status, body.code]).toEqual([409, "ambiguous_match"]);
    expect(body.candidates).toEqual([
      { id: one.id, matched_on: ["phone"] },
      { id: two.id, matched_on: ["email"] },
    ]);
  });

  test("without anything to find a lead by is refused", async () => {
    const { status, body } = await call("POST", "/upsert", { name: "Ada" });
    expect([status, body.errors.length]).toEqual([422, 3]);
  });

  test("storm for one e-mail makes one lead, and loses none of the tags", async () => {
    const storm = await world.newPartner();
    const body = (index: number) => ({ email: "storm@leads.example", tags: [`t${index}`] });
    const replies = await Promise.all(Array.from({ length: 20 }, (_, index) => call("POST", "/upsert", body(index), storm.key)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([...Array(19).fill(200), 201]);
    const [lead, ...others] = await walk(world, storm.key, "/v1/leads");
    expect([others, lead.tags.length, lead.version]).toEqual([[], 20, 20]);
  });
});

describe("the status", () => {
  const STATUSES = ["new", "working", "qualified", "disqualified"];
  const ALLOWED: Record<string, string[]> = {
    new: ["working", "disqualified"],
    working: ["qualified", "disqualified"],
    qualified: ["disqualified"],
    disqualified: ["working"],
    converted: [],
  };
  const moves = [...STATUSES, "converted"].flatMap((from) => STATUSES.filter((to) => to !== from).map((to) => [from, to]));

  test.each(moves)("from %s to %s follows the table", async (from, to) => {
    const start = from === "converted" ? { phone: nextPhone() } : { status: from };
    const { id } = await world.newLead(partner, start);
    if (from === "converted") await call("POST", `/${id}/convert`);
    const { status, body } = await call("PATCH", `/${id}`, { status: to });
    if (ALLOWED[from as string]?.includes(to as string)) expect([status, body.status]).toEqual([200, to]);
    else
      expect([status, body.code, body.from, body.allowed]).toEqual([
        409,
        "invalid_state_transition",
        from,
        ALLOWED[from as string],
      ]);
  });

  test("cannot be set to converted", async () => {
    const { id } = await world.newLead(partner);
    expect((await call("PATCH", `/${id}`, { status: "converted" })).status).toBe(422);
    expect((await call("POST", "", { name: "Ada", status: "converted" })).status).toBe(422);
  });

  test("has a reason while it is disqualified, and at no other time", async () => {
    const { id } = await world.newLead(partner);
    const without = await call("PATCH", `/${id}`, { reason: "No budget" });
    expect([without.status, without.body.errors[0].code]).toEqual([422, "not_of_status"]);
    const refused = await call("PATCH", `/${id}`, { status: "disqualified", reason: "No budget" });
    expect(refused.body.disqualified_reason).toBe("No budget");
    expect((await call("PATCH", `/${id}`, { title: "Owner" })).body.disqualified_reason).toBe("No budget");
    expect((await call("PATCH", `/${id}`, { reason: "Moved away" })).body.disqualified_reason).toBe("Moved away");
    expect((await call("PATCH", `/${id}`, { status: "working" })).body.disqualified_reason).toBeNull();
  });

  test("is told in the log and to those who follow, from where to where, and moves the last activity", async () => {
    const told = await world.newPartner();
    const { id } = await world.newLead(told);
    world.clock.advance(60_000);
    const moved = await call("PATCH", `/${id}`, { status: "working" }, told.key);
    expect(moved.body.last_activity_at).toBe(world.clock.now().toISOString());
    world.clock.advance(60_000);
    const renamed = await call("PATCH", `/${id}`, { name: "Bo" }, told.key);
    expect(renamed.body.last_activity_at).toBe(moved.body.last_activity_at);
    const details = await world.db.sql("select change, detail from change_feed where subject = $1 order by subject_version", [
      id,
    ]);
    expect(details).toEqual([
      { change: "created", detail: { from_status: null, to_status: "new" } },
      { change: "updated", detail: { from_status: "new", to_status: "working" } },
      { change: "updated", detail: null },
    ]);
    const entries = await walk(world, told.key, `/v1/leads/${id}/timeline`);
    expect(entries.map(({ action, changes: what }) => [action, what])).toEqual([
      ["leads.update", { name: "redacted" }],
      ["leads.update", { status: { from: "new", to: "working" } }],
      ["leads.create", { name: "redacted", status: { from: null, to: "new" }, source: "redacted" }],
    ]);
    expect((await changes(world, told.key)).map(({ resource, version }) => [resource, version])).toEqual([
      ["lead", 1],
      ["lead", 2],
      ["lead", 3],
    ]);
  });
});

describe("accounts", () => {
  test("a key for one client makes, sees and changes that client's leads alone", async () => {
    const [mine, other] = [await world.newClient(partner), await world.newClient(partner)];
    const key = await world.newKey(partner, { clients: [mine.id] });
    const made = await call("POST", "", { name: "Mine" }, key);
    expect(made.body.account_id).toBe(mine.id);
    const foreign = await world.newLead(partner, { account_id: other.id, phone: nextPhone() });
    expect((await walk(world, key, "/v1/leads")).map(({ id }) => id)).toEqual([made.body.id]);
    for (const [method, path, body] of [
      ["GET", `/${foreign.id}`],
      ["PATCH", `/${foreign.id}`, { name: "Stolen" }],
      ["DELETE", `/${foreign.id}`],
      ["POST", `/${foreign.id}/convert`],
      ["POST", `/${foreign.id}/erase`],
      ["GET", `/${foreign.id}/score`],
      ["GET", `/scoring?account_id=${other.id}`],
    ] as const) {
      expect([method, path, (await call(method, path, body, key)).status]).toEqual([method, path, 404]);
    }
    const bulk = await call("POST", "/bulk", { action: "delete", lead_ids: [foreign.id] }, key);
    expect(bulk.body.data[0].error.code).toBe("not_found");
    expect((await call("POST", "", { name: "There", account_id: other.id }, key)).body.errors[0].code).toBe("unknown_account");
    const rules = { account_id: other.id, rules: [] };
    expect((await call("PUT", "/scoring", rules, key, { "if-match": "*" })).body.errors[0].code).toBe("unknown_account");
  });

  test("a key for several clients has to say which", async () => {
    const clients = [(await world.newClient(partner)).id, (await world.newClient(partner)).id];
    const key = await world.newKey(partner, { clients });
    expect((await call("POST", "", { name: "Ada" }, key)).body.code).toBe("account_required");
    expect((await call("GET", "/scoring", undefined, key)).body.code).toBe("account_required");
    expect((await call("GET", `/scoring?account_id=${clients[1]}`, undefined, key)).body.account_id).toBe(clients[1]);
  });

  test("the leads of a suspended client can be read, not changed", async () => {
    const client = await world.newClient(partner);
    const lead = await world.newLead(partner, { account_id: client.id, phone: nextPhone() });
    const converted = await world.newLead(partner, { account_id: client.id, phone: nextPhone() });
    await call("POST", `/${converted.id}/convert`);
    await world.call("POST", `${BASE}/clients/${client.id}/suspend`, { key: partner.key });
    expect((await call("GET", `/${lead.id}`)).status).toBe(200);
    for (const [method, path, body] of [
      ["POST", "", { name: "New", account_id: client.id }],
      ["PATCH", `/${lead.id}`, { name: "Changed" }],
      ["DELETE", `/${lead.id}`],
      ["POST", "/upsert", { phone: lead.phone, account_id: client.id }],
      ["POST", `/${lead.id}/convert`],
      ["POST", `/${converted.id}/unconvert`],
      ["POST", `/${lead.id}/notes`, { body: "Called." }],
      ["PUT", "/scoring", { account_id: client.id, rules: [] }],
    ] as const) {
      const reply = await call(method, path, body, partner.key, method === "PUT" ? { "if-match": "*" } : {});
      expect([method, path, reply.body?.code]).toEqual([method, path, "client_inactive"]);
    }
    expect((await call("POST", `/${lead.id}/erase`)).status).toBe(204);
  });

  test("custom fields and owners are the account's own", async () => {
    const definition = { resource: "lead", key: "budget", type: "number", required: false };
    await world.call("POST", "/v1/custom-fields", { key: partner.key, body: definition });
    const lead = await world.newLead(partner, { custom: { budget: 5_000 } });
    expect(lead.custom).toEqual({ budget: 5_000 });
    expect((await call("POST", "", { name: "Ada", custom: { budget: "much" } })).body.errors[0].pointer).toBe("#/custom/budget");
    const owner_id = newId("user", Date.now());
    expect((await call("PATCH", `/${lead.id}`, { owner_id })).body.errors[0].code).toBe("unknown_user");
  });
});
