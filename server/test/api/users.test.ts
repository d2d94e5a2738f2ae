import { expect, test } from "vitest";
import { newId } from "../../src/kernel/ids.ts";
import { ALL_SCOPES } from "../../src/kernel/scopes.ts";
import { auditLog, walk } from "../harness/lists.ts";
import { BASE, type Json, useWorld } from "../harness/world.ts";

const world = useWorld();
const USERS = `${BASE}/users`;
let made = 0;

function invite(key: string, fields: object = {}) {
  made += 1;
  const body = { name: "Bo Ek", email: `bo.${made}@test.example`, role: "member", accounts: "all", ...fields };
  return world.call("POST", USERS, { key, body });
}

/** A second owner, whom only a person can make. */
async function inviteOwner(key: string): Promise<Json> {
  const { body } = await invite(key);
  await world.db.sql("update users set role = 'owner' where id = $1", [body.id]);
  return body;
}

const owner = async (key: string): Promise<Json> => (await walk(world, key, "/users")).find(({ role }) => role === "owner");
const remove = (key: string, id: string, headers = {}) => world.call("DELETE", `${USERS}/${id}`, { key, headers });

test("an invited user is shown as invited, where its reply says, and in the list, newest first", async () => {
  const { key } = await world.newPartner();
  const { status, headers, body } = await invite(key, { email: "Bo.Ek@Northwind.example" });
  expect([status, headers.location, headers.etag]).toEqual([201, `${USERS}/${body.id}`, '"1"']);
  expect(body).toEqual({
    id: expect.stringMatching(/^usr_/),
    name: "Bo Ek",
    email: "Bo.Ek@Northwind.example",
    role: "member",
    accounts: "all",
    state: "invited",
    last_seen_at: null,
    created_at: world.clock.now().toISOString(),
    updated_at: world.clock.now().toISOString(),
    version: 1,
  });
  expect((await world.call("GET", headers.location ?? "", { key })).body).toEqual(body);
  const rows = await walk(world, key, "/users", { limit: 1 });
  expect(rows.map(({ id }) => id)).toEqual([body.id, (await owner(key)).id]);
  expect(rows[1].state).toBe("active");
});

test("names and addresses stay out of the audit log", async () => {
  const { key } = await world.newPartner();
  const { body } = await invite(key, { name: "Secret Name", email: "secret@address.example" });
  await world.call("PATCH", `${USERS}/${body.id}`, { key, body: { name: "Other Secret" } });
  await remove(key, body.id);
  const entries = (await auditLog(world, key)).filter(({ target }) => target === body.id);
  expect(entries.map(({ action }) => action)).toEqual(["users.create", "users.update", "users.delete"]);
  expect(entries[0].changes).toMatchObject({ role: { from: null, to: "member" }, name: "redacted" });
  expect(entries[2].changes).toMatchObject({ role: { from: "member", to: null }, name: "redacted" });
  expect(JSON.stringify(entries)).not.toMatch(/secret/i);
});

test("an address is taken whatever its case and whoever has it, in the same words", async () => {
  const [first, second] = [await world.newPartner(), await world.newPartner()];
  await invite(first.key, { email: "taken@test.example" });
  const answers = new Set<string>();
  for (const { key } of [first, second]) {
    const { status, body } = await invite(key, { email: "Taken@Test.example" });
    expect([status, body.code]).toEqual([409, "duplicate_user"]);
    const { request_id: _id, instance: _instance, ...rest } = body;
    answers.add(JSON.stringify(rest));
  }
  expect(answers.size).toBe(1);
});

test("a user is bound to clients of the partner alone", async () => {
  const partner = await world.newPartner();
  const own = await world.newClient(partner);
  const foreign = await world.newClient(await world.newPartner());
  const refused = await invite(partner.key, { accounts: [own.id, foreign.id] });
  expect([refused.status, refused.body.errors[0]]).toMatchObject([422, { pointer: "#/accounts/1", code: "unknown_client" }]);
  const { body } = await invite(partner.key, { accounts: [own.id] });
  expect(body.accounts).toEqual([own.id]);
  const path = `${USERS}/${body.id}`;
  const never = newId("client", Date.now());
  expect((await world.call("PATCH", path, { key: partner.key, body: { accounts: [never] } })).status).toBe(422);
  const changed = await world.call("PATCH", path, { key: partner.key, body: { accounts: "all", name: "Bo Eklund" } });
  expect([changed.status, changed.body]).toMatchObject([200, { accounts: "all", name: "Bo Eklund", version: 2 }]);
});

