import { beforeAll, describe, expect, test } from "vitest";
import { changes, walk } from "../harness/lists.ts";
import { type Json, nextPhone, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let partner: TestPartner;

beforeAll(async () => {
  partner = await world.newPartner();
});

const upsert = (body: object) => world.call("POST", "/v1/contacts/upsert", { key: partner.key, body });

describe("an upsert", () => {
  test("makes a contact, then changes it, and says which of the two it did", async () => {
    const phone = nextPhone();
    const made = await upsert({ name: "Ada", phone, company: "Acme", tags: ["a"] });
    expect([made.status, made.headers.location]).toEqual([201, `/v1/contacts/${made.body.id}`]);
    const changed = await upsert({ name: "Ada O.", phone, tags: ["b"] });
    expect([changed.status, changed.headers.location]).toEqual([200, undefined]);
    expect(changed.body).toMatchObject({ id: made.body.id, name: "Ada O.", company: "Acme", tags: ["a", "b"], version: 2 });
    expect((await upsert({ name: "Ada O.", phone, tags: ["b"] })).body.version).toBe(2);
  });

  test.each([
    ["e-mail, whatever its case", { email: "match@upsert.example" }, { email: "MATCH@upsert.example" }],
    ["external id", { external_id: "match" }, { external_id: "match" }],
  ])("finds a contact by its %s, and gives it the new phone", async (_, first, second) => {
    const { id } = await world.newContact(partner, first);
    const phone = nextPhone();
    const { status, body } = await upsert({ name: "Same", phone, ...second });
    expect([status, body.id, body.phone]).toEqual([200, id, phone]);
  });

  test("that means two contacts changes neither and names both", async () => {
    const one = await world.newContact(partner);
    const two = await world.newContact(partner, { email: "two@upsert.example" });
    const { status, body } = await upsert({ name: "Both", phone: one.phone, email: two.email });
    expect([status, body.code]).toEqual([409, "ambiguous_match"]);
    expect(body.candidates).toEqual([
      { id: one.id, matched_on: ["phone"] },
      { id: two.id, matched_on: ["email"] },
    ]);
    for (const before of [one, two]) {
      expect((await world.call("GET", `/v1/contacts/${before.id}`, { key: partner.key })).body).toEqual(before);
    }
  });
});

test("a storm of upserts for one phone makes one contact, and loses none of their tags", async () => {
  const storm = await world.newPartner();
  const phone = nextPhone();
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      world.call("POST", "/v1/contacts/upsert", { key: storm.key, body: { name: "Storm", phone, tags: [`t${index}`] } }),
    ),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(19);
  const [contact, ...others] = await walk(world, storm.key, "/v1/contacts");
  expect(others).toEqual([]);
  expect(contact.tags.toSorted()).toEqual(Array.from({ length: 20 }, (_, index) => `t${index}`).toSorted());
  const told = await changes(world, storm.key);
  expect(told.map(({ version }: Json) => version)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
});

test("sent again with its Idempotency-Key, an upsert answers as it did, created and all", async () => {
  const options = { key: partner.key, body: { name: "Once", phone: nextPhone() }, headers: { "idempotency-key": "upsert-1" } };
  const first = await world.call("POST", "/v1/contacts/upsert", options);
  const again = await world.call("POST", "/v1/contacts/upsert", options);
  expect([first.status, again.status, again.headers["idempotent-replayed"]]).toEqual([201, 201, "true"]);
  expect(again.body).toEqual(first.body);
});
