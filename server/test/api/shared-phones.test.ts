import { beforeAll, describe, expect, test } from "vitest";
import { contactsOf, errorsOf, importFile } from "../harness/imports.ts";
import { type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let partner: TestPartner;
const PHONE = "+14155552671";

beforeAll(async () => {
  partner = await world.newPartner();
});

const share = (shared_phones: boolean, account_id?: string, key = partner.key) =>
  world.call("PATCH", "/v1/contacts/settings", { key, body: { shared_phones, account_id } });
const create = (body: object) => world.call("POST", "/v1/contacts", { key: partner.key, body: { phone: PHONE, ...body } });
const upsert = (body: object) => world.call("POST", "/v1/contacts/upsert", { key: partner.key, body: { phone: PHONE, ...body } });

/** An account of its own whose contacts may share phones, with two that do. */
async function household(): Promise<{ account_id: string; ada: Json; bo: Json }> {
  const { id: account_id } = await world.newClient(partner);
  expect((await share(true, account_id)).body).toEqual({ account_id, shared_phones: true });
  const { body: ada } = await create({ account_id, name: "Ada", email: "ada@home.example" });
  const { body: bo, status } = await create({ account_id, name: "Bo", email: "bo@home.example" });
  expect(status).toBe(201);
  return { account_id, ada, bo };
}

describe("an account that lets contacts share a phone", () => {
  test("says so, and others do not", async () => {
    const { account_id } = await household();
    const read = (query: string) => world.call("GET", `/v1/contacts/settings${query}`, { key: partner.key });
    expect((await read(`?account_id=${account_id}`)).body.shared_phones).toBe(true);
    expect((await read("")).body.shared_phones).toBe(false);
    expect((await read("?account_id=cli_01jd3k5y5cf7m8n9p0q1r2s3t4")).body.code).toBe("invalid_parameter");
  });

  test("still has each e-mail and external id once", async () => {
    const { account_id, ada } = await household();
    const { status, body } = await create({ account_id, name: "Eve", email: "ADA@home.example" });
    expect([status, body.code, body.existing_id, body.fields]).toEqual([409, "duplicate_contact", ada.id, ["email"]]);
  });

  test("takes also those for sharing that were there before", async () => {
    const { id: account_id } = await world.newClient(partner);
    await create({ account_id, name: "Ada" });
    expect((await create({ account_id, name: "Bo" })).status).toBe(409);
    await share(true, account_id);
    expect((await create({ account_id, name: "Bo" })).status).toBe(201);
  });

  test("an upsert goes by e-mail or external id where it has one, and by the phone only without", async () => {
    const { account_id, ada, bo } = await household();
    const changed = await upsert({ account_id, name: "Bo Ek", email: "bo@home.example" });
    expect([changed.status, changed.body.id]).toEqual([200, bo.id]);
    const third = await upsert({ account_id, name: "Cy", email: "cy@home.example" });
    expect(third.status).toBe(201);
    const { status, body } = await upsert({ account_id, name: "Who" });
    expect([status, body.code]).toEqual([409, "ambiguous_match"]);
    expect(body.candidates.map(({ id }: Json) => id)).toEqual([ada.id, bo.id, third.body.id].toSorted());
  });

  test("goes back to one contact a phone once none is shared, and then holds it", async () => {
    const { account_id, bo } = await household();
    const refused = await share(false, account_id);
    expect([refused.status, refused.body.code, refused.body.phones]).toEqual([409, "resource_in_use", [PHONE]]);
    await world.call("PATCH", `/v1/contacts/${bo.id}`, { key: partner.key, body: { phone: "+14155552672" } });
    expect((await share(false, account_id)).status).toBe(200);
    expect((await create({ account_id, name: "Cy" })).body.code).toBe("duplicate_contact");
  });

  test("while it goes back, no contact comes in between", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id: account_id } = await world.newClient(partner);
      await share(true, account_id);
      await create({ account_id, name: "Ada" });
      const [back, ...made] = await Promise.all([
        share(false, account_id),
        ...[1, 2, 3].map(() => create({ account_id, name: "Bo" })),
      ]);
      const { body } = await world.call("GET", `/v1/contacts?account_id=${account_id}`, { key: partner.key });
      const created = made.filter(({ status }) => status === 201).length;
      expect(body.data.length).toBe(1 + created);
      expect(back?.status).toBe(created > 0 ? 409 : 200);
    }
  });

  test("a merge is not undone where its contacts would share a phone that is unique by now", async () => {
    const { account_id, ada, bo } = await household();
    const merge = (from: Json, into: Json) =>
      world.call("POST", `/v1/contacts/${into.id}/merge`, { key: partner.key, body: { from_id: from.id } });
    const { body: merged } = await merge(bo, ada);
    expect((await share(false, account_id)).status).toBe(200);
    const undo = () => world.call("POST", `/v1/contacts/merges/${merged.id}/undo`, { key: partner.key });
    const { status, body } = await undo();
    expect([status, body.code, body.reason]).toEqual([409, "merge_not_undoable", "identity_taken"]);
    await share(true, account_id);
    expect((await undo()).status).toBe(200);
  });

  test("a key bound to another client finds no such account", async () => {
    const { account_id } = await household();
    const bound = await world.newKey(partner, { clients: [(await world.newClient(partner)).id] });
    const { status, body } = await share(false, account_id, bound);
    expect([status, body.errors[0].code]).toEqual([422, "unknown_account"]);
  });

  test("of a suspended client is not changed", async () => {
    const { account_id } = await household();
    await world.call("POST", `/v1/partners/clients/${account_id}/suspend`, { key: partner.key });
    expect((await share(false, account_id)).body.code).toBe("client_inactive");
  });
});

describe("an import into such an account", () => {
  test("makes several contacts of one phone, and changes each by its e-mail", async () => {
    const home = await world.newPartner();
    await world.call("PATCH", "/v1/contacts/settings", { key: home.key, body: { shared_phones: true } });
    const rows = (names: string[]) =>
      names.map((name) => `${name},${PHONE},${name.slice(0, 2).toLowerCase()}@home.example\n`).join("");
    const made = await importFile(world, home, `name,phone,email\n${rows(["Ada", "Bo1", "Cy1"])}`);
    expect(made).toMatchObject({ created: 3, failed: 0 });
    const changed = await importFile(world, home, `name,phone,email\n${rows(["Bo2", "Dee"])}`, { mode: "upsert" });
    expect(changed).toMatchObject({ created: 1, updated: 1, failed: 0 });
    const people = (await contactsOf(world, home)).map(({ name }) => name);
    expect(people.toSorted()).toEqual(["Ada", "Bo2", "Cy1", "Dee"]);
    const unclear = await importFile(world, home, `name,phone\nWho,${PHONE}\n`, { mode: "upsert" });
    expect((await errorsOf(world, home, unclear.id))[0]).toMatchObject({ code: "ambiguous_match" });
    expect(await importFile(world, home, `name,phone,email\n${rows(["Eve", "Eva"])}`, { dry_run: "true" })).toMatchObject({
      created: 1,
      failed: 1,
    });
  });
});