test.each([{ role: "owner" }, { role: "read_only", name: "X" }, { email: "other@test.example" }])(
  "a key cannot change %j: that takes a person",
  async (patch) => {
    const { key } = await world.newPartner();
    const { body: user } = await invite(key);
    const { status, body } = await world.call("PATCH", `${USERS}/${user.id}`, { key, body: patch });
    expect([status, body.code]).toEqual([403, "person_required"]);
    expect((await world.call("GET", `${USERS}/${user.id}`, { key })).body).toEqual(user);
  },
);

test.each(["owner", "admin"])("a key cannot invite as %s: that takes a person", async (role) => {
  const { key } = await world.newPartner();
  const { status, body } = await invite(key, { role });
  expect([status, body.code]).toEqual([403, "person_required"]);
  expect(await walk(world, key, "/users")).toHaveLength(1);
});

test("a key grants at most what it has: it invites and gives more accounts only where it has every scope of the role", async () => {
  const partner = await world.newPartner();
  const { id: client } = await world.newClient(partner);
  const { body: member } = await invite(partner.key, { accounts: [client] });
  const reads = ALL_SCOPES.filter((scope) => scope.endsWith(":read"));
  const weak = await world.newKey(partner, { scopes: ["account:write", ...reads] });
  for (const reply of [
    await invite(weak, { role: "member" }),
    await world.call("PATCH", `${USERS}/${member.id}`, { key: weak, body: { accounts: "all" } }),
  ]) {
    expect([reply.status, reply.body.code, reply.body.required_scope]).toEqual([403, "insufficient_scope", "clients:write"]);
  }
  expect((await invite(weak, { role: "read_only" })).status).toBe(201);
  const one = await world.newKey(partner, { scopes: ["account:write"] });
  expect((await invite(one, { role: "read_only" })).body.code).toBe("insufficient_scope");
  expect((await world.call("PATCH", `${USERS}/${member.id}`, { key: one, body: { name: "Bo" } })).status).toBe(200);
});

test("a key takes accounts from an owner, and gives none", async () => {
  const partner = await world.newPartner();
  const { id: client } = await world.newClient(partner);
  const { id } = await inviteOwner(partner.key);
  const change = (accounts: unknown) => world.call("PATCH", `${USERS}/${id}`, { key: partner.key, body: { accounts } });
  expect((await change([client])).status).toBe(200);
  expect((await change("all")).body.code).toBe("person_required");
});

test("a removed user is gone, and the address is free again", async () => {
  const { key } = await world.newPartner();
  const { body } = await invite(key, { email: "again@test.example" });
  expect((await remove(key, body.id)).status).toBe(204);
  expect((await world.call("GET", `${USERS}/${body.id}`, { key })).status).toBe(404);
  expect((await remove(key, body.id)).status).toBe(404);
  expect((await invite(key, { email: "again@test.example" })).status).toBe(201);
});

test("the last owner who can sign in stays, even when another is invited", async () => {
  const { key } = await world.newPartner();
  const { id } = await owner(key);
  const invited = await inviteOwner(key);
  const { status, body } = await remove(key, id);
  expect([status, body.code]).toEqual([409, "resource_in_use"]);
  await world.db.sql("update users set state = 'active' where id = $1", [invited.id]);
  expect((await remove(key, id)).status).toBe(204);
  expect((await remove(key, invited.id)).status).toBe(409);
});

test("of two owners who are removed at once one stays", async () => {
  for (let round = 0; round < 10; round += 1) {
    const { key } = await world.newPartner();
    const first = await owner(key);
    const second = await inviteOwner(key);
    await world.db.sql("update users set state = 'active' where id = $1", [second.id]);
    const replies = await Promise.all([remove(key, first.id), remove(key, second.id)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 409]);
  }
});

test("If-Match holds back a change and a removal of a user who has changed meanwhile", async () => {
  const { key } = await world.newPartner();
  const { body } = await invite(key);
  await world.call("PATCH", `${USERS}/${body.id}`, { key, body: { name: "A" } });
  const headers = { "if-match": '"1"' };
  expect((await world.call("PATCH", `${USERS}/${body.id}`, { key, body: { name: "B" }, headers })).status).toBe(412);
  expect((await remove(key, body.id, headers)).status).toBe(412);
});

test.each([
  ["no name", { name: " " }, "#/name"],
  ["no address", { email: "bo" }, "#/email"],
  ["the operator's role", { role: "operator" }, "#/role"],
  ["no accounts", { accounts: [] }, "#/accounts"],
  ["a password", { password: "x" }, "#/password"],
])("%s is refused with 422", async (_case, fields, pointer) => {
  const { key } = await world.newPartner();
  const { status, body } = await invite(key, fields);
  expect([status, body.code]).toEqual([422, "validation_failed"]);
  expect(body.errors.map((fault: Json) => fault.pointer)).toContain(pointer);
});
