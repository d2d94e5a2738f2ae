import { beforeAll, expect, test } from "vitest";
import { OPERATOR_TENANT } from "../../src/kernel/principal.ts";
import { auditEntries } from "../harness/installation.ts";
import { newPerson, PORTAL, SAME_ORIGIN, signedIn } from "../harness/people.ts";
import { ADMIN, type Json, useWorld } from "../harness/world.ts";

const world = useWorld();
const USERS = `${ADMIN}/users`;
let key = "";
beforeAll(async () => {
  key = await world.newOperator();
});

let made = 0;
async function invite(): Promise<Json> {
  made += 1;
  const body = { name: "Olu Adeyemi", email: `olu.${made}@operator.example` };
  return (await world.call("POST", USERS, { key, body })).body;
}

test("an operator's user is invited, listed, got and removed, and the address is taken meanwhile", async () => {
  const reply = await world.call("POST", USERS, { key, body: { name: "Olu Adeyemi", email: "olu@operator.example" } });
  expect([reply.status, reply.headers.location]).toEqual([201, `${USERS}/${reply.body.id}`]);
  expect(reply.body).toMatchObject({ name: "Olu Adeyemi", role: "operator", state: "invited", version: 1 });
  const again = await world.call("POST", USERS, { key, body: { name: "Olu", email: "OLU@operator.example" } });
  expect([again.status, again.body.code]).toEqual([409, "duplicate_user"]);
  expect((await world.call("GET", reply.headers.location ?? "", { key })).body).toEqual(reply.body);
  const later = await invite();
  expect((await world.call("GET", USERS, { key })).body.data.slice(0, 2)).toEqual([later, reply.body]);
  await world.call("DELETE", `${USERS}/${later.id}`, { key });
  expect((await world.call("DELETE", reply.headers.location ?? "", { key })).status).toBe(204);
  expect((await world.call("GET", reply.headers.location ?? "", { key })).status).toBe(404);
  const entries = (await auditEntries(world.db, OPERATOR_TENANT)).filter(({ target }) => target === reply.body.id);
  expect(entries.map(({ action }) => action)).toEqual(["operator_users.create", "operator_users.delete"]);
  expect(JSON.stringify(entries)).not.toMatch(/olu/i);
});

test("users of partners are not among them", async () => {
  const partner = await world.newPartner();
  const { user_id } = await newPerson(world, partner);
  for (const method of ["GET", "DELETE"]) expect((await world.call(method, `${USERS}/${user_id}`, { key })).status).toBe(404);
  expect((await world.call("GET", USERS, { key })).text).not.toContain(user_id);
});

test("without e-mail the link is passed on, and whoever accepts it is an operator", async () => {
  const inviter = await newPerson(world, null);
  const { id, email } = await invite();
  const { status, body } = await inviter.call("POST", "/invitations", { body: { user_id: id } });
  expect([status, body.sent]).toEqual([201, false]);
  const token = body.url.split("http://tributary.test/portal/invitation#")[1];
  const visit = (path: string, fields: object) =>
    world.call("POST", PORTAL + path, { body: { token, ...fields }, headers: SAME_ORIGIN });
  expect((await visit("/invitations/look", {})).body).toEqual({ name: "Olu Adeyemi", email, company: "Tributary" });
  const accepted = await visit("/invitations/accept", { password: "correct horse battery" });
  expect(accepted.body).toMatchObject({ user: { id, role: "operator" }, partner: null, scopes: [] });
  await world.call("DELETE", `${USERS}/${id}`, { key });
  await world.call("DELETE", `${USERS}/${inviter.user_id}`, { key });
});

test("the last user who can sign in stays, also of two who are removed at once", async () => {
  await world.db.sql("delete from users where partner_id is null");
  const [first, second] = [await newPerson(world, null), await newPerson(world, null)];
  await invite();
  const remove = (id: string) => world.call("DELETE", `${USERS}/${id}`, { key });
  const replies = await Promise.all([remove(first.user_id), remove(second.user_id)]);
  expect(replies.map(({ status }) => status).sort()).toEqual([204, 409]);
});

test("a removed user is signed out", async () => {
  const [remover, removed] = [await newPerson(world, null), await newPerson(world, null)];
  expect((await remover.call("DELETE", `/v1/admin/users/${removed.user_id}`)).status).toBe(204);
  expect((await removed.call("GET", "/v1/admin/programme")).status).toBe(401);
  world.clock.advance(11 * 60_000);
  const late = await remover.call("DELETE", `/v1/admin/users/${(await invite()).id}`);
  expect(late.body.code).toBe("reauthentication_required");
  expect((await (await signedIn(world, { id: remover.user_id })).call("GET", "/v1/admin/users")).status).toBe(200);
});
