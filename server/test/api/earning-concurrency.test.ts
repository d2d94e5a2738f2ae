import { beforeAll, expect, test } from "vitest";
import { brokenBooks, verifyLedger } from "../harness/books.ts";
import { moveDeal } from "../harness/deals.ts";
import { earning } from "../harness/earning.ts";
import { countDeadlocks, ROW_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import { newSale, provision } from "../harness/sales.ts";
import { sized } from "../harness/size.ts";
import { BASE, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
const hold = useHolds(() => world.db.connect());
let operator: string;
const money = earning(world, () => operator);
const SELLERS = sized(8, 16);
const CHARGES = sized(20, 60);
const sellers: TestPartner[] = [];
let seller: TestPartner;
let parent: TestPartner;
let grandparent: TestPartner;

beforeAll(async () => {
  operator = await world.newOperator();
  [parent, grandparent] = [await world.newPartner(), await world.newPartner()];
  await money.setParent(parent, grandparent);
  for (const above of [parent, grandparent]) await world.newClient(above);
  for (let index = 0; index < SELLERS; index += 1) {
    const partner = await world.newPartner();
    await money.setParent(partner, parent);
    sellers.push(partner);
  }
  seller = sellers[0] as TestPartner;
});

const won = async (partner = seller, mrr_cents = 50_000) =>
  (await provision(world, partner, await newSale(world, partner, { mrr_cents }))) ?? "";

async function expectSound(): Promise<void> {
  expect(await brokenBooks(world.db.sql)).toEqual([]);
  expect(await verifyLedger(world, [...sellers, parent, grandparent])).toEqual([]);
}

/** Sends calls that all wait for the seller's book, so that they are really under way at once. */
async function atOnce<T>(calls: (() => Promise<T>)[]): Promise<T[]> {
  const held = await hold("select 1 from books where partner_id = $1 for update", [seller.partner_id]);
  const sent = calls.map((call) => call());
  await untilWaiting(world.db.sql, ROW_LOCKS, calls.length);
  await held.release();
  return Promise.all(sent);
}

const sums = (partner_id: string) =>
  world.db.sql<{ sum: string; count: number }>(
    "select coalesce(sum(amount_cents), 0) as sum, count(*)::int as count from commissions where partner_id = $1",
    [partner_id],
  );

async function earnedBy(partner: TestPartner, during: () => Promise<unknown>): Promise<number> {
  const [before] = await sums(partner.partner_id);
  await during();
  const [after] = await sums(partner.partner_id);
  return Number(after?.sum) - Number(before?.sum);
}

test("of several reports of one charge at once, one is stored and earns", async () => {
  const client_id = await won();
  const body = { external_id: "once", amount_cents: 50_000, currency: "usd", charged_at: world.clock.now() };
  const replies = await atOnce(Array.from({ length: 4 }, () => () => money.admin("POST", `/clients/${client_id}/charges`, body)));
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 201]);
  expect(new Set(replies.map((reply) => reply.body.id)).size).toBe(1);
  await expectSound();
});

