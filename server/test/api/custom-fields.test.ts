import { beforeAll, describe, expect, test } from "vitest";
import { ALL_SCOPES } from "../../src/kernel/scopes.ts";
import { ROW_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import { auditLog, walk } from "../harness/lists.ts";
import { BASE, nextPhone, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let partner: TestPartner;
let account_id: string;
const hold = useHolds(() => world.db.connect());

const FIELDS = [
  { key: "nick", type: "text" },
  { key: "size", type: "number" },
  { key: "vip", type: "boolean" },
  { key: "born", type: "date" },
  { key: "site", type: "url" },
  { key: "grade", type: "select", options: ["gold", "silver"] },
  { key: "likes", type: "multi_select", options: ["tea", "coffee", "water"] },
];
const VALUES = {
  nick: "Addie",
  size: 41.5,
  vip: false,
  born: "1990-02-28",
  site: "https://ada.example/",
  grade: "gold",
  likes: ["tea", "water"],
};

const call = (method: string, path: string, body?: object, key = partner.key) => world.call(method, `/v1${path}`, { key, body });
const define = (field: object, account = account_id) =>
  call("POST", "/custom-fields", { resource: "contact", account_id: account, ...field });
const create = (custom: object, more: object = {}) =>
  call("POST", "/contacts", { name: "Ada", phone: nextPhone(), account_id, custom, ...more });

/** Gives an account some fields at once, as a deployment does. */
const fill = (id: string, count: number) =>
  world.db.sql(
    `insert into custom_fields (partner_id, id, account_id, resource, key, label, type, options, required, created_at, updated_at)
     select $1, 'cfd_' || right($2, 20) || lpad(n::text, 6, '0'), $2, 'contact', 'f' || n, 'F', 'text', '{}', false, now(), now()
     from generate_series(1, $3) n`,
    [partner.partner_id, id, count],
  );

test("an account has at most 100 fields for a kind of record, however many requests come at once", async () => {
  const { id } = await world.newClient(partner);
  await fill(id, 95);
  const replies = await Promise.all(Array.from({ length: 20 }, (_, turn) => define({ key: `g${turn}`, type: "text" }, id)));
  expect(replies.map(({ status }) => status).sort()).toEqual([...Array(5).fill(201), ...Array(15).fill(422)]);
});

test("a field that waits for the account counts those that were added meanwhile", async () => {
  const { id } = await world.newClient(partner);
  const held = await hold("select from clients where partner_id = $1 and id = $2 for no key update", [partner.partner_id, id]);
  const last = define({ key: "last", type: "text" }, id);
  await untilWaiting(world.db.sql, ROW_LOCKS, 1);
  await fill(id, 100);
  await held.release();
  expect((await last).status).toBe(422);
});

test.each(["constructor", "prototype", "__proto__", "toString"])(
  "a field cannot have the key %s, which no body may have",
  async (key) => {
    expect((await define({ key, type: "text" })).status).toBe(422);
  },
);

test("a change of a field locks the account before the field, so it never waits for whoever changes all fields of the account", async () => {
  const { body: field } = await define({ key: "locked", type: "text" });
  const held = await hold("select from clients where partner_id = $1 and id = $2 for no key update", [
    partner.partner_id,
    account_id,
  ]);
  const change = call("PATCH", `/custom-fields/${field.id}`, { label: "Changed" });
  await untilWaiting(world.db.sql, ROW_LOCKS, 1);
  const free = "select key from custom_fields where partner_id = $1 and id = $2 for update nowait";
  expect(await world.db.sql(free, [partner.partner_id, field.id])).toHaveLength(1);
  await held.release();
  expect((await change).body.label).toBe("Changed");
});

beforeAll(async () => {
  partner = await world.newPartner();
  account_id = (await world.newClient(partner)).id;
  for (const field of FIELDS) expect((await define(field)).status).toBe(201);
});

describe("a custom field", () => {
  test("takes values of its type, which come back as they were sent", async () => {
    const { status, body } = await create(VALUES);
    expect([status, body.custom]).toEqual([201, VALUES]);
  });

  test.each([
    [{ nick: 7 }, "nick", "wrong_type"],
    [{ size: "41" }, "size", "wrong_type"],
    [{ vip: "yes" }, "vip", "wrong_type"],
    [{ born: "1990-02-30" }, "born", "wrong_type"],
    [{ born: "yesterday" }, "born", "wrong_type"],
    [{ site: "javascript:alert(1)" }, "site", "wrong_type"],
    [{ grade: "bronze" }, "grade", "unknown_option"],
    [{ likes: ["tea", "beer"] }, "likes", "unknown_option"],
    [{ likes: ["tea", "tea"] }, "likes", "wrong_type"],
    [{ likes: "tea" }, "likes", "wrong_type"],
    [{ shoe: 1 }, "shoe", "unknown_custom_field"],
  ])("refuses %j, naming its place", async (custom, key, code) => {
    const { status, body } = await create(custom);
    expect([status, body.code, body.errors]).toMatchObject([
      422,
      "validation_failed",
      [{ in: "body", pointer: `#/custom/${key}`, code }],
    ]);
  });

  test("tells all that is wrong at once", async () => {
    const { body } = await create({ nick: 7, shoe: 1, grade: "bronze" });
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      "#/custom/nick",
      "#/custom/shoe",
      "#/custom/grade",
    ]);
  });

  test("is changed by its key: the others stay, null takes it away", async () => {
    const { body } = await create(VALUES);
    const patched = await call("PATCH", `/contacts/${body.id}`, { custom: { nick: "Ada", size: null } });
    const { size: _, ...rest } = VALUES;
    expect(patched.body.custom).toEqual({ ...rest, nick: "Ada" });
  });

  test("is its account's alone, and its key is there once", async () => {
    const other = await world.newClient(partner);
    expect(
      (await call("POST", "/contacts", { name: "Ada", phone: nextPhone(), account_id: other.id, custom: { nick: "A" } })).status,
    ).toBe(422);
    const again = await define({ key: "nick", type: "number" });
    expect([again.status, again.body.code]).toEqual([409, "duplicate_custom_field"]);
    expect((await define({ key: "nick", type: "number" }, other.id)).status).toBe(201);
    const [row] = await walk(world, partner.key, "/v1/custom-fields", { account_id: other.id });
    expect(row).toMatchObject({ key: "nick", type: "number", label: "nick", required: false, archived: false, version: 1 });
  });

  test("that is required must be there from now on; what was made before stays readable, and can be left alone", async () => {
    const account = (await world.newClient(partner)).id;
    const before = await world.newContact(partner, { account_id: account });
    const field = await define({ key: "plate", type: "text", required: true }, account);
    const without = await call("POST", "/contacts", { name: "Ada", phone: nextPhone(), account_id: account });
    expect([without.status, without.body.errors[0]]).toMatchObject([422, { pointer: "#/custom/plate", code: "required" }]);
    expect((await call("PATCH", `/contacts/${before.id}`, { name: "Bo" })).status).toBe(200);
    expect((await call("PATCH", `/contacts/${before.id}`, { custom: { plate: null } })).status).toBe(422);
    await call("PATCH", `/custom-fields/${field.body.id}`, { required: false });
    expect((await call("POST", "/contacts", { name: "Ada", phone: nextPhone(), account_id: account })).status).toBe(201);
  });

  test("that is required and archived blocks no write", async () => {
    const account = (await world.newClient(partner)).id;
    const field = await define({ key: "badge", type: "text", required: true }, account);
    await define({ key: "desk", type: "text" }, account);
    await call("DELETE", `/custom-fields/${field.body.id}`);
    const made = await call("POST", "/contacts", { name: "Ada", phone: nextPhone(), account_id: account });
    expect(made.status).toBe(201);
    expect((await call("PATCH", `/contacts/${made.body.id}`, { custom: { desk: "1" } })).status).toBe(200);
  });

  test("that is archived keeps its values and takes no new ones", async () => {
    const field = await define({ key: "fax", type: "text" });
    const { body } = await create({ fax: "1" });
    expect((await call("DELETE", `/custom-fields/${field.body.id}`)).status).toBe(204);
    expect((await call("GET", `/contacts/${body.id}`)).body.custom).toEqual({ fax: "1" });
    expect((await create({ fax: "2" })).body.errors[0].code).toBe("archived_custom_field");
    expect((await call("PATCH", `/contacts/${body.id}`, { custom: { fax: null } })).body.custom).toEqual({});
    expect((await call("GET", `/custom-fields/${field.body.id}`)).body.archived).toBe(true);
  });

  test.each([
    [{ key: "a", type: "select" }, "required_by_type"],
    [{ key: "a", type: "select", options: [] }, "required_by_type"],
    [{ key: "a", type: "text", options: ["x"] }, "not_of_type"],
  ])("is not made as %j", async (field, code) => {
    const { status, body } = await define(field);
    expect([status, body.errors[0].code]).toEqual([422, code]);
  });

  test("is not added to a suspended client's account", async () => {
    const client = await world.newClient(partner);
    await world.call("POST", `${BASE}/clients/${client.id}/suspend`, { key: partner.key });
    expect((await define({ key: "late", type: "text" }, client.id)).body.code).toBe("client_inactive");
  });

  test("is told in the audit log with its settings", async () => {
    const field = await define({ key: "told", type: "select", options: ["a"], label: "Told" });
    await call("PATCH", `/custom-fields/${field.body.id}`, { options: ["a", "b"] });
    const entries = await auditLog(world, partner.key, { target: field.body.id });
    expect(entries.map(({ action, client_id }) => [action, client_id === account_id])).toEqual([
      ["custom_fields.create", true],
      ["custom_fields.update", true],
    ]);
    expect(entries[1].changes).toEqual({ options: { from: ["a"], to: ["a", "b"] } });
  });
});

