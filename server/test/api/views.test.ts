import { beforeAll, describe, expect, test } from "vitest";
import { auditLog } from "../harness/lists.ts";
import { newPerson, type Person } from "../harness/people.ts";
import { type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
let partner: TestPartner;
let account_id: string;
let nora: Person;
let teo: Person;
let reader: Person;
let staff: Person;

beforeAll(async () => {
  partner = await world.newPartner();
  account_id = (await world.newClient(partner)).id;
  nora = await newPerson(world, partner);
  teo = await newPerson(world, partner, { role: "member" });
  reader = await newPerson(world, partner, { role: "read_only" });
  staff = await newPerson(world, partner, { role: "member", accounts: [account_id] });
});

const save = (person: Person, fields: object = {}) =>
  person.call("POST", "/views", { body: { page: "clients", name: "At risk", query: "status=suspended", ...fields } });
const change = (person: Person, { id }: Json, body: object) => person.call("PATCH", `/views/${id}`, { body });
const remove = (person: Person, { id }: Json) => person.call("DELETE", `/views/${id}`);
const namesOf = async (person: Person, query = "") => {
  const { status, body, text } = await person.call("GET", `/views${query}`);
  expect(status, text).toBe(200);
  return body.data.map(({ name }: Json) => name);
};
const codeOf = ({ status, body }: Json) => [status, body.code];

describe("a view", () => {
  test("of one's own is seen, changed and deleted by its owner alone", async () => {
    const { status, body: view } = await save(nora, { name: "Mine" });
    expect([status, view]).toEqual([
      201,
      {
        ...{ id: view.id, page: "clients", account_id: null, name: "Mine", query: "status=suspended" },
        ...{ shared: false, created_by: nora.user_id, version: 1 },
      },
    ]);
    expect(await namesOf(nora, "?page=clients")).toEqual(["Mine"]);
    expect(await namesOf(nora, "?page=deals")).toEqual([]);
    expect(await namesOf(teo)).toEqual([]);
    expect(codeOf(await change(teo, view, { name: "Theirs" }))).toEqual([404, "not_found"]);
    expect((await change(nora, view, { query: "" })).body).toMatchObject({ query: "", version: 2 });
    const stale = { body: { name: "Stale" }, headers: { "if-match": '"1"' } };
    expect(codeOf(await nora.call("PATCH", `/views/${view.id}`, stale))).toEqual([412, "version_mismatch"]);
    expect((await remove(nora, view)).status).toBe(204);
    expect(await namesOf(nora)).toEqual([]);
    const told = (await auditLog(world, partner.key, { target: view.id })).map(({ action }) => action);
    expect(told).toEqual(["views.create", "views.update", "views.delete"]);
  });

  test("that is shared is seen by everybody with access, and changed by its owner, owners and administrators", async () => {
    const { body: view } = await save(teo, { name: "Ours", shared: true });
    for (const person of [nora, teo, reader]) expect(await namesOf(person)).toEqual(["Ours"]);
    expect(await namesOf(staff)).toEqual([]);
    expect(codeOf(await change(reader, view, { name: "X" }))).toEqual([403, "role_required"]);
    const other = await newPerson(world, partner, { role: "member" });
    expect(codeOf(await remove(other, view))).toEqual([403, "role_required"]);
    expect((await change(nora, view, { name: "Theirs" })).body.name).toBe("Theirs");
    expect((await change(teo, view, { shared: false })).body.shared).toBe(false);
    expect(await namesOf(nora)).toEqual([]);
    expect((await remove(teo, view)).status).toBe(204);
  });

  test("of an account is seen by the staff of the account, and saved only where one has access", async () => {
    const { body: view } = await save(nora, { name: "Leads", page: "leads", account_id, shared: true });
    expect(await namesOf(staff, `?page=leads&account_id=${account_id}`)).toEqual(["Leads"]);
    const other = (await world.newClient(partner)).id;
    const refused = [await save(staff, { account_id: other }), await save(staff, { shared: true })];
    for (const reply of refused) expect(codeOf(reply)).toEqual([422, "validation_failed"]);
    expect((await save(staff, { account_id, shared: true, name: "Staff" })).status).toBe(201);
    expect((await remove(nora, view)).status).toBe(204);
  });

  test("is not shared by a role that only reads, which may keep its own", async () => {
    expect(codeOf(await save(reader, { shared: true }))).toEqual([403, "role_required"]);
    const { body: view } = await save(reader);
    expect(codeOf(await change(reader, view, { shared: true }))).toEqual([403, "role_required"]);
  });

  test("has a name of its own among those of its owner and page, in any case", async () => {
    const { body: first } = await save(teo, { name: "Hot" });
    expect(codeOf(await save(teo, { name: "HOT" }))).toEqual([409, "duplicate_view"]);
    const { body: second } = await save(teo, { name: "Cold" });
    expect(codeOf(await change(teo, second, { name: "hot" }))).toEqual([409, "duplicate_view"]);
    expect((await save(teo, { name: "Hot", page: "deals" })).status).toBe(201);
    expect((await save(nora, { name: "Hot" })).status).toBe(201);
    for (const view of [first, second]) expect((await remove(teo, view)).status).toBe(204);
  });

  test("belongs to one partner, and operators have views too", async () => {
    const stranger = await newPerson(world, await world.newPartner());
    expect(await namesOf(stranger)).toEqual([]);
    const operator = await newPerson(world, null);
    expect((await save(operator, { page: "partners", name: "Gold", shared: true })).status).toBe(201);
    expect(await namesOf(operator)).toEqual(["Gold"]);
    expect(await namesOf(stranger)).toEqual([]);
  });

  test("is refused to a key", async () => {
    expect((await world.call("GET", "/portal/api/views", { key: partner.key })).status).toBe(401);
  });
});

test("there are at most 100 views of a user and 200 shared ones of an account", async () => {
  const person = await newPerson(world, partner);
  const add = (count: number, shared: boolean, owner: string) =>
    world.db.sql(
      `insert into views (partner_id, id, page, name, query, shared, created_by, created_at, updated_at)
       select $1, 'view_' || $4 || n, 'clients', n::text, '', $3, $4, now(), now() from generate_series(1, $2::int) n`,
      [partner.partner_id, count, shared, owner],
    );
  await add(99, false, person.user_id);
  expect((await save(person, { name: "The last" })).status).toBe(201);
  expect(codeOf(await save(person, { name: "One more" }))).toEqual([409, "view_limit_reached"]);
  await add(200, true, "usr_another");
  expect(codeOf(await save(person, { name: "Shared", shared: true }))).toEqual([409, "view_limit_reached"]);
});
