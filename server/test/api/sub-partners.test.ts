import { beforeAll, describe, expect, test } from "vitest";
import { auditLog, feed, walk } from "../harness/lists.ts";
import { newSale } from "../harness/sales.ts";
import { ADMIN, BASE, GENERAL, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({ smtp: true });
let operator: string;
let people = 0;

beforeAll(async () => {
  operator = await world.newOperator();
});

async function invite(parent: TestPartner, fields: object = {}): Promise<Json> {
  people += 1;
  world.clock.advance(1);
  const owner = { name: "Rui Alves", email: `rui${people}@brightside.example` };
  const body = { company: "Brightside Lisbon", owner, ...fields };
  return world.call("POST", `${BASE}/sub-partners`, { key: parent.key, body });
}

/** A key of a partner that was invited, as one that the operator has given access. */
async function opened({ partner_id }: Json): Promise<TestPartner> {
  await world.call("PATCH", `${ADMIN}/partners/${partner_id}`, { key: operator, body: { api_access: true } });
  return { partner_id, key: await world.newKey({ partner_id, key: "" }) };
}

const get = async ({ key }: TestPartner, path: string) => (await world.call("GET", `${BASE}${path}`, { key })).body;

describe("inviting a partner", () => {
  test("admits it below the caller with the lowest grade, without API access, and invites its owner by e-mail", async () => {
    const parent = await world.newPartner();
    const { status, body, headers } = await invite(parent, { currency: "eur" });
    expect(status).toBe(201);
    expect(headers.location).toBe(`${BASE}/sub-partners/${body.partner_id}`);
    expect(body).toEqual({
      partner_id: body.partner_id,
      company: "Brightside Lisbon",
      grade: "registered",
      status: "active",
      active_clients: 0,
      overrides: [],
      joined_at: world.clock.now().toISOString(),
    });
    expect(await get(parent, `/sub-partners/${body.partner_id}`)).toEqual(body);
    const stored = (await world.call("GET", `${ADMIN}/partners/${body.partner_id}`, { key: operator })).body;
    expect(stored).toMatchObject({ parent_id: parent.partner_id, api_access: false, pinned: false, currency: "eur" });
    const mails = await world.db.sql("select kind from outgoing_mail where about = $1", [stored.owner.id]);
    expect(mails).toEqual([{ kind: "invitation" }]);
    const [entry] = await auditLog(world, parent.key, { action: "sub_partners.create" });
    expect(entry).toMatchObject({ target: body.partner_id, outcome: "success" });
  });

  test("goes as deep as the tree may be, and leaves nothing behind where it is refused", async () => {
    let parent = await world.newPartner();
    for (let level = 0; level < 3; level += 1) parent = await opened((await invite(parent)).body);
    const before = await world.db.sql("select count(*) from partners");
    const deep = await invite(parent);
    expect([deep.status, deep.body.code]).toEqual([409, "tree_too_deep"]);
    const top = await world.newPartner();
    const taken = await invite(top, { owner: { name: "Rui", email: `rui${people - 1}@brightside.example` } });
    expect([taken.status, taken.body.code]).toEqual([409, "duplicate_user"]);
    await world.db.sql("update programme set sub_partner_invites = 'off'");
    const off = await invite(top);
    await world.db.sql("update programme set sub_partner_invites = 'on'");
    expect([off.status, off.body.code]).toEqual([403, "sub_partners_off"]);
    expect(await world.db.sql("select count(*) from partners where id <> $1", [top.partner_id])).toEqual(before);
  });

  test("two at once below the same partner are both admitted, and one retried with its key is admitted once", async () => {
    const parent = await world.newPartner();
    const replies = await Promise.all([invite(parent), invite(parent)]);
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    const owner = { name: "Rui Alves", email: "once@brightside.example" };
    const options = { key: parent.key, body: { company: "Once", owner }, headers: { "idempotency-key": "lisbon-1" } };
    const [first, again] = [
      await world.call("POST", `${BASE}/sub-partners`, options),
      await world.call("POST", `${BASE}/sub-partners`, options),
    ];
    expect(again.body).toEqual(first.body);
    expect(await walk(world, parent.key, "/sub-partners", { limit: 1 })).toHaveLength(3);
  });
});

describe("what a partner sees of one below it", () => {
  test("totals: its active clients, and the overrides in its own book by currency", async () => {
    const parent = await world.newPartner();
    const below = await opened((await invite(parent)).body);
    const other = await opened((await invite(parent)).body);
    for (const partner of [below, below, other]) await world.newClient(partner);
    const { id } = await world.newClient(below);
    await world.call("DELETE", `${BASE}/clients/${id}`, { key: below.key });
    await world.db.sql("insert into books (partner_id) values ($1), ($2)", [parent.partner_id, below.partner_id]);
    const earned = (partner_id: string, source: string, currency: string, amount: number) =>
      world.db.sql(
        `insert into commissions (partner_id, id, cause, kind, level, source_partner_id, base_cents, rate_bps, amount_cents, currency, grade,
           calculation, accrued_at, status)
         values ($1, $2, $2, 'override', 1, $3, 10000, 300, $4, $5, 'gold', '[]', now(), 'pending')`,
        [partner_id, `com_${people++}`, source, amount, currency],
      );
    await earned(parent.partner_id, below.partner_id, "usd", 1499);
    await earned(parent.partner_id, below.partner_id, "usd", -500);
    await earned(parent.partner_id, below.partner_id, "eur", 100);
    await earned(below.partner_id, other.partner_id, "usd", 7777);
    const rows = await walk(world, parent.key, "/sub-partners", { limit: 1 });
    const totals = rows.map(({ partner_id, active_clients, overrides }) => ({ partner_id, active_clients, overrides }));
    expect(totals).toEqual([
      { partner_id: other.partner_id, active_clients: 1, overrides: [] },
      {
        partner_id: below.partner_id,
        active_clients: 2,
        overrides: [
          { currency: "eur", amount_cents: 100 },
          { currency: "usd", amount_cents: 999 },
        ],
      },
    ]);
  });

  test("only those directly below it, and none of another partner's", async () => {
    const parent = await world.newPartner();
    const below = await opened((await invite(parent)).body);
    const deeper = (await invite(below)).body;
    const stranger = await world.newPartner();
    expect((await get(parent, "/sub-partners")).data).toHaveLength(1);
    for (const [who, id] of [
      [parent, deeper.partner_id],
      [stranger, below.partner_id],
      [parent, parent.partner_id],
      [below, parent.partner_id],
    ] as const) {
      expect((await world.call("GET", `${BASE}/sub-partners/${id}`, { key: who.key })).status).toBe(404);
    }
  });

  test("nothing else: clients, sales, contacts, users, keys, events and tiers of it are not found", async () => {
    const parent = await world.newPartner();
    const below = await opened((await invite(parent)).body);
    const client = await world.newClient(below);
    const contact = await world.newContact(below, { account_id: client.id });
    const lead = await world.newLead(below, { account_id: client.id });
    const { deal_id } = await newSale(world, below);
    const [event] = await feed(world, below.key);
    const [user] = (await get(below, "/users")).data;
    const [key] = (await get(below, "/keys")).data;
    const [entry] = await auditLog(world, below.key);
    for (const path of [
      `${BASE}/clients/${client.id}`,
      `${BASE}/clients/${client.id}/activity`,
      `${BASE}/deals/${deal_id}`,
      `${BASE}/users/${user.id}`,
      `${BASE}/keys/${key.id}`,
      `${BASE}/events/${event.id}`,
      `${BASE}/audit-log/${entry.id}`,
      `${GENERAL}/contacts/${contact.id}`,
      `${GENERAL}/leads/${lead.id}`,
      `${GENERAL}/deals/${deal_id}`,
      `${ADMIN}/partners/${below.partner_id}/tier`,
    ]) {
      const own = await world.call("GET", path, { key: below.key });
      const { status } = await world.call("GET", path, { key: parent.key });
      expect([path, own.status, status]).toEqual([path, ...(path.startsWith(ADMIN) ? [401, 401] : [200, 404])]);
    }
    for (const path of ["/clients", "/deals", "/users", "/keys", "/events", "/account/tier-changes", "/account/certifications"]) {
      const text = JSON.stringify(await get(parent, path));
      for (const secret of [below.partner_id, client.id, deal_id, event.id, user.id, key.id]) {
        expect([path, text.includes(secret)]).toEqual([path, false]);
      }
    }
    const { status } = await world.call("DELETE", `${BASE}/clients/${client.id}`, { key: parent.key });
    expect(status).toBe(404);
  });
});
