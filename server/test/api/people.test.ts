import { beforeAll, describe, expect, test } from "vitest";
import { workImport } from "../../src/features/crm/imports/index.ts";
import { ADVISORY_LOCKS, ROW_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import { newPerson, type Person, signInAgain } from "../harness/people.ts";
import { BASE, GENERAL, type Json, nextPhone, type TestPartner, useWorld } from "../harness/world.ts";

/** Nobody works on imports here but the tests themselves, step by step. */
const world = useWorld({}, "api");
const hold = useHolds(() => world.db.connect());

let partner: TestPartner;
let owner: Person;
/** Two clients of the partner. */
let clients: string[];

beforeAll(async () => {
  partner = await world.newPartner();
  owner = await newPerson(world, partner);
  clients = [(await world.newClient(partner)).id, (await world.newClient(partner)).id];
});

const update = (id: string, body: object) => owner.call("PATCH", `${BASE}/users/${id}`, { body });
const remove = (id: string) => owner.call("DELETE", `${BASE}/users/${id}`);

describe("an import that a person has started", () => {
  const ROWS_PER_STEP = 1_000;
  const step = (id: string) => workImport(world.app.services, { partner_id: partner.partner_id, id });
  const get = async (id: string): Promise<Json> => (await owner.call("GET", `${GENERAL}/imports/${id}`)).body;

  /** One that has done the first of its two steps. */
  async function halfDone(person: Person, account_id = clients[0]): Promise<string> {
    const rows = Array.from({ length: ROWS_PER_STEP + 1 }, (_, index) => `Person ${index},+1415${2_000_000 + index}\n`);
    const { status, body, text } = await person.call("POST", `${GENERAL}/imports?account_id=${account_id}&mode=upsert`, {
      body: `name,phone\n${rows.join("")}`,
      headers: { "content-type": "text/csv" },
    });
    expect(status, text).toBe(202);
    await step(body.id);
    expect(await get(body.id)).toMatchObject({ status: "running", processed: ROWS_PER_STEP, created_by: person.user_id });
    return body.id;
  }

  async function expectEnd(id: string, code: string): Promise<void> {
    await step(id);
    expect(await get(id)).toMatchObject({ status: "failed", failure: { code }, processed: ROWS_PER_STEP });
  }

  test("goes on after the person has signed out, and after a change that takes nothing from the import", async () => {
    const person = await newPerson(world, partner, { role: "admin" });
    const id = await halfDone(person);
    expect((await person.call("DELETE", "/session")).status).toBe(204);
    await update(person.user_id, { role: "member", email: "other@people.example" });
    await update(person.user_id, { accounts: [clients[0]] });
    await step(id);
    expect(await get(id)).toMatchObject({ status: "completed", processed: ROWS_PER_STEP + 1 });
  });

  test("ends where it is when the person is removed", async () => {
    const person = await newPerson(world, partner, { role: "member" });
    const id = await halfDone(person);
    await remove(person.user_id);
    await expectEnd(id, "invalid_credentials");
  });

  test("ends where it is when the person may no longer write, or not there", async () => {
    for (const [change, code] of [
      [{ role: "read_only" }, "insufficient_scope"],
      [{ accounts: [clients[1]] }, "not_found"],
    ] as const) {
      const person = await newPerson(world, partner, { role: "member" });
      const id = await halfDone(person);
      await update(person.user_id, change);
      await expectEnd(id, code);
    }
  });
});

describe("an Idempotency-Key of a person", () => {
  const send = (person: Person, path: string, body: object) =>
    person.call("POST", path, { body, headers: { "idempotency-key": "once" } });
  const CONTACT = { name: "Ada", phone: "+14155550123" };
  const KEY = { name: "CI", scopes: ["clients:read"], clients: "all" };

  test("belongs to the user: another session of the same user gets the stored reply, another user its own", async () => {
    const [person, other] = [await newPerson(world, partner), await newPerson(world, partner)];
    const first = await send(person, `${GENERAL}/contacts`, CONTACT);
    const again = await send(await signInAgain(world, person.user_id), `${GENERAL}/contacts`, CONTACT);
    expect([first.status, again.status, again.headers["idempotent-replayed"]]).toEqual([201, 201, "true"]);
    expect(again.text).toBe(first.text);
    expect((await send(other, `${GENERAL}/contacts`, { ...CONTACT, phone: "+14155550124" })).status).toBe(201);
    expect((await send(person, `${GENERAL}/contacts`, { ...CONTACT, name: "Bo" })).body.code).toBe("idempotency_key_reused");
  });

  test("repeats a reply with a secret to the same session alone", async () => {
    const person = await newPerson(world, partner);
    const { body } = await send(person, `${BASE}/keys`, KEY);
    const other = await send(await signInAgain(world, person.user_id), `${BASE}/keys`, KEY);
    expect([other.body.code, other.text.includes(body.api_key)]).toEqual(["reply_withheld", false]);
    const again = await send(person, `${BASE}/keys`, KEY);
    expect([again.headers["idempotent-replayed"], again.body.api_key]).toEqual(["true", body.api_key]);
  });
});

describe("a write of a person and what ends it", () => {
  const ENDS: [string, (person: Person, again: Person) => Promise<number>, status: number][] = [
    ["a lesser role", async ({ user_id }) => (await update(user_id, { role: "read_only" })).status, 503],
    ["fewer accounts", async ({ user_id }) => (await update(user_id, { accounts: [clients[0]] })).status, 503],
    ["the removal", async ({ user_id }) => (await remove(user_id)).status, 401],
    ["the end of all other sessions", async (_person, again) => (await again.call("DELETE", "/sessions")).status, 401],
  ];

  test.each(ENDS)("%s waits for a write under way, which commits first", async (_name, end) => {
    const person = await newPerson(world, partner, { role: "member" });
    const again = await signInAgain(world, person.user_id);
    const { id } = await world.newClient(partner);
    const row = await hold("select 1 from clients where partner_id = $1 and id = $2 for update", [partner.partner_id, id]);
    const write = person.call("PATCH", `${BASE}/clients/${id}`, { body: { company: "Changed" } });
    await untilWaiting(world.db.sql, ROW_LOCKS, 1);
    const ending = end(person, again).then(async (status) => {
      const [found] = await world.db.sql<{ company: string }>("select company from clients where id = $1", [id]);
      return [Math.floor(status / 100), found?.company];
    });
    await untilWaiting(world.db.sql, ADVISORY_LOCKS, 1);
    await row.release();
    expect(await ending).toEqual([2, "Changed"]);
    expect((await write).status).toBe(200);
  });

  test.each(ENDS)("a write that waits while %s is under way is refused and changes nothing", async (_name, end, status) => {
    const person = await newPerson(world, partner, { role: "member" });
    const again = await signInAgain(world, person.user_id);
    const { id } = await world.newClient(partner);
    const user = await hold("select 1 from users where id = $1 for update", [person.user_id]);
    const sessions = await hold("select 1 from sessions where user_id = $1 for update", [person.user_id]);
    const ending = end(person, again);
    await untilWaiting(world.db.sql, ROW_LOCKS, 1);
    const write = person.call("PATCH", `${BASE}/clients/${id}`, { body: { company: "Changed" } });
    await untilWaiting(world.db.sql, ADVISORY_LOCKS, 1);
    await sessions.release();
    await user.release();
    expect(Math.floor((await ending) / 100)).toBe(2);
    expect((await write).status).toBe(status);
    expect((await owner.call("GET", `${BASE}/clients/${id}`)).body.version).toBe(1);
  });

  test.each(ENDS)("a contact that is created while %s is under way is refused", async (_name, end, status) => {
    const person = await newPerson(world, partner, { role: "member" });
    const again = await signInAgain(world, person.user_id);
    const { id: account_id } = await world.newClient(partner);
    const create = (name: string) =>
      person.call("POST", `${GENERAL}/contacts`, {
        body: { account_id, name, phone: nextPhone() },
        headers: { "idempotency-key": name },
      });
    expect((await create("Before")).status).toBe(201);
    const user = await hold("select 1 from users where id = $1 for update", [person.user_id]);
    const sessions = await hold("select 1 from sessions where user_id = $1 for update", [person.user_id]);
    const ending = end(person, again);
    await untilWaiting(world.db.sql, ROW_LOCKS, 1);
    const creation = create("Late");
    await untilWaiting(world.db.sql, ADVISORY_LOCKS, 1);
    await sessions.release();
    await user.release();
    expect(Math.floor((await ending) / 100)).toBe(2);
    expect((await creation).status).toBe(status);
    expect(await world.db.sql("select name from contacts where account_id = $1", [account_id])).toEqual([{ name: "Before" }]);
  });
});
