import { beforeAll, describe, expect, test } from "vitest";
import { moveDeal, newDeal } from "../harness/deals.ts";
import { auditLog, changes, feed, walk } from "../harness/lists.ts";
import { later, nextCompany } from "../harness/sales.ts";
import { BASE, GENERAL, type Json, nextPhone, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let partner: TestPartner;

beforeAll(async () => {
  partner = await world.newPartner();
});

const DEALS = `${BASE}/deals`;
const SOLD = { plan: "Growth", mrr_cents: 49_900 };
const register = (body: object, key = partner.key) => world.call("POST", DEALS, { key, body });
const check = async (company: string) => (await register({ company, ...SOLD }, (await world.newPartner()).key)).status;
const toldOf = async (deal_id: string) => (await feed(world, partner.key)).filter(({ data }) => data.deal_id === deal_id);
const typesOf = async (deal_id: string) => (await toldOf(deal_id)).map(({ type }) => type);

describe("a deal of the house account without a company or a plan", () => {
  test("is a plain one: not registered, not protected, not told", async () => {
    for (const fields of [
      { name: nextCompany(), amount_cents: 5 },
      { company: nextCompany() },
      { name: nextCompany(), ...SOLD },
    ]) {
      const deal = await newDeal(world, partner, { name: undefined, ...fields });
      expect(deal).toMatchObject({ sale: false, registration: null, company: fields.company ?? null });
      expect([await typesOf(deal.id), await check(deal.name)]).toEqual([[], 201]);
    }
  });

  test("is a sale with both, whichever API made it", async () => {
    const company = nextCompany();
    const deal = await newDeal(world, partner, { company, plan: "Growth" });
    expect(deal).toMatchObject({ sale: true, registration: { status: "approved" } });
    expect([await typesOf(deal.id), await check(company)]).toEqual([["deal.registered"], 409]);
    const refused = await register({ company: nextCompany() });
    expect([refused.status, refused.body.errors[0]]).toMatchObject([422, { pointer: "#/plan", code: "required_by_sale" }]);
  });

  test("that comes from a lead is a plain one, unless the conversion sells a plan", async () => {
    const convert = async (fields: object) => {
      const lead = await world.newLead(partner, { company: nextCompany(), phone: nextPhone() });
      const { body } = await world.call("POST", `${GENERAL}/leads/${lead.id}/convert`, {
        key: partner.key,
        body: { deal: fields },
      });
      return body.deal;
    };
    expect(await convert({ amount_cents: 5 })).toMatchObject({ sale: false, registration: null });
    expect(await convert(SOLD)).toMatchObject({ sale: true, registration: { status: "approved" } });
  });

  test("tells its moves, and winning it only sets its status", async () => {
    const { id } = await newDeal(world, partner, { company: nextCompany(), mrr_cents: 5 });
    await moveDeal(world, partner, id, { stage: "Qualified" });
    const { status, body } = await moveDeal(world, partner, id, { stage: "Won" });
    expect([status, body]).toMatchObject([200, { status: "won", client_id: null, registration: null }]);
    expect((await toldOf(id)).map(({ type, data }) => [type, data.to_stage])).toEqual([
      ["deal.stage_changed", "Qualified"],
      ["deal.stage_changed", "Won"],
    ]);
    expect((await moveDeal(world, partner, id, { stage: "New" })).status).toBe(200);
    expect(await check(body.company)).toBe(201);
  });

  test("does not become a sale by a change, and is listed with sale=false", async () => {
    const { id } = await newDeal(world, partner, {});
    const { body } = await world.call("PATCH", `${DEALS}/${id}`, { key: partner.key, body: { company: nextCompany(), ...SOLD } });
    expect(body).toMatchObject({ sale: false, registration: null, ...SOLD });
    const ids = (await walk(world, partner.key, "/deals", { sale: "false" })).map((deal) => deal.id);
    expect(ids).toContain(id);
  });
});

describe("registering a plain deal", () => {
  test("makes it a sale, with the fields that it lacked, and tells it once", async () => {
    const { id, name } = await newDeal(world, partner, { amount_cents: 5 });
    const company = nextCompany();
    const { status, body, headers } = await register({ deal_id: id, company, ...SOLD });
    expect([status, headers.location]).toEqual([201, `${DEALS}/${id}`]);
    expect(body).toMatchObject({ id, name, company, ...SOLD, amount_cents: 5, sale: true });
    expect(body.registration).toEqual({ status: "approved", protected_until: later(world, 90), reason: null });
    expect([await typesOf(id), await check(company)]).toEqual([["deal.registered"], 409]);
    const told = (await changes(world, partner.key)).filter((change) => change.id === id);
    expect(told.at(-1)).toMatchObject({ change: "updated", version: body.version });
    expect((await auditLog(world, partner.key, { target: id })).map(({ action }) => action)).toContain("registrations.create");
  });

  test("needs a company and a plan, of the deal or of the request", async () => {
    const { id } = await newDeal(world, partner, { plan: "Growth" });
    const refused = await register({ deal_id: id });
    expect([refused.status, refused.body.errors[0]]).toMatchObject([422, { pointer: "#/company", code: "required_by_sale" }]);
    expect((await register({ deal_id: id, company: nextCompany() })).status).toBe(201);
  });

  test("is refused for a registered deal, a closed one, one of a client, an unknown one, and with a stage", async () => {
    const client = await world.newClient(partner, { company: nextCompany() });
    const sold = { company: nextCompany(), ...SOLD };
    const sale = (await register({ ...sold })).body;
    const again = await register({ deal_id: sale.id });
    expect([again.status, again.body.code, again.body.existing_id]).toEqual([409, "deal_conflict", sale.id]);
    const lost = await newDeal(world, partner, { stage: "Lost" });
    const closed = await register({ deal_id: lost.id, ...sold, company: nextCompany() });
    expect([closed.status, closed.body.code, closed.body.from]).toEqual([409, "invalid_state_transition", "lost"]);
    const theirs = await newDeal(world, partner, { account_id: client.id });
    for (const deal_id of [theirs.id, "deal_01jd3k5y5cf7m8n9p0q1r2s3t4"])
      expect((await register({ deal_id, ...sold })).body.errors[0]).toMatchObject({ pointer: "#/deal_id", code: "unknown_deal" });
    const { id } = await newDeal(world, partner, {});
    const staged = await register({ deal_id: id, company: nextCompany(), ...SOLD, stage: "Won" });
    expect(staged.body.errors[0]).toMatchObject({ pointer: "#/stage", code: "not_of_registration" });
  });

  test("of a company that another partner has is refused and leaves the deal as it was", async () => {
    const company = nextCompany();
    await register({ company, ...SOLD }, (await world.newPartner()).key);
    const before = await newDeal(world, partner, {});
    expect((await register({ deal_id: before.id, company, ...SOLD })).body.code).toBe("deal_conflict");
    expect((await world.call("GET", `${DEALS}/${before.id}`, { key: partner.key })).body).toEqual(before);
  });

  test("of one that was won as a plain deal lets its first win as a sale be told", async () => {
    const { id } = await newDeal(world, partner, {});
    for (const stage of ["Won", "New"]) await moveDeal(world, partner, id, { stage });
    await register({ deal_id: id, company: nextCompany(), ...SOLD });
    const { body } = await moveDeal(world, partner, id, { stage: "Won" });
    expect(body.client_id).toMatch(/^cli_/);
    expect((await typesOf(id)).filter((type: string) => type === "deal.won")).toHaveLength(1);
  });

  test("of many at once registers one, whichever comes first", async () => {
    const company = nextCompany();
    const deals = await Promise.all(Array.from({ length: 6 }, () => newDeal(world, partner, {})));
    const replies = await Promise.all(
      deals.flatMap(({ id }) => [id, id]).map((deal_id) => register({ deal_id, company, ...SOLD })),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ body }: Json) => body.code === "deal_conflict")).toHaveLength(11);
  });
});