describe("a list by a custom field", () => {
  const found = async (query: Record<string, string>) =>
    (await walk(world, partner.key, "/v1/contacts", query)).map(({ name }) => name);

  test.each([
    ["custom.nick", "Findable"],
    ["custom.size", "38.25"],
    ["custom.vip", "true"],
    ["custom.born", "2001-09-09"],
    ["custom.grade", "silver"],
    ["custom.likes", "coffee"],
  ])("%s=%s gives exactly those that have the value", async (name, value) => {
    const custom = { nick: "Findable", size: 38.25, vip: true, born: "2001-09-09", grade: "silver", likes: ["coffee", "tea"] };
    const wanted = `By ${name}`;
    await create(custom, { name: wanted });
    const names = await found({ [name]: value });
    expect(names).toContain(wanted);
    expect(names).not.toContain("Ada");
    expect(await found({ [name]: `${value}1` })).toEqual([]);
  });

  test("a field that is text in one account and a number in another is found in both", async () => {
    const both = await world.newPartner();
    const accounts = [(await world.newClient(both)).id, (await world.newClient(both)).id];
    for (const [index, type] of ["text", "number"].entries()) {
      const body = { account_id: accounts[index], resource: "contact", key: "code", type };
      await call("POST", "/custom-fields", body, both.key);
      await world.newContact(both, { account_id: accounts[index], custom: { code: type === "text" ? "7" : 7 } });
    }
    expect(await walk(world, both.key, "/v1/contacts", { "custom.code": "7", limit: 1 })).toHaveLength(2);
  });

  test("a parameter that is no custom field is unknown", async () => {
    for (const name of ["custom", "custom.", "custom.A", "customs.a", "custom.a.b"]) {
      const { status, body } = await call("GET", `/contacts?${name}=1`);
      expect([name, status, body.code]).toEqual([name, 400, "unknown_parameter"]);
    }
  });
});

