import { beforeAll, describe, expect, test } from "vitest";
import { clickToken } from "../../src/features/money/links/redirect.model.ts";
import { newId } from "../../src/kernel/ids.ts";
import { createSigner } from "../../src/platform/crypto/sign.ts";
import { brokenBooks } from "../harness/books.ts";
import { moveDeal } from "../harness/deals.ts";
import { earning } from "../harness/earning.ts";
import { linksOf } from "../harness/links.ts";
import { DAY_MS, nextCompany } from "../harness/sales.ts";
import { BASE, GENERAL, type Json, nextPhone, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
const { newLink, click, stats } = linksOf(world);
let operator: string;
let partner: TestPartner;
let other: TestPartner;
let link: Json;
const money = earning(world, () => operator);

beforeAll(async () => {
  operator = await world.newOperator();
  [partner, other] = [await world.newPartner(), await world.newPartner()];
  link = await newLink(partner, { code: "attribution" });
});

const lead = (click_id: string | null, fields: object = {}) =>
  world.newLead(partner, { phone: nextPhone(), source: { kind: "affiliate", click_id }, ...fields });
const register = async (fields: object, by = partner) =>
  (
    await world.call("POST", `${BASE}/deals`, {
      key: by.key,
      body: { company: nextCompany(), plan: "Growth", mrr_cents: 50_000, ...fields },
    })
  ).body;
const post = async (path: string, body: object) =>
  (await world.call("POST", `${GENERAL}${path}`, { key: partner.key, body })).body;
const attributionOf = async (id: string) =>
  (await world.db.sql("select kind, link_id, click_id from attributions where record_id = $1", [id]))[0] ?? null;

test("a click becomes a lead, a deal, a win, a charge and commissions, and the link shows each of them", async () => {
  const mine = await newLink(partner, { campaign: "Newsletter" });
  const click_id = await click(mine);
  const made = await lead(click_id);
  expect(made).toMatchObject({ affiliate_link_id: mine.id, source: { click_id } });
  const converted = await post(`/leads/${made.id}/convert`, {
    deal: { company: nextCompany(), plan: "Growth", mrr_cents: 50_000 },
  });
  expect(converted.deal).toMatchObject({ affiliate_link_id: mine.id, lead_id: made.id, sale: true });
  for (const [id, kind] of [
    [made.id, "lead"],
    [converted.deal.id, "deal"],
  ])
    expect(await attributionOf(id ?? "")).toEqual({ kind, link_id: mine.id, click_id: click_id.split(".")[0] });
  const won = await moveDeal(world, partner, converted.deal.id, { stage: "Won" });
  expect(won.body).toMatchObject({ status: "won", affiliate_link_id: mine.id });
  await money.charge(won.body.client_id, { amount_cents: 40_000 });
  const ofDeal = await money.commissions(partner, `&deal_id=${converted.deal.id}`);
  expect(ofDeal.length).toBeGreaterThan(1);
  expect(await money.commissions(partner, `&link_id=${mine.id}`)).toEqual(ofDeal);
  expect(await money.commissions(partner, `&link_id=${mine.id}&client_id=${won.body.client_id}`)).toEqual(ofDeal);
  expect(await money.commissions(partner, `&link_id=${link.id}`)).toEqual([]);
  const [{ link_id } = { link_id: null }] = await world.db.sql("select link_id from earnings where deal_id = $1", [
    converted.deal.id,
  ]);
  expect(link_id).toBe(mine.id);
  const commissions = [{ currency: "usd", amount_cents: 8_000 }];
  const { totals, data } = await stats(partner, mine);
  expect(totals).toEqual({ clicks: 1, unique: 1, bots: 0, repeats: 0, leads: 1, deals: 1, won: 1, commissions });
  expect(data.at(-1)).toEqual({ day: world.clock.now().toISOString().slice(0, 10), ...totals });
  const list = await world.call("GET", `${BASE}/affiliate-links?totals=true&limit=1`, { key: partner.key });
  expect(list.body.data[0].totals).toEqual(totals);
  await moveDeal(world, partner, converted.deal.id, { stage: "New" });
  expect((await stats(partner, mine)).totals).toMatchObject({
    deals: 1,
    won: 0,
    commissions: [{ currency: "usd", amount_cents: 0 }],
  });
  expect(await brokenBooks(world.db.sql)).toEqual([]);
});

test("a sale that was reopened after the operator voided a commission of it is not won", async () => {
  const mine = await newLink(partner);
  const deal = await register({ click_id: await click(mine) });
  await moveDeal(world, partner, deal.id, { stage: "Won" });
  const [first] = await money.commissions(partner, `&deal_id=${deal.id}`);
  await money.admin("POST", `/commissions/${first?.id}/void`, { reason_code: "fraud" });
  expect((await stats(partner, mine)).totals.won).toBe(1);
  await moveDeal(world, partner, deal.id, { stage: "New" });
  const { totals, data } = await stats(partner, mine);
  expect([totals.won, data.at(-1).won]).toEqual([0, 0]);
});

describe("a click that does not count makes the record all the same", () => {
  const cases: [string, () => Promise<string>][] = [
    ["of another partner's link", async () => click(await newLink(other))],
    ["that was forged", async () => (await click(link)).replace(/.$/, (last) => (last === "A" ? "Q" : "A"))],
    ["of another code", async () => (await click(link)).replace(".attribution.", `.${(await newLink(partner)).code}.`)],
    [
      "signed with another key",
      async () => clickToken(createSigner("y".repeat(32)), newId("click", world.clock.now().getTime()), link.code),
    ],
    [
      "from before the window",
      async () => {
        const click_id = await click(link);
        world.clock.advance(90 * DAY_MS + 1);
        return click_id;
      },
    ],
    ["that is none", async () => "demo-click-1"],
  ];
  test.each(cases)("%s", async (_, make) => {
    const click_id = await make();
    const made = await lead(click_id);
    expect(made).toMatchObject({ affiliate_link_id: null, source: { click_id } });
    const deal = await register({ click_id });
    expect(deal).toMatchObject({ affiliate_link_id: null, sale: true });
    expect([await attributionOf(made.id), await attributionOf(deal.id)]).toEqual([null, null]);
  });
});

describe("a click counts", () => {
  test("until the last moment of the window, and whatever became of the link since", async () => {
    const mine = await newLink(partner, { window_days: 7 });
    const click_id = await click(mine);
    world.clock.advance(7 * DAY_MS);
    await world.call("DELETE", `${BASE}/affiliate-links/${mine.id}`, { key: partner.key });
    expect((await lead(click_id)).affiliate_link_id).toBe(mine.id);
    world.clock.advance(1);
    expect((await lead(click_id)).affiliate_link_id).toBeNull();
  });

  test("for a deal that names it, for good", async () => {
    const click_id = await click(link);
    const deal = await register({ click_id });
    expect(deal.affiliate_link_id).toBe(link.id);
    expect(deal).not.toHaveProperty("click_id");
    const path = `${GENERAL}/deals/${deal.id}`;
    const change = { affiliate_link_id: null };
    expect((await world.call("PATCH", path, { key: partner.key, body: change })).body.code).toBe("validation_failed");
    expect((await world.call("PATCH", path, { key: partner.key, body: { name: "Renamed" } })).body.affiliate_link_id).toBe(
      link.id,
    );
    expect(await attributionOf(deal.id)).toMatchObject({ kind: "deal" });
  });

  test("for a plain deal when it is registered, unless it came by a link already", async () => {
    const second = await newLink(partner);
    const plain = await post("/deals", { name: "Plain" });
    const sale = await register({ deal_id: plain.id, click_id: await click(second) });
    expect(sale).toMatchObject({ id: plain.id, affiliate_link_id: second.id, sale: true });
    const made = await lead(await click(link));
    const { deal } = await post(`/leads/${made.id}/convert`, { deal: {} });
    const registered = await register({ deal_id: deal.id, click_id: await click(second) });
    expect(registered.affiliate_link_id).toBe(link.id);
  });

  test("only in the house account", async () => {
    const client = await world.newClient(partner);
    const click_id = await click(link);
    const made = await lead(click_id, { account_id: client.id });
    const deal = await post("/deals", { name: "Seats", account_id: client.id, click_id });
    expect([made.affiliate_link_id, deal.affiliate_link_id]).toEqual([null, null]);
  });

  test("as the last one of a lead, until the lead is converted", async () => {
    const second = await newLink(partner);
    const phone = nextPhone();
    const first_click = await click(link);
    world.clock.advance(1_000);
    const second_click = await click(second);
    const made = await lead(second_click, { phone });
    const upsert = (click_id: string) => post("/leads/upsert", { phone, source: { click_id } });
    expect((await upsert(first_click)).affiliate_link_id).toBe(second.id);
    world.clock.advance(1_000);
    expect(await upsert(await click(link))).toMatchObject({ id: made.id, affiliate_link_id: link.id });
    expect((await upsert("unknown")).affiliate_link_id).toBe(link.id);
    expect((await stats(partner, second)).totals.leads).toBe(0);
    await post(`/leads/${made.id}/convert`, {});
    world.clock.advance(1_000);
    const later = { source: { click_id: await click(second) } };
    const { body } = await world.call("PATCH", `${GENERAL}/leads/${made.id}`, { key: partner.key, body: later });
    expect(body.affiliate_link_id).toBe(link.id);
  });

  test("for imported leads, many at once", async () => {
    const mine = await newLink(partner);
    const clicks = [await click(mine), await click(link), "forged.click.id"];
    const rows = clicks.map((click_id, index) => `Imported ${index},imported${index}@lead.example,${click_id}`);
    const file = ["name,email,source.click_id", ...rows, ""].join("\r\n");
    const { key } = partner;
    const options = { key, body: file, headers: { "content-type": "text/csv" } };
    const started = await world.call("POST", `${GENERAL}/imports?resource=lead`, options);
    expect(started.status).toBe(202);
    const { createImportWorker } = await import("../../src/features/crm/imports/index.ts");
    const worker = createImportWorker(world.app.services, (error) => Promise.reject(error));
    worker.start();
    const names = () =>
      world.db.sql<{ affiliate_link_id: string | null }>(
        "select affiliate_link_id from leads where partner_id = $1 and name like 'Imported %' order by name",
        [partner.partner_id],
      );
    await expect.poll(names).toHaveLength(3);
    await worker.stop();
    expect((await names()).map(({ affiliate_link_id }) => affiliate_link_id)).toEqual([mine.id, link.id, null]);
    expect((await stats(partner, mine)).totals.leads).toBe(1);
  });
});

describe("a rule of a link", () => {
  const rule = (fields: object) =>
    money.admin("POST", "/rules", { name: "Campaign", scope: "link", first: { bps: 3000 }, recurring: { bps: 500 }, ...fields });

  test("is before all others for sales that came by the link, and explains itself", async () => {
    const mine = await newLink(partner);
    await money.admin("POST", "/rules", { ...(await own()), name: "Own" });
    const { body: created, status } = await rule({ link_id: mine.id });
    expect([status, created.link_id]).toEqual([201, mine.id]);
    const win = async (fields: object) => {
      const { id } = await register(fields);
      await moveDeal(world, partner, id, { stage: "Won" });
      return (await money.commissions(partner, `&deal_id=${id}`)).map(({ amount_cents, rule: by }) => [amount_cents, by.name]);
    };
    expect(await win({ click_id: await click(mine) })).toEqual([[15_000, "Campaign"]]);
    expect(await win({ click_id: await click(link) })).toEqual([[5_000, "Own"]]);
    expect(await win({})).toEqual([[5_000, "Own"]]);
    const listed = await money.admin("GET", `/rules?scope=link&link_id=${mine.id}`);
    expect(listed.body.data.map(({ id }: Json) => id)).toEqual([created.id]);
  });

  const own = async () => ({ scope: "partner", partner_id: partner.partner_id, first: { bps: 1000 }, recurring: { bps: 1000 } });

  test("names a link that exists, and nothing else", async () => {
    const unknown = await rule({ link_id: newId("link", Date.now()) });
    expect(unknown.body.errors).toMatchObject([{ pointer: "#/link_id", code: "unknown_link" }]);
    expect((await rule({})).body.errors).toMatchObject([{ pointer: "#/link_id", code: "required_by_scope" }]);
    expect((await rule({ link_id: link.id, grade: "gold" })).body.errors).toMatchObject([{ code: "not_of_scope" }]);
  });

  test("is simulated for the charges of its sales alone", async () => {
    const mine = await newLink(partner);
    const win = async (fields: object) => {
      const { id } = await register(fields);
      const { body } = await moveDeal(world, partner, id, { stage: "Won" });
      await money.charge(body.client_id, { amount_cents: 10_000 });
      return id;
    };
    const [by_link, without] = [await win({ click_id: await click(mine) }), await win({})];
    const { body } = await money.admin("POST", "/rules/simulate", {
      rule: { name: "Try", scope: "link", link_id: mine.id, first: { bps: 4000 }, recurring: { bps: 4000 } },
      from: new Date(world.clock.now().getTime() - 60_000).toISOString(),
      to: new Date(world.clock.now().getTime() + 60_000).toISOString(),
    });
    const of = (deal_id: string) => body.data.find((row: Json) => row.deal_id === deal_id);
    expect(of(by_link)).toMatchObject({ rule: "Try", simulated_cents: 4_000 });
    expect(of(without).rule).not.toBe("Try");
  });
});
