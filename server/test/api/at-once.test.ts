import { beforeEach, describe, expect, test } from "vitest";
import { sent } from "../../src/platform/db/flight.ts";
import { ADVISORY_LOCKS, ROW_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import { onCluster } from "../harness/reads.ts";
import { ADMIN, BASE, GENERAL, type Json, nextPhone, type TestPartner, useWorld } from "../harness/world.ts";

/** Nothing else happens here, so that flights can be counted. */
const world = useWorld({}, "api");
const hold = useHolds(() => world.db.connect());

let partner: TestPartner;
let account_id: string;
let turn = 0;

beforeEach(async () => {
  partner = await world.newPartner();
  account_id = (await world.newClient(partner)).id;
  // So often that connections have prepared what is sent, and answers are known.
  for (let count = 0; count < 4; count += 1) expect((await createContact()).status).toBe(201);
  for (let count = 0; count < 4; count += 1) expect((await createClient()).status).toBe(201);
});

function headersOf(idempotency_key?: string): Record<string, string> {
  turn += 1;
  return { "idempotency-key": idempotency_key ?? `turn-${turn}` };
}

const createContact = (fields: object = {}, idempotency_key?: string) =>
  world.call("POST", `${GENERAL}/contacts`, {
    key: partner.key,
    body: { account_id, name: "Ada", phone: nextPhone(), ...fields },
    headers: headersOf(idempotency_key),
  });
const createClient = (fields: object = {}) =>
  world.call("POST", `${BASE}/clients`, { key: partner.key, body: { company: "Elm", ...fields }, headers: headersOf() });

const createLead = () =>
  world.call("POST", `${GENERAL}/leads`, {
    key: partner.key,
    body: { account_id, name: "Ada", phone: nextPhone() },
    headers: headersOf(),
  });

async function countContacts(): Promise<number> {
  const [row] = await world.db.sql<{ count: number }>("select count(*)::int as count from contacts where account_id = $1", [
    account_id,
  ]);
  return row?.count ?? 0;
}

/** The flights of a request besides that of its key. */
async function flightsOf(request: () => Promise<{ status: number }>): Promise<number> {
  const before = sent.flights;
  expect((await request()).status).toBe(201);
  return sent.flights - before - 1;
}

describe("a create whose account and key are known", () => {
  test.skipIf(onCluster())("takes one round trip, a contact as well as a client, and a lead two", async () => {
    expect(await flightsOf(createContact)).toBe(1);
    expect(await flightsOf(createClient)).toBe(1);
    for (let count = 0; count < 4; count += 1) expect((await createLead()).status).toBe(201);
    expect(await flightsOf(createLead)).toBe(2);
  });

  test("is refused by what has changed since: the account, its fields, the phone", async () => {
    const { key } = partner;
    const before = await countContacts();
    const body = { account_id, resource: "contact", key: "seats", label: "Seats", type: "number", required: true };
    expect((await world.call("POST", `${GENERAL}/custom-fields`, { key, body })).status).toBe(201);
    expect((await createContact()).body.errors).toMatchObject([{ pointer: "#/custom/seats" }]);
    const phone = nextPhone();
    expect((await createContact({ custom: { seats: 3 }, phone })).status).toBe(201);
    expect((await createContact({ custom: { seats: 3 }, phone })).body.code).toBe("duplicate_contact");
    await world.call("POST", `${BASE}/clients/${account_id}/suspend`, { key });
    expect((await createContact({ custom: { seats: 3 } })).body.code).toBe("client_inactive");
    expect(await countContacts()).toBe(before + 1);
  });

  test("waits for a suspension of the account under way, and is refused by it", async () => {
    const before = await countContacts();
    const session = await world.db.connect();
    try {
      await session.query("begin");
      await session.query("update clients set status = 'suspended', version = version + 1 where partner_id = $1 and id = $2", [
        partner.partner_id,
        account_id,
      ]);
      const creations = [createContact(), createContact(), createContact()];
      await untilWaiting(world.db.sql, ROW_LOCKS, 3);
      await session.query("commit");
      for (const { body } of await Promise.all(creations)) expect(body.code).toBe("client_inactive");
    } finally {
      await session.end();
    }
    expect(await countContacts()).toBe(before);
  });

  test("waits for a revocation of its key under way, and is refused by it", async () => {
    const before = await countContacts();
    const list = await world.call("GET", `${BASE}/keys`, { key: partner.key });
    const { id } = list.body.data[0] as Json;
    const other = await world.newKey(partner);
    const row = await hold("select 1 from keys where id = $1 for update", [id]);
    const revocation = world.call("DELETE", `${BASE}/keys/${id}`, { key: other });
    await untilWaiting(world.db.sql, ROW_LOCKS, 1);
    const creations = [createContact(), createClient()];
    await untilWaiting(world.db.sql, ADVISORY_LOCKS, 2);
    await row.release();
    expect((await revocation).status).toBe(204);
    for (const { status, body } of await Promise.all(creations))
      expect([status, body.code]).toEqual([401, "invalid_credentials"]);
    expect(await countContacts()).toBe(before);
  });

  test("has an effect once, however many are sent at once with one Idempotency-Key", async () => {
    const before = await countContacts();
    const phone = nextPhone();
    const replies = await Promise.all(Array.from({ length: 12 }, () => createContact({ phone }, "the-same")));
    const made = replies.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    for (const { status, body } of replies) if (status !== 201) expect(body.code).toBe("idempotency_key_in_progress");
    expect((await createContact({ phone }, "the-same")).text).toBe(made[0]?.text);
    expect(await countContacts()).toBe(before + 1);
  });
});

describe("a client", () => {
  test("is answered as it is read afterwards, with the partner's branding as it is now", async () => {
    const { key } = partner;
    const shown = async (fields: object) => {
      const made = await createClient(fields);
      expect(made.status).toBe(201);
      const read = await world.call("GET", `${BASE}/clients/${made.body.id}`, { key });
      expect([read.body, read.headers.etag]).toEqual([made.body, made.headers.etag]);
      return made.body;
    };
    const contact = { name: "Ada Ünal", email: "ada@elm.example" };
    await shown({
      external_id: `e ${turn}`,
      contact,
      mrr_cents: 9_900,
      tags: ["b", "a"],
      metadata: { z: "1", a: "2" },
      activate: false,
    });
    expect((await shown({})).branding_source).toBe("partner");
    const branding = { product_name: "Elm Desk" };
    await world.db.sql("update partners set branding = $2, version = version + 1 where id = $1", [partner.partner_id, branding]);
    expect(await shown({})).toMatchObject({ branding, branding_source: "partner" });
    expect(await shown({ branding: { primary_color: "#112233" } })).toMatchObject({
      branding: { ...branding, primary_color: "#112233" },
      branding_source: "override",
    });
  });

  test("gets a plan only while the programme has it", async () => {
    const create = async (plan: string) => (await createClient({ plan })).body;
    for (let count = 0; count < 3; count += 1) expect((await create("Own")).plan).toBe("Own");
    const key = await world.newOperator();
    const plan = await world.call("POST", `${ADMIN}/plans`, { key, body: { name: `Plan ${turn}` } });
    expect((await create("Own")).code).toBe("unknown_plan");
    const name = plan.body.name as string;
    for (let count = 0; count < 3; count += 1) expect((await create(name.toUpperCase())).plan).toBe(name);
    const change = async (body: Json) => {
      const changed = await world.call("PATCH", `${ADMIN}/plans/${plan.body.id}`, { key, body, headers: { "if-match": "*" } });
      expect(changed.status).toBe(200);
    };
    await change({ name: name.toLowerCase() });
    for (let count = 0; count < 3; count += 1) expect((await create(name.toUpperCase())).plan).toBe(name.toLowerCase());
    await world.call("POST", `${ADMIN}/plans`, { key, body: { name: `Other ${turn}` } });
    await change({ state: "archived" });
    expect((await create(name)).code).toBe("unknown_plan");
  });
});