test("fields need the scope of their records", async () => {
  const key = await world.newKey(partner, { scopes: ALL_SCOPES.filter((scope) => !scope.startsWith("contacts")) });
  expect((await call("GET", "/custom-fields", undefined, key)).body.required_scope).toBe("contacts:read");
  expect((await call("POST", "/custom-fields", { resource: "contact", key: "k", type: "text" }, key)).body.required_scope).toBe(
    "contacts:write",
  );
  const narrow = await world.newKey(partner, { scopes: ["contacts:read"] });
  expect((await call("POST", "/custom-fields", { resource: "deal", key: "scoped", type: "text" })).status).toBe(201);
  expect((await call("GET", "/custom-fields?resource=deal")).body.data).not.toEqual([]);
  expect((await call("GET", "/custom-fields?resource=deal", undefined, narrow)).body.data).toEqual([]);
});

test.each(["contact", "lead", "deal"])(
  "a filter by a field that no %s has is refused, with those that there are",
  async (resource) => {
    const asking = await world.newPartner();
    const list = (query: string) => world.call("GET", `/v1/${resource}s?${query}`, { key: asking.key });
    const none = await list("custom.size=1");
    expect([none.status, none.body.code, none.body.errors[0].pointer]).toEqual([400, "unknown_parameter", "#/custom.size"]);
    const field = { resource, key: "colour", type: "text", label: "Colour" };
    const made = await world.call("POST", "/v1/custom-fields", { key: asking.key, body: field });
    expect((await list("custom.size=1")).body.detail).toContain("colour");
    expect((await list("custom.colour=red")).status).toBe(200);
    const client = await world.newClient(asking);
    expect((await list(`custom.colour=red&account_id=${client.id}`)).status).toBe(400);
    await world.call("DELETE", `/v1/custom-fields/${made.body.id}`, { key: asking.key });
    expect((await list("custom.colour=red")).status).toBe(200);
  },
);
