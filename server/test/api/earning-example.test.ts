import { beforeAll, expect, test } from "vitest";
import { earning } from "../harness/earning.ts";
import { feed } from "../harness/lists.ts";
import { DAY_MS, newSale, provision } from "../harness/sales.ts";
import { BASE, type Json, type TestPartner, useWorld } from "../harness/world.ts";

/** The example in docs/commissions.md, figure by figure. A seller at 15 %, with two levels above it at 3 % and 2 %. */
const world = useWorld();
let operator: string;
const money = earning(world, () => operator);
let seller: TestPartner;
let parent: TestPartner;
let grandparent: TestPartner;
let client_id: string;
let second: Json;

const amounts = async (partner: TestPartner) => (await money.commissions(partner)).map(({ amount_cents }) => amount_cents);
const all = () => Promise.all([seller, parent, grandparent].map(amounts));

beforeAll(async () => {
  operator = await world.newOperator();
  [seller, parent, grandparent] = [await world.newPartner(), await world.newPartner(), await world.newPartner()];
  await money.setGrade(seller, "silver");
  await money.setParent(parent, grandparent);
  await money.setParent(seller, parent);
  // Only who has clients of its own earns by those below.
  for (const above of [parent, grandparent]) await world.newClient(above);
});

test("the win accrues the first commission, pending until the client pays", async () => {
  const sale = await newSale(world, seller, { mrr_cents: 49_950 });
  client_id = (await provision(world, seller, sale)) ?? "";
  expect(await all()).toEqual([[7493], [1499], [999]]);
  expect(await money.balances(seller)).toEqual({ expense: -7493, pending: 7493 });
  const events = await feed(world, seller.key);
  expect(events.map(({ type }) => type).slice(-2)).toEqual(["deal.won", "commission.accrued"]);
  expect(events.at(-2)?.data.first_commission_cents).toBe(7493);
  const [first] = await money.commissions(seller);
  expect(first).toMatchObject({
    kind: "first",
    level: 0,
    base_cents: 49_950,
    rate_bps: 1500,
    status: "pending",
    hold_until: null,
  });
});

test("the first charge settles it, and its hold begins", async () => {
  await money.charge(client_id, { amount_cents: 44_955 });
  expect(await all()).toEqual([
    [7493, -750],
    [1499, -150],
    [999, -100],
  ]);
  const rows = await money.commissions(seller);
  const hold_until = new Date(world.clock.now().getTime() + 30 * DAY_MS).toISOString();
  for (const row of rows) expect(row).toMatchObject({ status: "pending", hold_until });
  expect(rows[1]).toMatchObject({ kind: "adjustment", reason_code: "first_charge", root_id: rows[0]?.id });
});

test("every further charge earns a recurring commission, and a refund takes its part back", async () => {
  world.clock.advance(31 * DAY_MS);
  second = await money.charge(client_id);
  await money.refund(second.id, 16_650);
  expect((await all()).map((rows) => rows.slice(2))).toEqual([
    [7493, -2498],
    [1499, -500],
    [999, -333],
  ]);
});

test("after the hold, everything is approved", async () => {
  world.clock.advance(30 * DAY_MS);
  await money.runJob("commission_approval");
  expect(await money.balances(seller)).toEqual({ expense: -11_738, approved: 11_738 });
  expect(await money.balances(parent)).toEqual({ expense: -2348, approved: 2348 });
  expect(await money.balances(grandparent)).toEqual({ expense: -1565, approved: 1565 });
});

test("a refund of the rest takes the rest back, and voids what is nothing any more", async () => {
  await money.refund(second.id, 33_300);
  expect((await all()).map((rows) => rows.at(-1))).toEqual([-4995, -999, -666]);
  expect(await money.balances(parent)).toEqual({ expense: -1349, approved: 1349 });
  expect(await money.balances(grandparent)).toEqual({ expense: -899, approved: 899 });
  const rows = await money.commissions(parent);
  expect(rows.map(({ status }) => status)).toEqual(["approved", "approved", "void", "void", "void"]);
});

test("each row says how it was calculated, those of an override without what the client paid", async () => {
  const steps = async (partner: TestPartner) => {
    const rows = await money.commissions(partner);
    const details = rows.map(({ id }) => world.call("GET", `${BASE}/deals/commissions/${id}`, { key: partner.key }));
    return (await Promise.all(details)).map(({ body }) =>
      body.calculation.map(({ step, input, result }: Json) => [step, input, result]),
    );
  };
  const paid = (charge_cents: number) => ["base", { charge_cents, months: 1, counting_months: 1 }, charge_cents];
  const rate = (base_cents: number, bps: number, result: number) => ["rate", { base_cents, bps }, result];
  const of_charge = { base_cents: 49_950, charge_cents: 49_950 };
  expect(await steps(seller)).toEqual([
    [["base", { mrr_cents: 49_950 }, 49_950], rate(49_950, 1500, 7493)],
    [paid(44_955), rate(44_955, 1500, 6743), ["settlement", { due_cents: 6743, accrued_cents: 7493 }, -750]],
    [paid(49_950), rate(49_950, 1500, 7493)],
    [
      ["refund", { ...of_charge, refunded_cents: 16_650 }, 4995],
      ["difference", { kept_cents: 4995, earned_cents: 7493 }, -2498],
    ],
    [
      ["refund", { ...of_charge, refunded_cents: 49_950 }, 0],
      ["difference", { kept_cents: 0, earned_cents: 4995 }, -4995],
    ],
  ]);
  expect(await steps(parent)).toEqual([
    [rate(49_950, 300, 1499)],
    [rate(44_955, 300, 1349), ["settlement", { due_cents: 1349, accrued_cents: 1499 }, -150]],
    [rate(49_950, 300, 1499)],
    [
      ["refund", { base_cents: 49_950 }, 999],
      ["difference", { kept_cents: 999, earned_cents: 1499 }, -500],
    ],
    [
      ["refund", { base_cents: 49_950 }, 0],
      ["difference", { kept_cents: 0, earned_cents: 999 }, -999],
    ],
  ]);
});

test("the operator sees which commission of the seller an override came of, and the seller's rows name their charge and refund", async () => {
  const rows = await money.commissions(seller);
  expect(rows.map(({ charge_id, refund_id }) => [charge_id !== null, refund_id !== null])).toEqual([
    [false, false],
    [true, false],
    [true, false],
    [true, true],
    [true, true],
  ]);
  const [win, , recurring] = rows;
  const { body } = await money.admin("GET", `/commissions?partner_id=${parent.partner_id}`);
  const origins = body.data
    .toReversed()
    .map(({ origin_partner_id, origin_commission_id, charge_id, refund_id }: Json) => [
      origin_partner_id,
      origin_commission_id,
      charge_id,
      refund_id,
    ]);
  const of = (row: Json) => [seller.partner_id, row.id, null, null];
  expect(origins).toEqual([of(win), of(win), of(recurring), of(recurring), of(recurring)]);
});

test("an override tells the level above nothing of the sale but its base", async () => {
  for (const row of await money.commissions(parent)) {
    const { deal_id, client_id: client, charge_id, refund_id, source_partner_id } = row;
    expect([deal_id, client, charge_id, refund_id]).toEqual([null, null, null, null]);
    expect(source_partner_id).toBe(seller.partner_id);
  }
  for (const row of await money.commissions(grandparent)) expect(row.source_partner_id).toBe(parent.partner_id);
  const told = JSON.stringify([await feed(world, parent.key), await money.commissions(parent)]);
  for (const secret of [client_id, second.id, seller.key]) expect(told).not.toContain(secret);
});