test("refunds that come at once with their charge take back the same, whichever is first", async () => {
  const client_id = await won();
  const earned = await earnedBy(seller, async () => {
    const charge = { external_id: "raced", amount_cents: 50_000, currency: "usd", charged_at: world.clock.now() };
    const refund = (external_id: string, amount_cents: number) => () =>
      money.admin("POST", `/clients/${client_id}/refunds`, { external_id, charge_external_id: "raced", amount_cents });
    const replies = await atOnce([
      refund("raced_1", 10_000),
      () => money.admin("POST", `/clients/${client_id}/charges`, charge),
      refund("raced_2", 15_000),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
  });
  // Half of the charge is kept: 10 % of what the win had accrued is taken back.
  expect(earned).toBe(-5_000);
  await expectSound();
});

test("of refunds at once, no more than the charge is refunded", async () => {
  const client_id = await won();
  const { id } = await money.charge(client_id, { amount_cents: 50_000 });
  const earned = await earnedBy(seller, async () => {
    const replies = await atOnce(
      Array.from(
        { length: 7 },
        (_, index) => () => money.admin("POST", `/charges/${id}/refunds`, { external_id: `many_${index}`, amount_cents: 10_000 }),
      ),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 201, 201, 422, 422]);
  });
  expect(earned).toBe(-10_000);
  await expectSound();
});

test("a deal that is won twice at once earns once", async () => {
  const { deal_id } = await newSale(world, seller, { mrr_cents: 50_000 });
  const earned = await earnedBy(seller, async () => {
    const replies = await Promise.all([1, 2, 3].map(() => moveDeal(world, seller, deal_id, { stage: "Won" })));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  });
  expect(earned).toBe(10_000);
  const rounds = await world.db.sql("select round from earnings where deal_id = $1", [deal_id]);
  expect(rounds).toEqual([{ round: 1 }]);
  await expectSound();
});

test("a win against a rejection leaves nothing owed, whichever is first", async () => {
  for (let turn = 0; turn < 6; turn += 1) {
    const { deal_id } = await newSale(world, seller, { mrr_cents: 50_000 });
    const calls = [
      () => moveDeal(world, seller, deal_id, { stage: "Won" }),
      () => money.admin("POST", `/registrations/${deal_id}/reject`, { reason: "Known to us." }),
    ];
    const earned = await earnedBy(seller, async () => {
      const [win, rejection] = await Promise.all((turn % 2 === 0 ? calls : calls.toReversed()).map((call) => call()));
      const statuses = [win?.status, rejection?.status];
      expect(statuses).toContain(200);
      expect(statuses.every((status) => status === 200 || status === 409)).toBe(true);
    });
    expect(earned).toBe(0);
  }
  await expectSound();
});

test("many sellers below the same partners, with wins, charges and bulk calls at once in any order: nothing waits for ever", async () => {
  const clients = await Promise.all(sellers.map((partner) => won(partner, 10_000)));
  const before = await sums(grandparent.partner_id);
  const reports = (index: number) =>
    Array.from({ length: CHARGES }, (_, number) => ({
      client_id: clients[index] ?? "",
      external_id: `shared_${number}`,
      amount_cents: 10_000,
      currency: "usd",
      charged_at: world.clock.now().toISOString(),
    }));
  const single = sellers.flatMap((_, index) =>
    reports(index)
      .slice(0, CHARGES / 2)
      .map(
        ({ client_id, ...body }) =>
          () =>
            money.admin("POST", `/clients/${client_id}/charges`, body),
      ),
  );
  // Each bulk call has charges of all sellers, every other one from the last to the first.
  const bulk = Array.from({ length: CHARGES / 2 }, (_, number) => {
    const charges = sellers.map((_, index) => reports(index)[CHARGES / 2 + number]);
    return () => money.admin("POST", "/charges/bulk", { charges: number % 2 === 0 ? charges : charges.toReversed() });
  });
  const wins = sellers.map((partner) => async () => ({ status: (await won(partner, 10_000)) === "" ? 500 : 200 }));
  const calls = [...single, ...bulk, ...wins];
  // Not in the order of the sellers, and as many at once as there are connections.
  const mixed = calls.map((call, index) => ({ call, place: (index * 7) % 31 })).toSorted((a, b) => a.place - b.place);
  const replies: { status: number }[] = [];
  const work = async () => {
    for (let next = mixed.shift(); next !== undefined; next = mixed.shift()) replies.push(await next.call());
  };
  await Promise.all(Array.from({ length: 9 }, work));
  expect(replies).toHaveLength(calls.length);
  expect(replies.filter(({ status }) => status >= 300)).toEqual([]);
  const after = await sums(grandparent.partner_id);
  // 2 % of each charge but the first, which was accrued with the win, and of each further win.
  expect(Number(after[0]?.sum) - Number(before[0]?.sum)).toBe(SELLERS * (CHARGES - 1 + 1) * 200);
  await expectSound();
});

test("sales of one partner that are won at once promote it once, and earn once each", async () => {
  const partner = await world.newPartner();
  await world.db.sql("update partners set grade = 'registered', pinned = false where id = $1", [partner.partner_id]);
  const sales = await Promise.all(Array.from({ length: 9 }, () => newSale(world, partner, { mrr_cents: 50_000 })));
  const replies = await Promise.all(sales.map(({ deal_id }) => moveDeal(world, partner, deal_id, { stage: "Won" })));
  expect(replies.map(({ status }) => status)).toEqual(sales.map(() => 200));
  const promotions = await world.db.sql<{ grade: string }>("select grade from tier_changes where partner_id = $1", [
    partner.partner_id,
  ]);
  expect(new Set(promotions.map(({ grade }) => grade)).size).toBe(promotions.length);
  expect((await sums(partner.partner_id))[0]?.count).toBe(sales.length);
  await expectSound();
});

test("of further sales to one client that are won at once, one is live and the others are superseded", async () => {
  const client_id = await won();
  await money.charge(client_id, { amount_cents: 50_000 });
  const body = { company: "Sold more Ltd", plan: "Growth", mrr_cents: 50_000, client_id, stage: "Won" };
  const replies = await Promise.all([1, 2, 3].map(() => world.call("POST", `${BASE}/deals`, { key: seller.key, body })));
  expect(replies.map(({ status, text }) => (status === 201 ? 201 : text))).toEqual([201, 201, 201]);
  const live = await world.db.sql<{ end_reason: string | null }>(
    "select end_reason from earnings where client_id = $1 order by ended_at nulls last",
    [client_id],
  );
  expect(live.map(({ end_reason }) => end_reason)).toEqual(["superseded", "superseded", "superseded", null]);
  await expectSound();
});

test("no transaction was ended by a deadlock", async () => {
  expect(await countDeadlocks(world.db)).toBe(0);
});
