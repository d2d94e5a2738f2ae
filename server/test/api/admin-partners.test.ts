import { beforeAll, describe, expect, test } from "vitest";
import { auditLog, feed } from "../harness/lists.ts";
import { ADMIN, BASE, type Json, useWorld } from "../harness/world.ts";

const world = useWorld();
let operator: string;
let people = 0;

beforeAll(async () => {
  operator = await world.newOperator();
});

const admin = (method: string, path: string, body?: unknown, headers = {}) =>
  world.call(method, `${ADMIN}${path}`, { key: operator, headers, ...(body === undefined ? {} : { body }) });

async function register(fields: object = {}): Promise<Json> {
  people += 1;
  // Ids of one instant from several sources have no order.
  world.clock.advance(1);
  const owner = { name: "Nora Lindqvist", email: `nora${people}@northwind.example` };
  const { status, body, text } = await admin("POST", "/partners", { company: "Northwind Agency", owner, ...fields });
  if (status !== 201) throw new Error(text);
  return body;
}

describe("taking a partner in", () => {
  test("opens its house account and invites its owner, in one transaction", async () => {
    const partner = await register({ grade: "silver", currency: "eur", branding: { product_name: "Northwind CRM" } });
    expect(partner).toMatchObject({
      company: "Northwind Agency",
      grade: "silver",
      status: "active",
      api_access: false,
      parent_id: null,
      currency: "eur",
      branding: { product_name: "Northwind CRM" },
      owner: { name: "Nora Lindqvist" },
      version: 1,
    });
    const users = await world.db.sql("select id, role, state, password_hash from users where partner_id = $1", [partner.id]);
    expect(users).toEqual([{ id: partner.owner.id, role: "owner", state: "invited", password_hash: null }]);
    const houses = await world.db.sql("select id from clients where partner_id = $1 and house", [partner.id]);
    expect(houses).toEqual([{ id: partner.house_account_id }]);
    const { body, headers } = await admin("GET", `/partners/${partner.id}`);
    expect([body, headers.etag]).toEqual([partner, '"1"']);
  });

  test("takes the programme's currency and the first grade where nothing else is said", async () => {
    expect(await register()).toMatchObject({ currency: "usd", grade: "registered" });
  });

  test("leaves nothing behind when the owner's address is somebody's already", async () => {
    const { owner } = await register();
    const before = await world.db.sql("select count(*) from partners");
    const { status, body } = await admin("POST", "/partners", {
      company: "Twice",
      owner: { name: "Nora", email: owner.email.toUpperCase() },
    });
    expect([status, body.code]).toEqual([409, "duplicate_user"]);
    expect(await world.db.sql("select count(*) from partners")).toEqual(before);
  });

  test("leaves an entry of the operator's in the partner's own log", async () => {
    const partner = await register({ api_access: true });
    const key = await world.newKey({ partner_id: partner.id, key: "" });
    const [entry] = await auditLog(world, key, { action: "partners.create" });
    expect(entry).toMatchObject({ actor: { type: "operator" }, target: partner.id, outcome: "success" });
  });
});

describe("the list", () => {
  const names = async (query: string) =>
    (await admin("GET", `/partners?limit=100&${query}`)).body.data.map(({ company }: Json) => company);

  test("filters by status, grade, parent, access and what the name begins with", async () => {
    const parent = await register({ company: "Zebra Holding", grade: "platinum" });
    await register({ company: "zebra North", grade: "gold", parent_id: parent.id, api_access: true });
    const south = await register({ company: "ZEBRA South", grade: "silver", parent_id: parent.id });
    await admin("POST", `/partners/${south.id}/suspend`);
    expect(await names("q=zebra")).toEqual(["ZEBRA South", "zebra North", "Zebra Holding"]);
    expect(await names("q=Zebra%20N")).toEqual(["zebra North"]);
    expect(await names(`parent_id=${parent.id}`)).toEqual(["ZEBRA South", "zebra North"]);
    expect(await names("q=zebra&status=suspended")).toEqual(["ZEBRA South"]);
    expect(await names("q=zebra&grade=gold&grade=platinum")).toEqual(["zebra North", "Zebra Holding"]);
    expect(await names("q=zebra&api_access=true")).toEqual(["zebra North"]);
    expect(await names("q=zebr_")).toEqual([]);
  });

  test("goes page by page, each partner once", async () => {
    const whole = (await admin("GET", "/partners?limit=100")).body.data.map(({ id }: Json) => id);
    const walked: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const { body }: { body: Json } = await admin("GET", `/partners?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`);
      walked.push(...body.data.map(({ id }: Json) => id));
      cursor = body.next_cursor;
    }
    expect(walked).toEqual(whole);
    expect(whole).toEqual([...whole].sort().reverse());
  });
});

