import { beforeAll, describe, expect, test } from "vitest";
import { PARTNER_ROLES } from "../../src/kernel/principal.ts";
import { auditLog } from "../harness/lists.ts";
import { newPerson, type Person, signInAgain } from "../harness/people.ts";
import { ADMIN, BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
const USERS = `${BASE}/users`;
const MINUTE_MS = 60_000;
let partner: TestPartner;
let owner: Person;
let admin: Person;
let invited = 0;

beforeAll(async () => {
  partner = await world.newPartner();
  [owner, admin] = await Promise.all([newPerson(world, partner), newPerson(world, partner, { role: "admin" })]);
});

const invite = (by: Person, role: string, fields: object = {}) => {
  invited += 1;
  const body = { name: "Bo Ek", email: `bo.${invited}@roles.example`, role, accounts: "all", ...fields };
  return by.call("POST", USERS, { body });
};
const update = (by: Person, id: string, body: object) => by.call("PATCH", `${USERS}/${id}`, { body });
const remove = (by: Person, id: string) => by.call("DELETE", `${USERS}/${id}`);
const userOf = async (id: string): Promise<Json> => (await owner.call("GET", `${USERS}/${id}`)).body;

describe.each(PARTNER_ROLES)("the role %s", (role) => {
  test("is given by an owner; by an administrator too, unless it is that of an owner", async () => {
    expect((await invite(owner, role)).body.role).toBe(role);
    const { status, body } = await invite(admin, role);
    if (role === "owner") expect([status, body.code, body.required_role]).toEqual([403, "role_required", "owner"]);
    else expect([status, body.role]).toEqual([201, role]);
  });

  test("is changed and taken by an owner; by an administrator too, unless it is that of an owner", async () => {
    for (const [by, allowed] of [
      [admin, role !== "owner"],
      [owner, true],
    ] as const) {
      const { user_id } = await newPerson(world, partner, { role });
      const replies = [
        await update(by, user_id, { name: "Other" }),
        await update(by, user_id, { email: `${user_id}@other.example` }),
        await update(by, user_id, { role: "read_only" }),
      ];
      expect(replies.map(({ status }) => status)).toEqual(Array(3).fill(allowed ? 200 : 403));
      if (!allowed) expect(new Set(replies.map(({ body }) => body.code))).toEqual(new Set(["role_required"]));
      expect((await userOf(user_id)).role).toBe(allowed ? "read_only" : role);
    }
    for (const [by, status] of [
      [admin, role === "owner" ? 403 : 204],
      [owner, 204],
    ] as const) {
      const { user_id } = await newPerson(world, partner, { role });
      expect((await remove(by, user_id)).status).toBe(status);
    }
  });
});

test("an administrator makes nobody an owner", async () => {
  const { user_id } = await newPerson(world, partner, { role: "member" });
  expect((await update(admin, user_id, { role: "owner" })).body.code).toBe("role_required");
  expect((await update(owner, user_id, { role: "owner" })).body.role).toBe("owner");
});

test.each(["member", "read_only"] as const)("a %s sees users and changes none", async (role) => {
  const person = await newPerson(world, partner, { role });
  expect((await person.call("GET", USERS)).status).toBe(200);
  for (const reply of [
    await invite(person, "read_only"),
    await update(person, person.user_id, { name: "X" }),
    await remove(person, owner.user_id),
  ])
    expect([reply.status, reply.body.code, reply.body.required_scope]).toEqual([403, "insufficient_scope", "account:write"]);
});

test.each([...PARTNER_ROLES, "operator"] as const)("a person with the role %s changes the own name", async (role) => {
  const person = await newPerson(world, role === "operator" ? null : partner, role === "operator" ? {} : { role });
  const rename = (body: object) => person.call("PATCH", "/session/user", { body });
  for (let sent = 0; sent < 2; sent += 1) {
    const { status, body } = await rename({ name: "Ines Nova" });
    expect([status, body.user]).toMatchObject([200, { id: person.user_id, name: "Ines Nova", role }]);
  }
  const log = role === "operator" ? `${ADMIN}/audit-log` : `${BASE}/audit-log`;
  const entries = (await (role === "operator" ? person : owner).call("GET", `${log}?actor_id=${person.user_id}&counted=false`))
    .body;
  expect(entries.data).toMatchObject([{ action: "users.update", target: person.user_id, changes: { name: "redacted" } }]);
  for (const body of [{ name: " " }, { name: "Ines", role: "owner" }, {}]) expect((await rename(body)).status).toBe(422);
});

test("nobody changes their own role or accounts; name and address they do", async () => {
  const { id: client } = await world.newClient(partner);
  for (const person of [owner, admin]) {
    for (const change of [{ role: "member" }, { accounts: [client] }])
      expect((await update(person, person.user_id, change)).body.code).toBe("role_required");
    const { status, body } = await update(person, person.user_id, { name: "Own", email: `own.${person.user_id}@roles.example` });
    expect([status, body.name]).toEqual([200, "Own"]);
    expect((await person.call("GET", `${BASE}/me`)).status, "the session of the change stays").toBe(200);
  }
});

test("the last owner who can sign in and has all accounts keeps the role, the accounts and the access", async () => {
  const lone = await world.newPartner();
  const first = await newPerson(world, lone);
  const { id: client } = await world.newClient(lone);
  await world.db.sql("delete from users where partner_id = $1 and id <> $2", [lone.partner_id, first.user_id]);
  const bound = await newPerson(world, lone, { accounts: [client] });
  const byKey = await world.call("PATCH", `${USERS}/${first.user_id}`, { key: lone.key, body: { accounts: [client] } });
  expect([byKey.status, byKey.body.code]).toEqual([409, "resource_in_use"]);
  expect((await remove(first, first.user_id)).body.code).toBe("resource_in_use");
  const second = await newPerson(world, lone);
  const replies = await Promise.all([
    update(first, second.user_id, { role: "admin" }),
    update(second, first.user_id, { role: "admin" }),
    remove(second, bound.user_id),
  ]);
  const owners = await world.db.sql("select id from users where partner_id = $1 and role = 'owner' and clients is null", [
    lone.partner_id,
  ]);
  expect([owners.length, replies.filter(({ status }) => status === 200).length]).toEqual([1, 1]);
});

test("a right that is taken ends at once: the next request has the lesser role, the removed user is signed out", async () => {
  const person = await newPerson(world, partner, { role: "admin" });
  const body = { name: "Zoe", email: "zoe@roles.example", role: "member", accounts: "all" };
  await update(owner, person.user_id, { role: "read_only" });
  expect((await person.call("POST", USERS, { body })).body.code).toBe("insufficient_scope");
  await remove(owner, person.user_id);
  expect((await person.call("GET", `${BASE}/me`)).body.code).toBe("session_expired");
});

test("stored replies from before a right was taken are withheld, those from before one was given are not", async () => {
  const { id: client } = await world.newClient(partner);
  const person = await newPerson(world, partner, { role: "member" });
  const body = { name: "Ada", phone: "+14155550199" };
  const send = () => person.call("POST", "/v1/contacts", { body, headers: { "idempotency-key": "roles-1" } });
  expect((await send()).status).toBe(201);
  await update(owner, person.user_id, { role: "admin" });
  expect((await send()).headers["idempotent-replayed"]).toBe("true");
  await update(owner, person.user_id, { role: "member" });
  expect((await send()).body.code).toBe("reply_withheld");
  await update(owner, person.user_id, { accounts: [client] });
  expect((await send()).body.code).toBe("reply_withheld");
});

test("a new address ends the user's other sessions and links, a new name none", async () => {
  const person = await newPerson(world, partner, { role: "member" });
  const again = await signInAgain(world, person.user_id);
  await world.db.sql(
    "insert into user_links (hash, user_id, purpose, created_at, expires_at) values ($1, $2, 'password_reset', now(), now())",
    [Buffer.from(person.user_id), person.user_id],
  );
  await update(admin, person.user_id, { name: "New" });
  expect((await again.call("GET", `${BASE}/me`)).status).toBe(200);
  const { body } = await update(admin, person.user_id, { email: "new.address@roles.example" });
  expect(body.email).toBe("new.address@roles.example");
  for (const session of [person, again]) expect((await session.call("GET", `${BASE}/me`)).body.code).toBe("session_expired");
  expect(await world.db.sql("select from user_links where user_id = $1", [person.user_id])).toHaveLength(0);
});

test("an address that somebody has is refused in the words of an invitation, and stays out of the audit log", async () => {
  const { user_id } = await newPerson(world, partner, { role: "member" });
  const { body: other } = await invite(owner, "member", { email: "Taken@roles.example" });
  const { status, body } = await update(owner, user_id, { email: "taken@ROLES.example" });
  expect([status, body.code]).toEqual([409, "duplicate_user"]);
  await update(owner, other.id, { email: "free@roles.example" });
  const entries = (await auditLog(world, partner.key)).filter(({ target }) => target === other.id);
  expect(entries.at(-1).changes).toEqual({ email: "redacted" });
});

test("what is sensitive needs a password that was given within ten minutes; with a key and for the rest it does not", async () => {
  const person = await newPerson(world, partner);
  world.clock.advance(10 * MINUTE_MS + 1);
  const key = { name: "CI", scopes: ["clients:read"], clients: "all" };
  for (const reply of [
    await invite(person, "member"),
    await update(person, admin.user_id, { name: "X" }),
    await remove(person, admin.user_id),
    await person.call("POST", `${BASE}/keys`, { body: key }),
  ])
    expect([reply.status, reply.body.code]).toEqual([403, "reauthentication_required"]);
  expect((await person.call("POST", `${BASE}/clients`, { body: { company: "Kite" } })).status).toBe(201);
  expect((await world.call("POST", `${BASE}/keys`, { key: partner.key, body: key })).status).toBe(201);
});

test("a user shows when it was last seen, and its ETag tells", async () => {
  const person = await newPerson(world, partner);
  const url = `${USERS}/${person.user_id}`;
  const before = await person.call("GET", url);
  expect([before.body.last_seen_at, before.headers.etag]).toEqual([null, '"1"']);
  await world.db.sql("update users set last_seen_at = $2 where id = $1", [person.user_id, world.clock.now()]);
  const after = await person.call("GET", url);
  expect([after.body.last_seen_at, after.headers.etag]).toEqual([
    world.clock.now().toISOString(),
    `"1-${world.clock.now().getTime()}"`,
  ]);
  expect((await person.call("PATCH", url, { body: { name: "Y" }, headers: { "if-match": '"1"' } })).status).toBe(200);
});
