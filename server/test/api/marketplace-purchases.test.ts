import { beforeAll, expect, test } from "vitest";
import { feed, walk } from "../harness/lists.ts";
import { trading } from "../harness/marketplace.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
let operator: string;
const trade = trading(world, () => operator);
let seller: TestPartner;
let buyer: TestPartner;
/** The snapshot that the seller offers. */
let id: string;

beforeAll(async () => {
  operator = await world.newOperator();
  [seller, buyer] = [await world.newPartner(), await world.newPartner()];
  id = await trade.newOffer(seller);
});

const get = ({ key }: TestPartner, path: string) => world.call("GET", `${BASE}${path}`, { key });
const purchasedBy = async ({ key }: TestPartner) =>
  (await feed(world, key)).filter(({ type }) => type === "snapshot.purchased").map(({ data }) => data);
const audited = async ({ key }: TestPartner, target: string): Promise<Json[]> =>
  (await walk(world, key, "/audit-log")).filter((entry) => entry.target === target).toReversed();
const due = async () => (await trade.buy(await world.newPartner(), id)).body.id as string;
const causedBy = (purchase_id: string) =>
  world.db.sql<{ amount_cents: string }>("select amount_cents from commissions where cause = $1", [`purchase:${purchase_id}`]);
const licences = (purchase_id: string) =>
  world.db.sql(
    `select 1 from snapshots s join snapshot_purchases u on u.partner_id = s.partner_id and u.snapshot_id = s.id
     where u.id = $1 and u.role = 'buyer'`,
    [purchase_id],
  );

test("a snapshot is bought once, by five calls at the same time", async () => {
  const partner = await world.newPartner();
  const replies = await Promise.all(Array.from({ length: 5 }, () => trade.buy(partner, id)));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  const [made] = await walk(world, partner.key, "/purchases");
  for (const { status, body } of replies) if (status === 409) expect(body.existing_id).toBe(made.id);
  const rows = await world.db.sql("select role from snapshot_purchases where id = $1 order by role", [made.id]);
  expect(rows).toEqual([{ role: "buyer" }, { role: "seller" }]);
});

test("a purchase is completed once, by five calls at the same time", async () => {
  const purchase_id = await due();
  const replies = await Promise.all(Array.from({ length: 5 }, () => trade.complete(purchase_id)));
  expect(replies.map(({ status, body }) => [status, body.version])).toEqual(Array.from({ length: 5 }, () => [200, 2]));
  expect((await causedBy(purchase_id)).length).toBe(1);
  expect((await licences(purchase_id)).length).toBe(1);
});

test("a purchase is completed or cancelled at the same time, and earns in one case alone", async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, due));
  const outcomes = await Promise.all(
    ids.map(async (purchase_id, index) => {
      const both = [trade.complete(purchase_id), trade.cancel(purchase_id)];
      const replies = await Promise.all(index % 2 === 0 ? both : both.toReversed());
      return replies.map(({ status }) => status).sort();
    }),
  );
  expect(outcomes).toEqual(ids.map(() => [200, 409]));
  for (const purchase_id of ids) {
    const { status } = (await trade.admin("GET", `/purchases/${purchase_id}`)).body;
    const expected = status === "completed" ? 1 : 0;
    expect([(await causedBy(purchase_id)).length, (await licences(purchase_id)).length]).toEqual([expected, expected]);
  }
});

test("partners that buy from each other do not wait for each other for ever", async () => {
  const theirs = await trade.newOffer(buyer);
  const ours = await trade.newOffer(seller);
  const purchases = [await trade.buy(seller, theirs), await trade.buy(buyer, ours)].map(({ body }) => body.id);
  const replies = await Promise.all(purchases.map(trade.complete));
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
});

test("a purchase that is due is cancelled by its buyer, and by no other partner", async () => {
  const [partner, stranger] = [await world.newPartner(), await world.newPartner()];
  const first = (await trade.buy(partner, id)).body.id;
  const cancel = (by: TestPartner, purchase_id: string) =>
    world.call("POST", `${BASE}/purchases/${purchase_id}/cancel`, { key: by.key });
  for (const other of [seller, stranger]) expect((await cancel(other, first)).status).toBe(404);
  for (const _ of ["once", "twice"])
    expect((await cancel(partner, first)).body).toMatchObject({ id: first, status: "cancelled" });
  const named = async (partner: TestPartner) => (await audited(partner, first)).map(({ action, actor }) => [action, actor.type]);
  expect((await named(partner))[1]).toEqual(["purchases.cancel", "key"]);
  expect((await named(seller))[1]).toEqual(["purchases.cancel", "system"]);
  const again = (await trade.buy(partner, id)).body.id;
  await trade.complete(again);
  expect((await cancel(partner, again)).body).toMatchObject({ code: "invalid_state_transition", from: "completed" });
});

test("a cancelled purchase leaves nothing, and the snapshot can be bought again", async () => {
  const partner = await world.newPartner();
  const first = (await trade.buy(partner, id)).body.id;
  expect((await trade.cancel(first)).body.status).toBe("cancelled");
  expect((await trade.cancel(first)).body.status).toBe("cancelled");
  const again = (await trade.buy(partner, id)).body.id;
  await trade.complete(again);
  expect((await get(partner, `/snapshots/${id}`)).status).toBe(200);
  expect(await purchasedBy(partner)).toMatchObject([{ purchase_id: again }]);
});