describe("changing a partner", () => {
  test("another grade by hand is told in its feed as exactly what the catalogue says", async () => {
    const partner = await register({ api_access: true });
    const key = await world.newKey({ partner_id: partner.id, key: "" });
    for (const grade of ["gold", "gold", "silver"]) await admin("PATCH", `/partners/${partner.id}`, { grade });
    const events = await feed(world, key, "type=tier.changed");
    const told = { partner_id: partner.id, reason: "manual", certification: null, effective_at: world.clock.now().toISOString() };
    expect(events.map(({ data }) => data)).toEqual([
      { ...told, previous_grade: "registered", grade: "gold", direction: "up" },
      { ...told, previous_grade: "gold", grade: "silver", direction: "down" },
    ]);
    const places = await world.db.sql(
      "select subject, subject_version from event_feed where partner_id = $1 and type = 'tier.changed' order by seq",
      [partner.id],
    );
    expect(places).toEqual([
      { subject: partner.id, subject_version: 2 },
      { subject: partner.id, subject_version: 3 },
    ]);
    expect((await world.call("GET", `${BASE}/me`, { key })).body.grade).toBe("silver");
    const entries = await auditLog(world, key, { action: "partners.update" });
    expect(entries.map(({ changes, actor }) => [changes, actor.type])).toEqual([
      [{ grade: { from: "registered", to: "gold" }, pinned: { from: false, to: true } }, "operator"],
      [{ grade: { from: "gold", to: "silver" } }, "operator"],
    ]);
  });

  test("a change of nothing is none, and one of another version is refused", async () => {
    const partner = await register();
    expect((await admin("PATCH", `/partners/${partner.id}`, { company: partner.company })).body.version).toBe(1);
    const { status } = await admin("PATCH", `/partners/${partner.id}`, { company: "X" }, { "if-match": '"2"' });
    expect(status).toBe(412);
  });

  test("the tree has no circles, and no more than three partners above another", async () => {
    const line = [await register()];
    for (let level = 0; level < 3; level += 1) line.push(await register({ parent_id: line.at(-1).id }));
    const [top, second, , last] = line;
    const faultOf = ({ status, body }: Json) => [status, body.code, body.errors?.[0].code, body.errors?.[0].pointer];
    const owner = { name: "Deep", email: "deep@northwind.example" };
    const deep = await admin("POST", "/partners", { company: "Deep", owner, parent_id: last.id });
    expect(faultOf(deep)).toEqual([422, "validation_failed", "too_deep", "#/parent_id"]);
    const circle = await admin("PATCH", `/partners/${top.id}`, { parent_id: last.id });
    expect(faultOf(circle)).toEqual([422, "validation_failed", "cycle", "#/parent_id"]);
    const self = await admin("PATCH", `/partners/${top.id}`, { parent_id: top.id });
    expect(faultOf(self)).toEqual([422, "validation_failed", "cycle", "#/parent_id"]);
    const other = await register();
    const below = await admin("PATCH", `/partners/${top.id}`, { parent_id: other.id });
    expect(faultOf(below)).toEqual([422, "validation_failed", "too_deep", "#/parent_id"]);
    const unknown = await admin("PATCH", `/partners/${top.id}`, { parent_id: `ptr_${"0".repeat(26)}` });
    expect(faultOf(unknown)).toEqual([422, "validation_failed", "unknown_partner", "#/parent_id"]);
    expect((await admin("PATCH", `/partners/${second.id}`, { parent_id: null })).body.parent_id).toBeNull();
    expect((await admin("PATCH", `/partners/${top.id}`, { parent_id: other.id })).body.parent_id).toBe(other.id);
  });

  test("two partners put below each other at the same time do not make a circle", async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, two] = [await register(), await register()];
      const replies = await Promise.all([
        admin("PATCH", `/partners/${one.id}`, { parent_id: two.id }),
        admin("PATCH", `/partners/${two.id}`, { parent_id: one.id }),
      ]);
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 422]);
    }
  });
});

describe("suspension", () => {
  test("every key of the partner is refused at once, reads and writes alike, until it is reactivated", async () => {
    const partner = await world.newPartner();
    const other = await world.newPartner();
    const narrow = await world.newKey(partner, { scopes: ["clients:read"] });
    const suspended = await admin("POST", `/partners/${partner.partner_id}/suspend`, { reason: "Payment dispute" });
    expect(suspended.body).toMatchObject({
      status: "suspended",
      suspension_reason: "Payment dispute",
      suspended_at: world.clock.now().toISOString(),
    });
    for (const key of [partner.key, narrow]) {
      for (const [method, path] of [
        ["GET", "/me"],
        ["GET", "/clients"],
        ["POST", "/clients"],
      ] as const) {
        const { status, body } = await world.call(method, `${BASE}${path}`, { key, ...(method === "POST" ? { body: {} } : {}) });
        expect([path, status, body.code]).toEqual([path, 403, "partner_suspended"]);
      }
    }
    expect((await world.call("GET", `${BASE}/clients`, { key: other.key })).status).toBe(200);
    const back = await admin("POST", `/partners/${partner.partner_id}/reactivate`);
    expect(back.body).toMatchObject({ status: "active", suspension_reason: null, suspended_at: null });
    expect((await world.call("GET", `${BASE}/clients`, { key: partner.key })).status).toBe(200);
    const entries = await auditLog(world, partner.key);
    const moves = entries.filter(({ action, actor }) => action.startsWith("partners.") && actor.type === "operator");
    expect(moves.map(({ action }) => action)).toEqual(["partners.suspend", "partners.reactivate"]);
  });

  test("repeating it changes nothing", async () => {
    const { id } = await register();
    const versions: number[] = [];
    for (const verb of ["reactivate", "suspend", "suspend", "reactivate", "reactivate"]) {
      versions.push((await admin("POST", `/partners/${id}/${verb}`)).body.version);
    }
    expect(versions).toEqual([1, 2, 2, 3, 3]);
  });
});
