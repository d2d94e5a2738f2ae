import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/kernel/ids.ts";
import { brokenBooks, verifyLedger } from "../harness/books.ts";
import { earning } from "../harness/earning.ts";
import { feed, walk } from "../harness/lists.ts";
import { manifestWith, trading } from "../harness/marketplace.ts";
import { DAY_MS } from "../harness/sales.ts";
import { BASE, type Json, type Reply, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
let operator: string;
const trade = trading(world, () => operator);
const money = earning(world, () => operator);
let seller: TestPartner;
let buyer: TestPartner;

beforeAll(async () => {
  operator = await world.newOperator();
  [seller, buyer] = [await world.newPartner({ company: "Seller Studio" }), await world.newPartner({ company: "Buyer Bureau" })];
});

const get = ({ key }: TestPartner, path: string) => world.call("GET", `${BASE}${path}`, { key });
const codeOf = ({ status, body }: Reply) => [status, body.code];
const purchasedBy = async ({ key }: TestPartner) =>
  (await feed(world, key)).filter(({ type }) => type === "snapshot.purchased").map(({ data }) => data);
const commissionsOf = async (partner: TestPartner) => money.commissions(partner, "&kind=marketplace");
const programme = (body: object) => trade.admin("PATCH", "/programme", body, { "if-match": "*" });
const audited = async ({ key }: TestPartner, target: string): Promise<Json[]> =>
  (await walk(world, key, "/audit-log")).filter((entry) => entry.target === target).toReversed();

describe("a snapshot that is sold", () => {
  let id: string;
  let purchase_id: string;

  test("waits for the operator before others see it", async () => {
    id = await trade.newSnapshot(seller, "Recall", "Regional");
    expect((await get(seller, `/snapshots/${id}/listing`)).status).toBe(404);
    const { body } = await trade.list(seller, id);
    expect(body).toMatchObject({ review: "pending", listed_version: null, submitted_version: 1, visibility: "marketplace" });
    expect(await walk(world, buyer.key, "/marketplace")).toEqual([]);
    expect(codeOf(await get(buyer, `/marketplace/${id}`))).toEqual([404, "not_found"]);
    expect(codeOf(await trade.buy(buyer, id))).toEqual([404, "not_found"]);
    expect((await get(seller, `/marketplace/${id}`)).body).toMatchObject({ own: true, latest_version: null, versions: [] });
    expect((await get(seller, `/snapshots/${id}`)).body).toMatchObject({ visibility: "marketplace", price_cents: 19_900 });
  });

  test("is rejected with a reason, and submitted again", async () => {
    const queue = await walk(world, operator, "/v1/admin/snapshots", { review: "pending" });
    expect(queue).toMatchObject([{ snapshot_id: id, seller_company: "Seller Studio", review: "pending" }]);
    const submission = (await trade.admin("GET", `/snapshots/${id}`)).body;
    expect(submission.submitted_manifest.assets).toHaveLength(2);
    expect(submission.changes.map(({ name, action }: Json) => [name, action])).toEqual([
      ["Recall", "create"],
      ["Regional", "create"],
    ]);
    const stale = { "if-match": '"7"' };
    expect(codeOf(await trade.admin("POST", `/snapshots/${id}/reject`, { reason: "Too little." }, stale))).toEqual([
      412,
      "version_mismatch",
    ]);
    await trade.admin("POST", `/snapshots/${id}/reject`, { reason: "Too little." }, { "if-match": "*" });
    const rejected = { review: "rejected", review_reason: "Too little.", listed_version: null };
    expect((await get(seller, `/snapshots/${id}/listing`)).body).toMatchObject(rejected);
    expect(codeOf(await trade.approve(id))).toEqual([409, "invalid_state_transition"]);
    expect((await trade.list(seller, id)).body).toMatchObject({ review: "pending", review_reason: null });
  });

  test("is listed once it is approved, with everything but its manifest", async () => {
    const { body } = await trade.approve(id);
    expect(body).toMatchObject({ review: "approved", listed_version: 1 });
    expect((await trade.approve(id)).body).toEqual(body);
    const [offer] = await walk(world, buyer.key, "/marketplace");
    expect(offer).toMatchObject({
      id,
      seller_company: "Seller Studio",
      own: false,
      price_cents: 19_900,
      latest_version: 1,
      asset_counts: { tag: 2 },
      purchase_status: null,
    });
    const { text } = await get(buyer, `/marketplace/${id}`);
    for (const hidden of ["Regional", "recall", seller.partner_id]) expect(text).not.toContain(hidden);
  });

  test("is due until the operator has its price, once per buyer", async () => {
    expect(codeOf(await trade.buy(buyer, id, { price_cents: 100 }))).toEqual([409, "price_changed"]);
    const bought = await trade.buy(buyer, id, { price_cents: 19_900, currency: "usd" });
    purchase_id = bought.body.id;
    expect([bought.status, bought.headers.location]).toEqual([201, `${BASE}/purchases/${purchase_id}`]);
    expect(bought.body).toMatchObject({ role: "buyer", status: "due", seller_share_cents: 15_920, commission_id: null });
    const again = await trade.buy(buyer, id);
    expect([again.status, again.body.code, again.body.existing_id]).toEqual([409, "duplicate_purchase", purchase_id]);
    expect(codeOf(await trade.buy(seller, id))).toEqual([409, "own_snapshot"]);
    const seen = { key: buyer.key, headers: { "if-none-match": "*" } };
    expect((await world.call("GET", `${BASE}/marketplace/${id}`, seen)).body.purchase_status).toBe("due");
    expect(codeOf(await get(buyer, `/snapshots/${id}`))).toEqual([404, "not_found"]);
    expect(await purchasedBy(buyer)).toEqual([]);
    expect(await commissionsOf(seller)).toEqual([]);
  });

  test("is the buyer's once the operator completes it, and the seller has its share", async () => {
    const { body } = await trade.complete(purchase_id);
    const [commission] = await commissionsOf(seller);
    expect(body).toMatchObject({ status: "completed", buyer_company: "Buyer Bureau", commission_id: commission.id });
    expect((await trade.complete(purchase_id)).body).toEqual(body);
    expect(commission).toMatchObject({ base_cents: 19_900, rate_bps: 8000, amount_cents: 15_920, status: "pending", level: 0 });
    const hold_ms = Date.parse(commission.hold_until) - Date.parse(commission.accrued_at);
    expect(hold_ms).toBe(30 * DAY_MS);
    const told = { purchase_id, snapshot_id: id, version: 1, price_cents: 19_900, currency: "usd", seller_share_cents: 15_920 };
    expect(await purchasedBy(buyer)).toEqual([{ ...told, role: "buyer", partner_id: buyer.partner_id }]);
    expect(await purchasedBy(seller)).toEqual([{ ...told, role: "seller", partner_id: seller.partner_id }]);
    const snapshot = (await get(buyer, `/snapshots/${id}`)).body;
    expect(snapshot).toMatchObject({ origin: "bought", status: "published", visibility: "private", latest_version: 1 });
    const version = (await get(buyer, `/snapshots/${id}/versions/1`)).body;
    expect(version.manifest).toEqual((await get(seller, `/snapshots/${id}/versions/1`)).body.manifest);
    expect(version.manifest.assets).toHaveLength(2);
    expect(codeOf(await trade.cancel(purchase_id))).toEqual([409, "invalid_state_transition"]);
  });

  test("is seen by both sides, and neither learns of the other's keys", async () => {
    const [bought] = await walk(world, buyer.key, "/purchases");
    const [sold] = await walk(world, seller.key, "/purchases", { role: "seller", status: "completed" });
    expect([bought.role, bought.commission_id, sold.role, bought.id]).toEqual(["buyer", null, "seller", sold.id]);
    expect(JSON.stringify(sold)).not.toMatch(new RegExp(`${buyer.partner_id}|Buyer`));
    const [atBuyer, atSeller] = [await audited(buyer, purchase_id), await audited(seller, purchase_id)];
    const actions = ["purchases.create", "purchases.complete"];
    expect([atBuyer, atSeller].map((entries) => entries.map(({ action }) => action))).toEqual([actions, actions]);
    expect([atBuyer[0].actor.type, atSeller[0].actor.type]).toEqual(["key", "system"]);
    expect([atBuyer[1].actor.type, atSeller[1].actor.type]).toEqual(["operator", "operator"]);
    expect(atSeller[0]).toMatchObject({ request_id: null });
  });

  test("brings later versions to the buyer once they are listed", async () => {
    await trade.newVersion(seller, id, "A tag for regulars", "Recall", "Regional", "Vip");
    expect(codeOf(await get(buyer, `/snapshots/${id}/versions/2`))).toEqual([404, "not_found"]);
    expect((await trade.list(seller, id)).body).toMatchObject({ review: "pending", listed_version: 1, submitted_version: 2 });
    expect(codeOf(await get(buyer, `/snapshots/${id}/versions/2`))).toEqual([404, "not_found"]);
    expect((await trade.admin("GET", `/snapshots/${id}`)).body.changes).toEqual([
      { type: "tag", key: "vip", name: "Vip", action: "create", fields: [] },
    ]);
    await trade.approve(id);
    expect((await get(buyer, `/marketplace/${id}`)).body).toMatchObject({
      latest_version: 2,
      purchase_status: "completed",
      versions: [{ version: 2, changelog: "A tag for regulars", asset_counts: { tag: 3 } }, { version: 1 }],
    });
    expect((await get(buyer, `/snapshots/${id}`)).body.latest_version).toBe(2);
    expect((await walk(world, buyer.key, `/snapshots/${id}/versions`)).map(({ version }) => version)).toEqual([2, 1]);
    const { body } = await get(buyer, `/snapshots/${id}/versions/2`);
    expect([body.changelog, body.manifest.assets.length]).toEqual(["A tag for regulars", 3]);
  });

  test("stays with its buyer when it is withdrawn, and is offered to nobody else", async () => {
    expect((await world.call("DELETE", `${BASE}/snapshots/${id}/listing`, { key: seller.key })).status).toBe(204);
    const other = await world.newPartner();
    for (const reply of [
      await get(other, `/marketplace/${id}`),
      await trade.buy(other, id),
      await get(other, `/snapshots/${id}`),
    ])
      expect(codeOf(reply)).toEqual([404, "not_found"]);
    expect(await walk(world, buyer.key, "/marketplace")).toEqual([]);
    expect((await get(buyer, `/snapshots/${id}/versions/2`)).status).toBe(200);
    expect((await get(seller, `/snapshots/${id}`)).body.visibility).toBe("private");
    expect(codeOf(await trade.approve(id))).toEqual([200, undefined]);
  });

  test("earns what is approved, paid or voided like any commission", async () => {
    world.clock.advance(31 * DAY_MS);
    await money.runJob("commission_approval");
    const [{ id: commission_id, status }] = (await commissionsOf(seller)) as [Json];
    expect([status, await money.balances(seller)]).toEqual(["approved", { expense: -15_920, approved: 15_920 }]);
    const { status: voided } = await trade.admin(
      "POST",
      `/commissions/${commission_id}/void`,
      { reason_code: "order_cancelled" },
      { "if-match": "*" },
    );
    expect([voided, await money.balances(seller)]).toEqual([200, {}]);
    expect(await verifyLedger(world, [seller, buyer])).toEqual([]);
  });
});

test("what is free is the buyer's at once, and nobody earns", async () => {
  const id = await trade.newOffer(seller, { price_cents: 0 });
  const { body } = await trade.buy(buyer, id);
  expect(body).toMatchObject({ status: "completed", seller_share_cents: 0 });
  expect((await get(buyer, `/snapshots/${id}/versions/1`)).body.manifest).toMatchObject(manifestWith("Recall"));
  expect((await purchasedBy(seller)).at(-1)).toMatchObject({ purchase_id: body.id, role: "seller", price_cents: 0 });
  expect((await commissionsOf(seller)).filter((row) => row.base_cents === 0)).toEqual([]);
});

test("offers are found by a word of their texts, and by whether they are free", async () => {
  const [free, paid] = [await trade.newOffer(seller, { price_cents: 0 }), await trade.newOffer(seller)];
  const { name } = (await get(seller, `/snapshots/${paid}`)).body;
  const found = async (query: Record<string, string>) =>
    (await walk(world, buyer.key, "/marketplace", query)).map((offer) => offer.id).filter((id) => [free, paid].includes(id));
  expect(await found({})).toEqual([paid, free]);
  expect(await found({ q: "AND CARE" })).toEqual([paid, free]);
  expect(await found({ q: name.toUpperCase() })).toEqual([paid]);
  expect(await found({ q: "no such words" })).toEqual([]);
  expect([await found({ free: "true" }), await found({ free: "false" })]).toEqual([[free], [paid]]);
});

test("an unlisted snapshot is found by its id alone", async () => {
  const id = await trade.newOffer(seller, { visibility: "unlisted" });
  expect((await walk(world, buyer.key, "/marketplace")).map((offer) => offer.id)).not.toContain(id);
  expect((await get(buyer, `/marketplace/${id}`)).body).toMatchObject({ id, price_cents: 19_900 });
  expect((await trade.buy(buyer, id)).status).toBe(201);
});

test("a price applies at once, texts with their review, and nothing changes where nothing differs", async () => {
  const id = await trade.newOffer(seller);
  const cheaper = (await trade.list(seller, id, { price_cents: 9900 })).body;
  expect(cheaper).toMatchObject({ price_cents: 9900, review: "approved" });
  expect((await trade.list(seller, id, { price_cents: 9900 })).body).toEqual(cheaper);
  const body = { name: "Dental practice, new", description: null };
  await world.call("PATCH", `${BASE}/snapshots/${id}`, { key: seller.key, body });
  expect((await trade.list(seller, id, { price_cents: 9900 })).body).toMatchObject({ review: "pending", listed_version: 1 });
  expect((await get(buyer, `/marketplace/${id}`)).body.name).not.toBe(body.name);
  await trade.approve(id);
  expect((await get(buyer, `/marketplace/${id}`)).body).toMatchObject(body);
});

test("without review a version is listed at once, and shares are those of the purchase", async () => {
  await programme({ marketplace_review: false, marketplace_share_bps: 3333 });
  const id = await trade.newSnapshot(seller);
  expect((await trade.list(seller, id, { price_cents: 101 })).body).toMatchObject({ review: "approved", listed_version: 1 });
  const { body } = await trade.buy(buyer, id);
  await programme({ marketplace_review: true, marketplace_share_bps: 8000 });
  expect(body.seller_share_cents).toBe(33);
  await trade.complete(body.id);
  expect((await commissionsOf(seller)).at(-1)).toMatchObject({ base_cents: 101, rate_bps: 3333, amount_cents: 33 });
});

test("only a published snapshot of one's own is listed, and what is listed stays published", async () => {
  const { key } = seller;
  const draft = await world.call("POST", `${BASE}/snapshots`, { key, body: { name: "Draft of a listing" } });
  const refused = await trade.list(seller, draft.body.id);
  expect([...codeOf(refused), refused.body.reason]).toEqual([422, "snapshot_not_deployable", "draft"]);
  const id = await trade.newOffer(seller, { price_cents: 0 });
  expect((await trade.list(seller, id, { version: 7 })).body.code).toBe("snapshot_not_deployable");
  await trade.buy(buyer, id);
  expect(codeOf(await trade.list(buyer, id))).toEqual([409, "snapshot_bought"]);
  const archive = () => world.call("DELETE", `${BASE}/snapshots/${id}`, { key });
  expect(codeOf(await archive())).toEqual([409, "resource_in_use"]);
  await world.call("DELETE", `${BASE}/snapshots/${id}/listing`, { key });
  expect((await archive()).status).toBe(204);
  expect((await get(buyer, `/snapshots/${id}`)).body.status).toBe("published");
});

test("what the operator takes down is offered to nobody, stays with its buyers, and comes back by review alone", async () => {
  const [owner, other, id] = [await world.newPartner(), await world.newPartner(), await trade.newOffer(seller)];
  await trade.complete((await trade.buy(owner, id)).body.id);
  const unlist = () => trade.admin("POST", `/snapshots/${id}/unlist`, { reason: "It imitates another" }, { "if-match": "*" });
  for (const _ of ["once", "twice"])
    expect((await unlist()).body).toMatchObject({
      review: "rejected",
      review_reason: "It imitates another",
      listed_version: null,
    });
  expect([(await get(other, `/marketplace/${id}`)).status, (await trade.buy(other, id)).status]).toEqual([404, 404]);
  expect((await get(owner, `/snapshots/${id}`)).body).toMatchObject({ latest_version: 1, origin: "bought" });
  const terms = { visibility: "marketplace", price_cents: 100, currency: "usd" };
  const headers = { "if-match": "*" };
  const { body } = await world.call("PUT", `${BASE}/snapshots/${id}/listing`, { key: seller.key, body: terms, headers });
  expect(body).toMatchObject({ review: "pending", listed_version: null });
  expect((await get(other, `/marketplace/${id}`)).status).toBe(404);
  expect((await trade.admin("POST", `/snapshots/${id}/approve`, undefined, headers)).status).toBe(200);
  expect((await get(other, `/marketplace/${id}`)).status).toBe(200);
});

test("the offers of a suspended partner are hidden, and its buyers keep what they have", async () => {
  const suspended = await world.newPartner();
  const [id, bought] = [await trade.newOffer(suspended), await trade.newOffer(suspended, { price_cents: 0 })];
  await trade.buy(buyer, bought);
  await world.db.sql("update partners set status = 'suspended' where id = $1", [suspended.partner_id]);
  expect(codeOf(await get(buyer, `/marketplace/${id}`))).toEqual([404, "not_found"]);
  expect(codeOf(await trade.buy(buyer, id))).toEqual([404, "not_found"]);
  expect((await get(buyer, `/snapshots/${bought}/versions/1`)).status).toBe(200);
});

test("another partner's snapshot answers like one that never existed, listed or not bought, withdrawn or private", async () => {
  const other = await world.newPartner();
  const [privately, withdrawn, offered] = [
    await trade.newSnapshot(seller),
    await trade.newOffer(seller),
    await trade.newOffer(seller),
  ];
  await world.call("DELETE", `${BASE}/snapshots/${withdrawn}/listing`, { key: seller.key });
  const never = newId("snapshot", world.clock.now().getTime());
  const seen = ({ status, body }: Reply, id: string) => [status, body.code, body.title, body.detail.replaceAll(id, "<id>")];
  const replies = async (id: string) => [
    seen(await get(other, `/snapshots/${id}`), id),
    seen(await get(other, `/snapshots/${id}/versions/1`), id),
    seen(await get(other, `/snapshots/${id}/listing`), id),
    seen(await trade.list(other, id), id),
    ...(id === offered ? [] : [seen(await get(other, `/marketplace/${id}`), id), seen(await trade.buy(other, id), id)]),
  ];
  const expected = await replies(never);
  expect(await replies(privately)).toEqual(expected);
  expect(await replies(withdrawn)).toEqual(expected);
  expect(await replies(offered)).toEqual(expected.slice(0, 4));
});

test("every cent is accounted for, and verification finds what is not", async () => {
  expect(await brokenBooks(world.db.sql)).toEqual([]);
  expect(await verifyLedger(world, [seller, buyer])).toEqual([]);
  const [sale] = await world.db.sql<{ id: string }>(
    "select id from snapshot_purchases where partner_id = $1 and role = 'seller' and commission_id is not null order by id limit 1",
    [seller.partner_id],
  );
  const damage = async (set: string, undo: string) => {
    const change = (text: string) =>
      world.db.sql(`update snapshot_purchases set ${text} where partner_id = $1 and id = $2`, [seller.partner_id, sale?.id]);
    await change(set);
    const found = await verifyLedger(world, [seller]);
    await change(undo);
    return found.map(({ table, problem }) => [table, problem]);
  };
  const share = await damage("seller_share_cents = seller_share_cents - 1", "seller_share_cents = seller_share_cents + 1");
  expect(share).toEqual([["snapshot_purchases", "it is not the seller's share"]]);
  expect(await damage("price_cents = price_cents + 5", "price_cents = price_cents - 5")).toContainEqual([
    "snapshot_purchases",
    "the commission is not what it makes",
  ]);
  expect(await damage("status = 'cancelled'", "status = 'completed'")).toEqual([
    ["commissions", "no completed purchase caused it"],
  ]);
});
