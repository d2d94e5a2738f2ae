import { beforeAll, describe, expect, test } from "vitest";
import { auditLog, changes, walk } from "../harness/lists.ts";
import { BASE, type Json, nextPhone, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let partner: TestPartner;

beforeAll(async () => {
  partner = await world.newPartner();
});

const CONTACTS = "/v1/contacts";
const create = (body: object, key = partner.key) => world.call("POST", CONTACTS, { key, body });
const get = (id: string, key = partner.key) => world.call("GET", `${CONTACTS}/${id}`, { key });
const patch = (id: string, body: object, key = partner.key) => world.call("PATCH", `${CONTACTS}/${id}`, { key, body });

async function houseOf({ key }: TestPartner): Promise<string> {
  const rows = await walk(world, key, "/clients", { include_house: "true" });
  return rows.find(({ house }: Json) => house).id;
}

describe("a contact", () => {
  test("is made of a name and a phone alone, in the house account", async () => {
    const { status, body, headers } = await create({ name: "Ada", phone: "+14155552671" });
    expect([status, headers.location, headers.etag]).toEqual([201, `${CONTACTS}/${body.id}`, '"1"']);
    expect(body).toEqual({
      id: body.id,
      account_id: await houseOf(partner),
      name: "Ada",
      phone: "+14155552671",
      email: null,
      company: null,
      tags: [],
      notes: null,
      custom: {},
      owner_id: null,
      external_id: null,
      consent: { sms: "unknown", email: "unknown", whatsapp: "unknown", calls: "unknown" },
      created_at: world.clock.now().toISOString(),
      updated_at: world.clock.now().toISOString(),
      version: 1,
    });
    expect((await get(body.id)).body).toEqual(body);
  });

  test("is answered as it is read afterwards, whether created, changed or upserted", async () => {
    const { key } = partner;
    const fields = [
      { key: "seats", type: "number" },
      { key: "b", type: "text" },
    ];
    const { id: account_id } = await world.newClient(partner);
    for (const field of fields) {
      const body = { account_id, resource: "contact", label: field.key, ...field };
      expect((await world.call("POST", "/v1/custom-fields", { key, body })).status).toBe(201);
    }
    const phone = nextPhone();
    const made = await create({ account_id, name: "Ada", phone, tags: ["b", "a"], custom: { seats: 1.5, b: "ü" } });
    expect((await get(made.body.id)).body).toEqual(made.body);
    const consent = { sms: { status: "granted", source: "form" } };
    expect((await world.call("PUT", `${CONTACTS}/${made.body.id}/consent`, { key, body: consent })).status).toBe(200);
    const writes: [string, string, object][] = [
      ["PATCH", `/${made.body.id}`, { company: "Harbour", custom: { b: null } }],
      ["PATCH", `/${made.body.id}`, { phone: nextPhone(), email: "ada@write.example" }],
      ["POST", "/upsert", { account_id, name: "Ada O.", email: "ada@write.example", phone, tags: ["c"] }],
      ["POST", "/upsert", { account_id, name: "Ada O.", email: "ada@write.example", phone, custom: { b: "x" } }],
    ];
    for (const [index, [method, path, body]] of writes.entries()) {
      world.clock.advance(1_000);
      const answer = await world.call(method, CONTACTS + path, { key, body });
      expect(answer.status, answer.text).toBe(200);
      const read = await get(made.body.id);
      expect(read.body.version).toBe(index + 3);
      expect(answer.body).toEqual(read.body);
    }
  });

  test("gives its notes back as they were sent", async () => {
    for (const notes of ["", "  two\r\n\tlines ", '"quoted" \\ 😀', "=1+1"]) {
      const contact = await world.newContact(partner, { notes });
      expect([contact.notes, (await get(contact.id)).body.notes]).toEqual([notes, notes]);
    }
  });

  test("has its phone in the canonical form, whichever of its forms was sent", async () => {
    const { body } = await create({ name: "Lin", phone: "+8860223456789" });
    expect(body.phone).toBe("+886223456789");
    const again = await create({ name: "Lin", phone: "+886223456789" });
    expect([again.status, again.body.existing_id]).toEqual([409, body.id]);
  });

  test.each([
    ["+1 415 555 2671", "+14155552671"],
    ["004915112345678", "+4915112345678"],
    ["+12", undefined],
    ["me", undefined],
  ])("with the phone %s is refused, with a guess where there is one", async (phone, suggestion) => {
    const { status, body } = await create({ name: "Ada", phone });
    expect([status, body.code, body.suggestion, body.errors[0].pointer]).toEqual([422, "invalid_phone", suggestion, "#/phone"]);
  });

  test("is changed field by field: absent stays, null clears, what is equal changes nothing", async () => {
    const { id } = await world.newContact(partner, { email: "a@b.example", company: "Acme", tags: ["a", "b"] });
    const changed = await patch(id, { company: null, tags: ["c"] });
    expect(changed.body).toMatchObject({ email: "a@b.example", company: null, tags: ["c"], version: 2 });
    expect((await patch(id, { tags: ["c"] })).body.version).toBe(2);
    const stale = await world.call("PATCH", `${CONTACTS}/${id}`, {
      key: partner.key,
      body: { name: "B" },
      headers: { "if-match": '"1"' },
    });
    expect([stale.status, stale.body.code]).toEqual([412, "version_mismatch"]);
  });

  test("that is deleted is gone from everywhere, and its phone is free", async () => {
    const { id, phone } = await world.newContact(partner, { name: "Gone Person" });
    expect((await world.call("DELETE", `${CONTACTS}/${id}`, { key: partner.key })).status).toBe(204);
    expect((await get(id)).status).toBe(404);
    expect((await patch(id, { name: "Back" })).status).toBe(404);
    expect(await walk(world, partner.key, CONTACTS, { q: "Gone Person" })).toEqual([]);
    expect((await create({ name: "Next", phone })).status).toBe(201);
  });

  test("has an owner of the account's team or none", async () => {
    const client = await world.newClient(partner);
    const staff = (accounts: unknown, email: string) =>
      world.call("POST", `${BASE}/users`, { key: partner.key, body: { name: "Staff", email, role: "member", accounts } });
    const mine = await staff([client.id], "mine@contacts.example");
    const other = await staff([(await world.newClient(partner)).id], "other@contacts.example");
    const fields = { account_id: client.id };
    expect((await world.newContact(partner, { ...fields, owner_id: mine.body.id })).owner_id).toBe(mine.body.id);
    const { status, body } = await create({ name: "Ada", phone: nextPhone(), ...fields, owner_id: other.body.id });
    expect([status, body.errors[0]]).toMatchObject([422, { pointer: "#/owner_id", code: "unknown_user" }]);
  });
});

describe("a second contact with the same", () => {
  test.each([
    ["phone", "phone", () => ({ phone: "+14155550999" })],
    ["e-mail, whatever its case", "email", () => ({ email: "Twice@Same.example" })],
    ["external id", "external_id", () => ({ external_id: "twice" })],
  ])("%s is refused, naming the first, when it is made and when another is changed to it", async (_, field, fields) => {
    const first = await world.newContact(partner, fields());
    const same = Object.fromEntries(
      Object.entries(fields()).map(([name, value]) => [name, name === "email" ? value.toLowerCase() : value]),
    );
    const second = await create({ name: "Second", phone: nextPhone(), ...same });
    expect([second.status, second.body.code, second.body.existing_id, second.body.fields]).toEqual([
      409,
      "duplicate_contact",
      first.id,
      [field],
    ]);
    const third = await world.newContact(partner);
    const changed = await patch(third.id, same);
    expect([changed.status, changed.body.existing_id]).toEqual([409, first.id]);
    expect((await get(third.id)).body).toEqual(third);
  });

  test("phone is fine in another account", async () => {
    const { phone } = await world.newContact(partner);
    const client = await world.newClient(partner);
    expect((await world.newContact(partner, { phone, account_id: client.id })).account_id).toBe(client.id);
  });
});

test("of many requests for one phone at once, one makes the contact and the others are told of it", async () => {
  const phone = nextPhone();
  const replies = await Promise.all(Array.from({ length: 12 }, (_, index) => create({ name: `Racer ${index}`, phone })));
  const made = replies.filter(({ status }) => status === 201);
  expect(made).toHaveLength(1);
  for (const { status, body } of replies.filter((reply) => reply !== made[0])) {
    expect([status, body.existing_id]).toEqual([409, made[0]?.body.id]);
  }
});

describe("which account", () => {
  test("a key bound to one client makes contacts there, one bound to several has to say where", async () => {
    const [one, two] = [await world.newClient(partner), await world.newClient(partner)];
    const bound = await world.newKey(partner, { clients: [one.id] });
    expect((await create({ name: "Ada", phone: nextPhone() }, bound)).body.account_id).toBe(one.id);
    const several = await world.newKey(partner, { clients: [one.id, two.id] });
    const unclear = await create({ name: "Ada", phone: nextPhone() }, several);
    expect([unclear.status, unclear.body.code]).toEqual([422, "account_required"]);
    expect((await create({ name: "Ada", phone: nextPhone(), account_id: two.id }, several)).body.account_id).toBe(two.id);
  });

  test("an account that the key does not have is as one that never existed", async () => {
    const bound = await world.newKey(partner, { clients: [(await world.newClient(partner)).id] });
    const stranger = await world.newPartner();
    const answers = new Set<string>();
    for (const account_id of [
      (await world.newClient(partner)).id,
      (await world.newClient(stranger)).id,
      await houseOf(partner),
      "cli_01jd3k5y5cf7m8n9p0q1r2s3t4",
    ]) {
      const { status, body, text } = await create({ name: "Ada", phone: nextPhone(), account_id }, bound);
      expect([status, body.errors[0].code]).toEqual([422, "unknown_account"]);
      answers.add(text.replaceAll(body.request_id, "").replaceAll(account_id, ""));
    }
    expect(answers.size).toBe(1);
  });

  test("a list covers every account of the key, the house account too, or the one asked for", async () => {
    const lists = await world.newPartner();
    const [one, two] = [await world.newClient(lists), await world.newClient(lists)];
    const ids: string[] = [];
    for (const account_id of [undefined, one.id, two.id]) ids.push((await world.newContact(lists, { account_id })).id);
    const found = async (key: string, query = {}) =>
      (await walk(world, key, CONTACTS, { sort: "created_at", ...query })).map(({ id }) => id);
    expect(await found(lists.key)).toEqual(ids);
    expect(await found(lists.key, { account_id: one.id })).toEqual([ids[1]]);
    const bound = await world.newKey(lists, { clients: [one.id, two.id] });
    expect(await found(bound)).toEqual(ids.slice(1));
    expect((await get(ids[0] ?? "", bound)).status).toBe(404);
  });

  test.each(["suspended", "churned"])("a %s client's contacts can be read, and not changed", async (status) => {
    const client = await world.newClient(partner);
    const contact = await world.newContact(partner, { account_id: client.id });
    await world.call("PATCH", `${BASE}/clients/${client.id}`, { key: partner.key, body: { status } });
    const refusals = [
      await create({ name: "Ada", phone: nextPhone(), account_id: client.id }),
      await patch(contact.id, { name: "Bo" }),
      await world.call("DELETE", `${CONTACTS}/${contact.id}`, { key: partner.key }),
    ];
    expect(refusals.map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([409, "client_inactive"]));
    expect((await get(contact.id)).body).toEqual(contact);
  });

  test("no write into an account commits after its suspension has answered", async () => {
    const client = await world.newClient(partner);
    const body = () => ({ name: "Ada", phone: nextPhone(), account_id: client.id });
    const replies = Array.from({ length: 8 }, () => create(body()));
    const suspended = await world.call("POST", `${BASE}/clients/${client.id}/suspend`, { key: partner.key });
    expect(suspended.status).toBe(200);
    const [committed] = await world.db.sql<{ count: string }>("select count(*) from contacts where account_id = $1", [client.id]);
    replies.push(...Array.from({ length: 8 }, () => create(body())));
    const made = (await Promise.all(replies)).filter(({ status }) => status === 201);
    expect(made).toHaveLength(Number(committed?.count));
  });
});

test("every change is told once in the change feed and the audit log, without a person's values", async () => {
  const { partner_id, key } = await world.newPartner();
  const contact = await world.newContact({ partner_id, key }, { name: "Secret Person", tags: ["vip"] });
  await patch(contact.id, { email: "secret@person.example", tags: [] }, key);
  await world.call("DELETE", `${CONTACTS}/${contact.id}`, { key });
  const told = (await changes(world, key)).map(({ change, version }) => [change, version]);
  expect(told).toEqual([
    ["created", 1],
    ["updated", 2],
    ["deleted", 3],
  ]);
  const entries = await auditLog(world, key, { target: contact.id });
  expect(entries.map(({ action }) => action)).toEqual(["contacts.create", "contacts.update", "contacts.delete"]);
  expect(entries[0].changes).toEqual({ name: "redacted", phone: "redacted", tags: "redacted" });
  expect(entries[1].changes).toEqual({ email: "redacted", tags: "redacted" });
  expect(JSON.stringify(entries).toLowerCase()).not.toContain("secret");
});

test("a partner without access to the partner API uses the general one", async () => {
  const outside = await world.newPartner({ api_access: false });
  expect((await create({ name: "Ada", phone: nextPhone() }, outside.key)).status).toBe(201);
  expect((await world.call("GET", `${BASE}/clients`, { key: outside.key })).body.code).toBe("beta_access_required");
});
