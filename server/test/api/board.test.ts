import { beforeAll, describe, expect, test } from "vitest";
import { moveDeal, newDeal, pipelineOf } from "../harness/deals.ts";
import { type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let partner: TestPartner;

beforeAll(async () => {
  partner = await world.newPartner();
});

const DAY_MS = 86_400_000;
const move = (id: string, body: object) => moveDeal(world, partner, id, body);

/** The first deal of a new client, which has a pipeline of its own. */
const firstDeal = async (fields: object = {}) =>
  newDeal(world, partner, { account_id: (await world.newClient(partner)).id, ...fields });

describe("the board of a pipeline", () => {
  const boardOf = async ({ pipeline_id }: Json, query = "") => {
    const { status, body } = await world.call("GET", `/v1/pipelines/${pipeline_id}/board${query}`, { key: partner.key });
    expect(status).toBe(200);
    return body;
  };
  const countsOf = ({ stages }: Json) =>
    Object.fromEntries(stages.filter(({ deals }: Json) => deals > 0).map(({ stage, deals }: Json) => [stage, deals]));

  test("counts and adds up what stands in each stage, by currency", async () => {
    const first = await firstDeal({ amount_cents: 1_000, currency: "usd", stage: "Qualified" });
    const add = (fields: object) => newDeal(world, partner, { account_id: first.account_id, stage: "Qualified", ...fields });
    await add({ amount_cents: 3, currency: "usd" });
    await add({ amount_cents: 7, currency: "eur" });
    await add({ currency: "eur", stage: "Won" });
    const gone = await add({ amount_cents: 99 });
    await world.call("DELETE", `/v1/deals/${gone.id}`, { key: partner.key });
    const board = await boardOf(first);
    expect(board.as_of).toBe(world.clock.now().toISOString());
    expect(board.stages.map(({ stage, deals }: Json) => [stage, deals])).toEqual([
      ["New", 0],
      ["Qualified", 3],
      ["Proposal", 0],
      ["Negotiation", 0],
      ["Won", 1],
      ["Lost", 0],
    ]);
    expect(board.stages[1].totals).toEqual([
      { currency: "eur", deals: 1, amount_cents: 7, weighted_cents: 2, mrr_cents: 0 },
      { currency: "usd", deals: 2, amount_cents: 1_003, weighted_cents: 251, mrr_cents: 0 },
    ]);
  });

  test("is also that of any moment before, with the deals that were there then", async () => {
    const deal = await firstDeal();
    const at = () => `?as_of=${world.clock.now().toISOString()}`;
    const moments: [string, object][] = [[at(), { New: 1 }]];
    world.clock.advance(1_000);
    const other = await newDeal(world, partner, { account_id: deal.account_id });
    moments.push([at(), { New: 2 }]);
    world.clock.advance(1_000);
    await move(deal.id, { stage: "Proposal" });
    moments.push([at(), { New: 1, Proposal: 1 }]);
    world.clock.advance(1_000);
    await world.call("DELETE", `/v1/deals/${other.id}`, { key: partner.key });
    moments.push([at(), { Proposal: 1 }], ["", { Proposal: 1 }], ["?as_of=2020-01-01T00:00:00Z", {}]);
    for (const [query, counts] of moments) expect([query, countsOf(await boardOf(deal, query))]).toEqual([query, counts]);
  });

  test("shows the deals that entered each stage last, and a cursor for the rest", async () => {
    const first = await firstDeal({ stage: "Qualified" });
    const ids = [first.id];
    for (let count = 0; count < 4; count += 1) {
      // Two at each instant, so that the order within one matters.
      if (count % 2 === 0) world.clock.advance(1_000);
      ids.unshift((await newDeal(world, partner, { account_id: first.account_id, stage: "Qualified" })).id);
    }
    const { stages } = await boardOf(first, "?deals=2");
    const [, qualified] = stages;
    expect(qualified.latest_deals.map(({ id }: Json) => id)).toEqual(ids.slice(0, 2));
    const shown = qualified.latest_deals;
    for (let cursor = qualified.next_cursor; cursor !== null; ) {
      const next = await boardOf(first, `?deals=2&stage_id=${qualified.stage_id}&cursor=${cursor}`);
      expect(next.stages).toMatchObject([{ stage: "Qualified", deals: 5 }]);
      shown.push(...next.stages[0].latest_deals);
      cursor = next.stages[0].next_cursor;
    }
    expect(shown.map(({ id }: Json) => id)).toEqual(ids);
    expect(stages[0]).toMatchObject({ latest_deals: [], next_cursor: null });
    expect((await boardOf(first, "?deals=5")).stages[1]).toMatchObject({ next_cursor: null });
    expect((await boardOf(first)).stages[1]).toMatchObject({ deals: 5, latest_deals: [], next_cursor: null });
  });

  test("shows of a deal what a card needs", async () => {
    const { body: users } = await world.call("GET", "/v1/partners/users", { key: partner.key });
    const [{ id: owner_id, name: owner }] = users.data;
    const sale = { company: "Kestrel Foods", plan: "Growth", mrr_cents: 49_900, owner_id, tags: ["vip"] };
    const { body: deal } = await world.call("POST", "/v1/partners/deals", { key: partner.key, body: sale });
    const { stages } = await boardOf(deal, "?deals=1");
    const of = ({ id, name, currency, stage_entered_at, registration, version }: Json) => ({
      ...{ id, name, currency, stage_entered_at, registration, version },
    });
    expect(stages[0].latest_deals).toEqual([
      {
        ...of(deal),
        ...sale,
        ...{ sale: true, amount_cents: null, expected_close_on: null, days_in_stage: 0, days_over: 0, owner },
        ...{ contact_id: null, client_id: null, lost_reason: null },
      },
    ]);
    expect(deal.registration.status).toBe("approved");
  });

  test("says which deals have been in an open stage for longer than its target, now and at an earlier time", async () => {
    const client = await world.newClient(partner);
    const { id, version, stages } = await pipelineOf(world, partner, client.id);
    const body = { stages: stages.map((stage: Json) => ({ ...stage, target_days: 3 })) };
    await world.call("PATCH", `/v1/pipelines/${id}`, { key: partner.key, body, headers: { "if-match": `"${version}"` } });
    const add = (stage: string) => newDeal(world, partner, { account_id: client.id, stage });
    const early = await add("New");
    await add("Won");
    world.clock.advance(DAY_MS);
    await add("New");
    world.clock.advance(3 * DAY_MS - 1);
    const before = world.clock.now().toISOString();
    expect((await boardOf(early)).stages[0]).toMatchObject({ target_days: 3, over_target: 0 });
    world.clock.advance(1);
    const board = await boardOf(early, "?deals=50");
    expect(board.stages.map(({ over_target }: Json) => over_target)).toEqual([1, 0, 0, 0, 0, 0]);
    const cards = board.stages[0].latest_deals.map(({ days_in_stage, days_over }: Json) => [days_in_stage, days_over]);
    expect(cards).toEqual([
      [3, 0],
      [4, 1],
    ]);
    expect((await boardOf(early, `?as_of=${before}`)).stages[0].over_target).toBe(0);
  });

  test("refuses deals at an earlier time, and the cursor of another stage", async () => {
    const deal = await firstDeal();
    await newDeal(world, partner, { account_id: deal.account_id });
    const [{ next_cursor }] = (await boardOf(deal, "?deals=1")).stages;
    const refused = [
      ["deals=1&as_of=2026-11-01T00:00:00Z", "invalid_parameter"],
      [`deals=1&cursor=${next_cursor}`, "invalid_cursor"],
    ];
    for (const [query, code] of refused) {
      const { status, body } = await world.call("GET", `/v1/pipelines/${deal.pipeline_id}/board?${query}`, { key: partner.key });
      expect([status, body.code]).toEqual([400, code]);
    }
  });

  test("is the caller's own alone", async () => {
    const { pipeline_id } = await firstDeal();
    const key = await world.newKey(partner, { clients: [(await world.newClient(partner)).id] });
    expect((await world.call("GET", `/v1/pipelines/${pipeline_id}/board`, { key })).status).toBe(404);
  });
});
