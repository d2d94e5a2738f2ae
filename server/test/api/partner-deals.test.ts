import { beforeAll, describe, expect, test } from "vitest";
import { brokenHistories, moveDeal, newDeal, pipelineOf } from "../harness/deals.ts";
import { auditLog, changes, feed, walk } from "../harness/lists.ts";
import { DAY_MS, later, nextCompany, setProgramme } from "../harness/sales.ts";
import { ADMIN, BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let partner: TestPartner;

beforeAll(async () => {
  partner = await world.newPartner();
});

const DEALS = `${BASE}/deals`;
const SOLD = { plan: "Growth", mrr_cents: 49_900 };
const create = (body: object, key = partner.key) => world.call("POST", DEALS, { key, body });
const get = (id: string, key = partner.key) => world.call("GET", `${DEALS}/${id}`, { key });
const patch = (id: string, body: object, key = partner.key) => world.call("PATCH", `${DEALS}/${id}`, { key, body });
const move = (id: string, body: object, by = partner) => moveDeal(world, by, id, body);

async function sell(fields: object = {}, by = partner): Promise<Json> {
  const { status, body, text } = await create({ company: nextCompany(), ...SOLD, ...fields }, by.key);
  if (status !== 201) throw new Error(text);
  return body;
}

/** What was told about a deal, in order: its own events, and those of the client that it made. */
async function toldOf({ key }: TestPartner, deal_id: string, client_id: string | null = null): Promise<Json[]> {
  const events = await feed(world, key);
  return events.filter(({ data }) => data.deal_id === deal_id || (client_id !== null && data.client_id === client_id));
}
const typesOf = (events: Json[]) => events.map(({ type }) => type);

describe("a sale", () => {
  test("is registered with a company and a plan, in the house account, and told", async () => {
    const company = nextCompany();
    const { status, body, headers } = await create({ company, plan: "Growth" });
    expect([status, headers.location]).toEqual([201, `${DEALS}/${body.id}`]);
    expect(body).toMatchObject({
      sale: true,
      name: company,
      company,
      stage: "New",
      status: "open",
      currency: "usd",
      client_id: null,
    });
    expect(body.registration).toEqual({ status: "approved", protected_until: later(world, 90), reason: null });
    expect((await get(body.id)).body).toEqual(body);
    const [registered, ...more] = await toldOf(partner, body.id);
    expect([more, registered.type]).toEqual([[], "deal.registered"]);
    expect(registered.data).toEqual({
      deal_id: body.id,
      partner_id: partner.partner_id,
      client_id: null,
      company,
      plan: "Growth",
      mrr_cents: 0,
      pipeline_id: body.pipeline_id,
      stage: "New",
      registration_status: "approved",
      protected_until: later(world, 90),
    });
  });

  test("is the same thing in both APIs, whichever made it", async () => {
    const made = await newDeal(world, partner, { company: nextCompany(), ...SOLD });
    expect(made).toMatchObject({ sale: true, ...SOLD, registration: { status: "approved" } });
    expect((await get(made.id)).body).toEqual(made);
    expect(typesOf(await toldOf(partner, made.id))).toEqual(["deal.registered"]);
    const other = await sell();
    expect((await world.call("GET", `/v1/deals/${other.id}`, { key: partner.key })).body).toEqual(other);
  });

  test("is listed with the deals of the clients, and alone with sale=true", async () => {
    const listing = await world.newPartner();
    const client = await world.newClient(listing, { company: nextCompany() });
    const sale = await sell({}, listing);
    const deal = await newDeal(world, listing, { account_id: client.id });
    const ids = async (query = {}, key = listing.key) => (await walk(world, key, "/deals", query)).map(({ id }) => id);
    expect([await ids(), await ids({ sale: "true" })]).toEqual([[deal.id, sale.id], [sale.id]]);
    const bound = await world.newKey(listing, { clients: [client.id] });
    expect(await ids({}, bound)).toEqual([deal.id]);
    expect((await get(sale.id, bound)).status).toBe(404);
    expect((await create({ company: nextCompany() }, bound)).body.code).toBe("partner_wide_key_required");
  });

  test("of a company that another partner has is refused and leaves nothing", async () => {
    const rival = await world.newPartner();
    const { company } = await sell({}, rival);
    const before = (await walk(world, partner.key, "/deals")).length;
    const refused = await create({ company, ...SOLD });
    expect([refused.status, refused.body.code, refused.body.protected_until]).toEqual([409, "deal_conflict", later(world, 90)]);
    expect((await walk(world, partner.key, "/deals")).length).toBe(before);
  });

  test("takes its company along when it is renamed, and gives the old one up", async () => {
    const rival = await world.newPartner();
    const [first, second] = [nextCompany(), nextCompany()];
    const { id } = await sell({ company: first });
    expect((await patch(id, { company: second })).status).toBe(200);
    expect((await create({ company: second, ...SOLD }, rival.key)).status).toBe(409);
    expect((await create({ company: first, ...SOLD }, rival.key)).status).toBe(201);
    expect((await patch(id, { company: first })).body.code).toBe("deal_conflict");
    expect((await get(id)).body.company).toBe(second);
    for (const body of [{ company: null }, { plan: null }])
      expect((await patch(id, body)).body.errors[0].code).toBe("required_by_sale");
  });

  test("that is lost or deleted sets its company free, and one that opens again takes it back if it can", async () => {
    const rival = await world.newPartner();
    const company = nextCompany();
    const { id } = await sell({ company });
    await move(id, { stage: "Lost" });
    expect((await move(id, { stage: "New" })).status).toBe(200);
    expect((await create({ company, ...SOLD }, rival.key)).status).toBe(409);
    await move(id, { stage: "Lost" });
    const theirs = await create({ company, ...SOLD }, rival.key);
    const refused = await move(id, { stage: "New" });
    expect([theirs.status, refused.status, refused.body.code]).toEqual([201, 409, "deal_conflict"]);
    expect((await get(id)).body).toMatchObject({ status: "lost", version: 4 });
    await world.call("DELETE", `/v1/deals/${theirs.body.id}`, { key: rival.key });
    expect((await move(id, { stage: "New" })).status).toBe(200);
  });

  test("tells each of its moves, and those of a client's deal tell no event", async () => {
    const { id, stage_id, pipeline_id } = await sell();
    world.clock.advance(2 * DAY_MS);
    const { body } = await move(id, { stage: "Qualified" });
    await move(id, { stage: "Qualified" });
    const [, moved, ...more] = await toldOf(partner, id);
    expect([moved.type, more]).toEqual(["deal.stage_changed", []]);
    expect(moved.data).toEqual({
      deal_id: id,
      partner_id: partner.partner_id,
      client_id: null,
      pipeline_id,
      from_stage: "New",
      from_stage_id: stage_id,
      to_stage: "Qualified",
      to_stage_id: body.stage_id,
      stage_type: "open",
      change: "stage",
      changed_by: moved.data.changed_by,
      days_in_stage: 2,
    });
    expect(moved.data.changed_by).toMatch(/^key_/);
    const client = await world.newClient(partner, { company: nextCompany() });
    const deal = await newDeal(world, partner, { account_id: client.id });
    await move(deal.id, { stage: "Won" });
    expect(await toldOf(partner, deal.id)).toEqual([]);
  });

  test("of a rejected registration moves no more, and shows why", async () => {
    const operator = await world.newOperator();
    const { id } = await sell();
    const rejected = await world.call("POST", `${ADMIN}/registrations/${id}/reject`, { key: operator, body: { reason: "Ours" } });
    expect(rejected.status).toBe(200);
    expect((await get(id)).body.registration).toMatchObject({ status: "rejected", reason: "Ours" });
    for (const body of [{ stage: "Won" }, { stage: "Lost", dry_run: true }]) {
      const { status, body: problem } = await move(id, body);
      expect([status, problem.code]).toEqual([409, "registration_closed"]);
    }
    expect((await move(id, { stage: "New" })).status).toBe(200);
  });

  test("that waits for information is submitted again by a change, which shows at once", async () => {
    const operator = await world.newOperator();
    await setProgramme(world, operator, { registration_review: "review" });
    const { id, registration } = await sell();
    expect(registration.status).toBe("submitted");
    await world.call("POST", `${ADMIN}/registrations/${id}/request-info`, { key: operator, body: { reason: "Which plan?" } });
    expect((await get(id)).body.registration).toMatchObject({ status: "needs_info", reason: "Which plan?" });
    expect((await patch(id, { plan: "Scale" })).body.registration.status).toBe("submitted");
    await setProgramme(world, operator, { registration_review: "auto" });
  });
});

describe("a win", () => {
  test("is a client and a deal.won of exactly seven fields, told in their order", async () => {
    const { id, company } = await sell({ contact: { name: "Ada Okafor" } });
    const { status, body } = await move(id, { stage: "Won" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "won", client_id: expect.stringMatching(/^cli_/), version: 2 });
    const told = await toldOf(partner, id, body.client_id);
    expect(typesOf(told)).toEqual([
      "deal.registered",
      "deal.stage_changed",
      "client.created",
      "client.activated",
      "deal.won",
      "commission.accrued",
    ]);
    expect(told[4].data).toEqual({
      deal_id: id,
      client_id: body.client_id,
      company,
      ...SOLD,
      partner_id: partner.partner_id,
      first_commission_cents: 9980,
    });
    const client = await world.call("GET", `${BASE}/clients/${body.client_id}`, { key: partner.key });
    expect(client.body).toMatchObject({ company, ...SOLD, status: "active", contact: { name: "Ada Okafor" } });
    expect((await pipelineOf(world, partner, body.client_id)).name).toBe("Sales");
  });

  test("is told to nobody who is bound to the client that it makes, but for the client itself", async () => {
    const { id } = await sell();
    const { client_id } = (await move(id, { stage: "Won" })).body;
    const key = await world.newKey(partner, { clients: [client_id] });
    expect(typesOf(await feed(world, key))).toEqual(["client.created", "client.activated"]);
  });

  test("links the client that the sale names", async () => {
    const client = await world.newClient(partner, { company: nextCompany(), activate: false });
    const { id } = await sell({ company: client.company, client_id: client.id });
    expect((await move(id, { stage: "Won" })).body.client_id).toBe(client.id);
    expect(typesOf(await toldOf(partner, id, client.id))).toEqual([
      "client.created",
      "deal.registered",
      "deal.stage_changed",
      "client.activated",
      "deal.won",
      "commission.accrued",
    ]);
  });

  test("needs a price, and says so with the rest", async () => {
    const { id } = await sell({ mrr_cents: null });
    const { status, body } = await move(id, { stage: "Won" });
    expect([status, body.code]).toEqual([422, "stage_rule_violation"]);
    expect(body.violations).toEqual([{ rule: "required_fields", fields: ["mrr_cents"], detail: "Won requires mrr_cents." }]);
    expect((await patch(id, SOLD)).status).toBe(200);
    expect((await move(id, { stage: "Won", dry_run: true })).body).toMatchObject({ status: "won", client_id: null });
    expect(typesOf(await toldOf(partner, id))).toEqual(["deal.registered"]);
    expect((await move(id, { stage: "Won" })).status).toBe(200);
  });

  test("is told once: a sale that is won again after it was open tells its moves and what it earns, and keeps its client", async () => {
    const { id } = await sell();
    const { client_id } = (await move(id, { stage: "Won" })).body;
    expect((await move(id, { stage: "Negotiation" })).body).toMatchObject({ status: "open", client_id });
    const again = (await move(id, { stage: "Won" })).body;
    expect(again).toMatchObject({ status: "won", client_id });
    expect(typesOf(await toldOf(partner, id, client_id)).slice(4)).toEqual([
      "deal.won",
      "commission.accrued",
      "deal.stage_changed",
      "commission.accrued",
      "deal.stage_changed",
      "commission.accrued",
    ]);
  });

  test("of two at once makes one client and one deal.won", async () => {
    for (let round = 0; round < 3; round += 1) {
      const { id } = await sell();
      const replies = await Promise.all([move(id, { stage: "Won" }), move(id, { stage: "Won" })]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      expect(replies[0]?.body.client_id).toBe(replies[1]?.body.client_id);
      expect(typesOf(await toldOf(partner, id)).filter((type) => type === "client.created" || type === "deal.won")).toEqual([
        "client.created",
        "deal.won",
      ]);
    }
  });

  test("of a sale that begins won is told after its registration", async () => {
    const sale = await sell({ stage: "Won" });
    expect(sale).toMatchObject({ status: "won", client_id: expect.stringMatching(/^cli_/) });
    expect(typesOf(await toldOf(partner, sale.id, sale.client_id))).toEqual([
      "deal.registered",
      "client.created",
      "client.activated",
      "deal.won",
      "commission.accrued",
    ]);
    const refused = await create({ company: nextCompany(), plan: "Growth", stage: "Won" });
    expect(refused.body.violations[0].fields).toEqual(["mrr_cents"]);
  });

  test("keeps the sale and its money: no deletion, no other plan, price, currency or client", async () => {
    const { id } = await sell();
    await move(id, { stage: "Won" });
    const other = await world.newClient(partner, { company: nextCompany() });
    for (const body of [{ plan: "Scale" }, { mrr_cents: 1 }, { currency: "eur" }, { client_id: other.id }, { amount_cents: 1 }]) {
      const refused = await patch(id, body);
      expect([refused.status, refused.body.code, refused.body.fields]).toEqual([409, "deal_won", Object.keys(body)]);
    }
    expect((await world.call("DELETE", `/v1/deals/${id}`, { key: partner.key })).body.code).toBe("deal_won");
    expect((await patch(id, { notes: "Thanks" })).status).toBe(200);
  });

  test("to a client that is not the partner's, or the house account, is refused when it is named", async () => {
    const stranger = await world.newClient(await world.newPartner(), { company: nextCompany() });
    const { account_id } = await sell();
    for (const client_id of [stranger.id, account_id])
      expect((await create({ company: nextCompany(), ...SOLD, client_id })).body.errors[0]).toMatchObject({
        pointer: "#/client_id",
        code: "unknown_client",
      });
  });
});

describe("many sales at once", () => {
  test("are refused one by one, and what is refused leaves no trace", async () => {
    const rival = await world.newPartner();
    const { company } = await sell({}, rival);
    const fresh = nextCompany();
    const deals = [fresh, company, fresh, nextCompany()].map((name) => ({ company: name, ...SOLD }));
    const { body } = await world.call("POST", "/v1/deals/bulk", { key: partner.key, body: { action: "create", deals } });
    expect(body.data.map(({ status, error }: Json) => error?.code ?? status)).toEqual([
      "ok",
      "deal_conflict",
      "deal_conflict",
      "ok",
    ]);
    const made = body.data.filter(({ status }: Json) => status === "ok").map(({ id }: Json) => id);
    const rows = await world.db.sql("select id from deals where partner_id = $1 and company = any ($2)", [
      partner.partner_id,
      [fresh, company],
    ]);
    expect(rows).toEqual([{ id: made[0] }]);
    const about = (await changes(world, partner.key)).filter(({ id }) => made.includes(id));
    expect(about.map(({ change }) => change)).toEqual(["created", "created"]);
    const update = {
      action: "update",
      deals: [
        { id: made[1], company },
        { id: made[1], notes: "Still here" },
      ],
    };
    const changed = await world.call("POST", "/v1/deals/bulk", { key: partner.key, body: update });
    expect(changed.body.data.map(({ status, error }: Json) => error?.code ?? status)).toEqual(["deal_conflict", "ok"]);
    expect((await auditLog(world, partner.key, { target: made[1] })).map(({ action }) => action)).toEqual([
      "registrations.create",
      "deals.create",
      "deals.update",
    ]);
  });
});

test("after all of this, every deal's stages tell one story, and every won sale has a client and was told once", async () => {
  expect(await brokenHistories(world)).toEqual([]);
  const untold = `select d.id from deals d
    where d.sale and (d.first_won_at is not null) <> ((select count(*) from event_feed f
      where f.partner_id = d.partner_id and f.subject = d.id and f.type = 'deal.won') = 1) or d.status = 'won' and d.sale and d.client_id is null`;
  expect(await world.db.sql(untold)).toEqual([]);
});
