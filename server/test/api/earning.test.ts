import { beforeAll, describe, expect, test } from "vitest";
import { brokenBooks, verifyLedger } from "../harness/books.ts";
import { earning, earningLines } from "../harness/earning.ts";
import { DAY_MS, newSale, nextCompany, provision, reclaim, setProgramme } from "../harness/sales.ts";
import { BASE, GENERAL, type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let operator: string;
const money = earning(world, () => operator);

beforeAll(async () => {
  operator = await world.newOperator();
});

const { newLine, sell, story, total } = earningLines(world, money);
const days = (count: number) => world.clock.advance(count * DAY_MS);

describe("what a charge earns", () => {
  test("a first charge in another currency earns in that one, and nothing in that of the sale", async () => {
    const { seller, parent } = await newLine();
    const { client_id } = await sell(seller);
    await money.charge(client_id, { currency: "eur", amount_cents: 40_000 });
    const rows = await money.commissions(seller);
    expect(rows.map(({ kind, amount_cents, currency, status }) => [kind, amount_cents, currency, status]).toSorted()).toEqual([
      ["first", 10_000, "usd", "void"],
      ["first", 8000, "eur", "pending"],
      ["reversal", -10_000, "usd", "void"],
    ]);
    expect((await money.commissions(parent)).filter(({ currency }) => currency === "eur")).toMatchObject([
      { kind: "override", amount_cents: 1200 },
    ]);
  });

  test("is held for as long as the seller's tier says, or else the programme", async () => {
    const [{ seller }, { seller: other }] = [await newLine(), await newLine()];
    await money.setGrade(seller, "platinum");
    expect((await money.admin("PATCH", "/tiers/platinum", { hold_days: 7 }, { "if-match": "*" })).status).toBe(200);
    for (const [partner, hold_days] of [[seller, 7] as const, [other, 30] as const]) {
      const { charged_at } = await money.charge((await sell(partner)).client_id, { amount_cents: 50_000 });
      const hold_until = new Date(Date.parse(charged_at) + hold_days * DAY_MS).toISOString();
      expect(await money.commissions(partner)).toMatchObject([{ kind: "first", hold_until }]);
    }
  });

  test("a charge for several months earns for those that begin before the window ends, the first of them as first", async () => {
    const { seller } = await newLine();
    const { client_id } = await sell(seller);
    const charge = await money.charge(client_id, { amount_cents: 60_000, months: 6 });
    // 10,000 a month: one at 20 %, two at 10 %, and three are after the window.
    expect(charge.outcome).toBe("earned");
    expect((await story(seller)).toSorted()).toEqual([
      ["adjustment", -8000, "first_charge"],
      ["first", 10_000, null],
      ["recurring", 2000, null],
    ]);
    days(91);
    expect((await money.charge(client_id)).outcome).toBe("earned");
    days(1);
    expect((await money.charge(client_id)).outcome).toBe("outside_window");
    expect((await money.charge(client_id, { amount_cents: 0 })).outcome).toBe("zero");
  });

  test("a charge before the win is earned by it, with what was refunded of it", async () => {
    const { seller, parent } = await newLine();
    const client = await world.newClient(seller, { company: "Paid before Ltd" });
    const early = await money.charge(client.id);
    world.clock.advance(1);
    const sale = await newSale(world, seller, { mrr_cents: 50_000, client_id: client.id, company: "Paid before Ltd" });
    days(1);
    const charge = await money.charge(client.id, { amount_cents: 40_000 });
    await money.refund(charge.id, 10_000);
    expect(await story(seller)).toEqual([]);
    await provision(world, seller, sale);
    // Only what came after the sale was registered: 30,000 is kept.
    expect(await total(seller)).toBe(6000);
    expect(await total(parent)).toBe(900);
    const { body } = await money.admin("GET", `/charges/${early.id}`);
    expect(body).toMatchObject({ outcome: "no_sale", deal_id: null });
  });

  test("a rule for all charges is chosen anew for each; otherwise a sale keeps its terms", async () => {
    for (const [applies_to, expected] of [
      ["new_deals", 5000],
      ["all_charges", 2500],
    ] as const) {
      const { seller, rule_id } = await newLine({ applies_to });
      const { client_id } = await sell(seller);
      await money.charge(client_id, { amount_cents: 50_000 });
      await money.admin("PATCH", `/rules/${rule_id}`, { recurring: { bps: 500 } }, { "if-match": "*" });
      await money.charge(client_id, { amount_cents: 50_000 });
      expect((await story(seller)).at(-1)).toEqual(["recurring", expected, null]);
    }
  });

  test("a rule for all charges that ended earns nothing any more where no other one applies", async () => {
    const { seller, parent, rule_id } = await newLine({ applies_to: "all_charges" });
    const [paid, unpaid] = [await sell(seller), await sell(seller)];
    await money.charge(paid.client_id, { amount_cents: 50_000 });
    await money.admin("PATCH", `/rules/${rule_id}`, { active: false }, { "if-match": "*" });
    const grades = (await money.admin("GET", "/rules?scope=grade&grade=gold")).body.data as Json[];
    const setGold = async (active: boolean) => {
      for (const { id } of grades) await money.admin("PATCH", `/rules/${id}`, { active }, { "if-match": "*" });
    };
    await setGold(false);
    await money.charge(paid.client_id, { amount_cents: 50_000 });
    await money.charge(unpaid.client_id, { amount_cents: 50_000 });
    await setGold(true);
    expect([await total(seller), await total(parent)]).toEqual([10_000, 1500]);
    expect((await story(seller)).at(-1)).toEqual(["adjustment", -10_000, "first_charge"]);
    // The rule of its grade: 20 %.
    await money.charge(paid.client_id, { amount_cents: 50_000 });
    expect([await total(seller), await total(parent)]).toEqual([20_000, 3000]);
    expect(await verifyLedger(world, [seller, parent])).toEqual([]);
  });

  test("a rule for all charges with a least revenue does not apply to a sale whose revenue is in another currency", async () => {
    const { seller } = await newLine({ applies_to: "all_charges" });
    const large = {
      name: "Large",
      scope: "partner",
      partner_id: seller.partner_id,
      priority: 1,
      currency: "usd",
      min_mrr_cents: 10_000,
    };
    const rates = { first: { bps: 4000 }, recurring: { bps: 4000 }, months: 3, applies_to: "all_charges" };
    expect((await money.admin("POST", "/rules", { ...large, ...rates })).status).toBe(201);
    for (const [currency, expected] of [
      ["usd", 4000],
      ["jpy", 2000],
    ] as const) {
      const body = { company: nextCompany(), plan: "Growth", mrr_cents: 15_000, currency, stage: "Won" };
      const { client_id } = (await world.call("POST", `${GENERAL}/deals`, { key: seller.key, body })).body;
      await money.charge(client_id, { amount_cents: 10_000 });
      const rows = await money.commissions(seller, `&client_id=${client_id}`);
      const earned = rows.filter((row) => row.currency === "usd");
      expect(earned.reduce((sum, { amount_cents }) => sum + amount_cents, 0)).toBe(expected);
    }
  });

  test("the rule of a partner is before that of its grade, and a change of grade concerns later sales alone", async () => {
    const { seller, rule_id } = await newLine();
    await sell(seller);
    await money.admin("PATCH", `/rules/${rule_id}`, { active: false }, { "if-match": "*" });
    const { client_id } = await sell(seller);
    await money.setGrade(seller, "silver");
    await money.charge(client_id, { amount_cents: 50_000 });
    await sell(seller);
    // Its own rule, then gold, then silver.
    expect((await money.commissions(seller)).map(({ amount_cents, rate_bps }) => [amount_cents, rate_bps])).toEqual([
      [10_000, 2000],
      [10_000, 2000],
      [7500, 1500],
    ]);
  });

  test("a flat amount is earned once, and a refund takes its part of it back", async () => {
    const { seller } = await newLine({ first: { flat_cents: 3333, currency: "usd" }, recurring: { bps: 0 } });
    const { client_id } = await sell(seller);
    const { id } = await money.charge(client_id, { amount_cents: 30_000 });
    await money.refund(id, 10_000);
    expect(await total(seller)).toBe(2222);
    await money.refund(id, 20_000);
    expect(await total(seller)).toBe(0);
  });
});

describe("who stands above a seller", () => {
  test("earns nothing while it is suspended or has no clients of its own, and nobody moves up", async () => {
    const { seller, parent } = await newLine();
    const grandparent = await world.newPartner();
    await money.setParent(parent, grandparent);
    await sell(seller);
    expect(await total(grandparent)).toBe(0);
    await world.newClient(grandparent);
    const { client_id } = await sell(seller);
    expect([await total(parent), await total(grandparent)]).toEqual([3000, 1000]);
    await money.charge(client_id, { amount_cents: 50_000 });
    await money.admin("POST", `/partners/${parent.partner_id}/suspend`);
    await money.charge(client_id, { amount_cents: 50_000 });
    await money.admin("POST", `/partners/${parent.partner_id}/reactivate`);
    expect([await total(parent), await total(grandparent)]).toEqual([3000, 2000]);
  });

  test("is cut by the cap, the farthest first, and the seller never", async () => {
    const { seller, parent } = await newLine({ first: { bps: 4800 } });
    const grandparent = await world.newPartner();
    await money.setParent(parent, grandparent);
    await world.newClient(grandparent);
    await sell(seller, { mrr_cents: 10_000 });
    expect([await total(seller), await total(parent), await total(grandparent)]).toEqual([4800, 200, 0]);
    const [override] = await money.commissions(parent);
    const { body } = await world.call("GET", `${BASE}/deals/commissions/${override?.id}`, { key: parent.key });
    expect(body.calculation.map(({ step, result }: Json) => [step, result])).toEqual([
      ["rate", 300],
      ["cap", 200],
    ]);
    await setProgramme(world, operator, { total_cap_bps: 0 });
    await sell(seller, { mrr_cents: 10_000 });
    await setProgramme(world, operator, { total_cap_bps: 5000 });
    expect([await total(seller), await total(parent)]).toEqual([9600, 200]);
  });

  test("is who stood there when the sale was registered", async () => {
    const { seller, parent } = await newLine();
    const sale = await newSale(world, seller, { mrr_cents: 50_000 });
    await money.setParent(seller, null);
    await provision(world, seller, sale);
    expect(await total(parent)).toBe(1500);
    await sell(seller);
    expect(await total(parent)).toBe(1500);
  });
});

describe("a further sale to a client", () => {
  test("continues the window of the former one, at the recurring rate", async () => {
    const { seller } = await newLine();
    const { client_id, sale } = await sell(seller);
    await money.charge(client_id, { amount_cents: 50_000 });
    days(60);
    await sell(seller, { client_id, company: sale.company, mrr_cents: 80_000 });
    expect((await story(seller)).at(-1)).toEqual(["recurring", 8000, null]);
    await money.charge(client_id, { amount_cents: 70_000 });
    expect((await story(seller)).at(-1)).toEqual(["adjustment", -1000, "first_charge"]);
    days(32);
    expect((await money.charge(client_id)).outcome).toBe("outside_window");
  });

  test("continues the window also when the one between them was never paid", async () => {
    const { seller } = await newLine();
    const { client_id, sale } = await sell(seller);
    await money.charge(client_id, { amount_cents: 50_000 });
    days(60);
    for (const mrr_cents of [60_000, 80_000]) await sell(seller, { client_id, company: sale.company, mrr_cents });
    expect((await story(seller)).at(-1)).toEqual(["recurring", 8000, null]);
    await money.charge(client_id, { amount_cents: 80_000 });
    days(32);
    expect((await money.charge(client_id)).outcome).toBe("outside_window");
    expect(await total(seller)).toBe(18_000);
  });

  test("begins anew when the client had left", async () => {
    const { seller } = await newLine();
    const { client_id, sale } = await sell(seller);
    await money.charge(client_id, { amount_cents: 50_000 });
    days(60);
    await world.call("DELETE", `${BASE}/clients/${client_id}`, { key: seller.key });
    world.clock.advance(1);
    await world.call("POST", `${BASE}/clients/${client_id}/reactivate`, { key: seller.key });
    await sell(seller, { client_id, company: sale.company });
    expect((await story(seller)).at(-1)).toEqual(["first", 10_000, null]);
    days(80);
    expect((await money.charge(client_id)).outcome).toBe("earned");
    days(80);
    expect((await money.charge(client_id)).outcome).toBe("earned");
  });

  test("takes back the first commission of a former one that was never paid, which lives again when the further one is lost", async () => {
    const { seller } = await newLine();
    const { client_id, sale } = await sell(seller);
    // Another client's sale that is superseded, too, and was won later.
    const other = await sell(seller, { mrr_cents: 1000 });
    await sell(seller, { client_id: other.client_id, company: other.sale.company, mrr_cents: 0 });
    const further = await sell(seller, { client_id, company: sale.company, mrr_cents: 60_000 });
    expect((await story(seller, `&client_id=${client_id}`)).toSorted()).toEqual([
      ["first", 10_000, null],
      ["first", 12_000, null],
      ["reversal", -10_000, "superseded"],
    ]);
    world.clock.advance(1);
    await reclaim(world, seller, further.sale);
    expect((await story(seller)).at(-1)).toEqual(["reversal", -12_000, "deal_open"]);
    await money.charge(client_id, { amount_cents: 50_000 });
    expect((await story(seller)).at(-1)).toEqual(["first", 10_000, null]);
  });
});

describe("a sale that is won again", () => {
  const winAgain = async (seller: TestPartner, sale: Json) => {
    world.clock.advance(1);
    await reclaim(world, seller, sale);
    world.clock.advance(1);
    await provision(world, seller, sale);
  };

  test("earns by its charges as before, for the same partners, whatever terms, grade and parent are now", async () => {
    const { seller, parent, rule_id } = await newLine();
    const other = await world.newPartner();
    await world.newClient(other);
    const { client_id, sale } = await sell(seller);
    await money.charge(client_id, { amount_cents: 50_000 });
    // The protection of the sale has ended: it is registered anew.
    days(88);
    await money.charge(client_id, { amount_cents: 50_000 });
    days(30);
    const rates = { first: { bps: 4000 }, recurring: { bps: 4000 }, months: 24 };
    await money.admin("PATCH", `/rules/${rule_id}`, rates, { "if-match": "*" });
    await money.setGrade(seller, "platinum");
    await money.setParent(seller, other);
    for (const _ of ["once", "twice"]) {
      await winAgain(seller, sale);
      expect([await total(seller), await total(parent), await total(other)]).toEqual([15_000, 3000, 0]);
    }
    expect((await money.charge(client_id)).outcome).toBe("outside_window");
    expect(await verifyLedger(world, [seller, parent, other])).toEqual([]);
  });

  test("takes the terms of the day while its client has paid nothing", async () => {
    const { seller, rule_id } = await newLine();
    const { sale } = await sell(seller);
    await money.admin("PATCH", `/rules/${rule_id}`, { first: { bps: 4000 } }, { "if-match": "*" });
    await winAgain(seller, sale);
    expect(await total(seller)).toBe(20_000);
  });

  test("leaves a sale that was won after it as it is", async () => {
    const { seller } = await newLine();
    const { client_id, sale } = await sell(seller);
    await money.charge(client_id, { amount_cents: 50_000 });
    days(10);
    const further = await sell(seller, { client_id, company: sale.company, mrr_cents: 80_000 });
    const pays = async () => (await money.charge(client_id, { amount_cents: 80_000 })).deal_id;
    for (const _ of ["once", "twice"]) {
      await winAgain(seller, sale);
      expect(await total(seller)).toBe(18_000);
    }
    expect(await pays()).toBe(further.sale.deal_id);
    expect(await total(seller)).toBe(18_000);
    // What the further sale earned waits for a win; what comes then earns for the one before.
    await reclaim(world, seller, further.sale);
    expect(await total(seller)).toBe(10_000);
    expect(await pays()).toBe(sale.deal_id);
    await winAgain(seller, sale);
    expect(await total(seller)).toBe(26_000);
    expect(await verifyLedger(world, [seller])).toEqual([]);
  });
});

describe("a win", () => {
  test("without a charge for 180 days earns nothing", async () => {
    const { seller, parent } = await newLine();
    const { client_id, sale } = await sell(seller);
    days(179);
    await money.runJob("unpaid_sales");
    expect(await total(seller)).toBe(10_000);
    days(2);
    await money.runJob("unpaid_sales");
    expect((await story(seller)).at(-1)).toEqual(["reversal", -10_000, "no_charge"]);
    expect((await money.commissions(seller)).at(-1)).toMatchObject({ base_cents: 0, status: "void" });
    expect(await total(parent)).toBe(0);
    expect((await money.charge(client_id)).outcome).toBe("no_sale");
    world.clock.advance(1);
    await reclaim(world, seller, sale);
    await provision(world, seller, sale);
    expect(await total(seller)).toBe(9990);
  });

  test("earns from the approval on, and nothing any more after a rejection", async () => {
    const { seller, parent } = await newLine();
    await setProgramme(world, operator, { registration_review: "review" });
    const { client_id, sale } = await sell(seller);
    await setProgramme(world, operator, { registration_review: "auto" });
    await money.charge(client_id, { amount_cents: 40_000 });
    expect(await story(seller)).toEqual([]);
    const decide = async (decision: string, body?: object) => {
      world.clock.advance(1);
      expect((await money.admin("POST", `/registrations/${sale.deal_id}/${decision}`, body)).status).toBe(200);
    };
    await decide("approve");
    expect([await total(seller), await total(parent)]).toEqual([8000, 1200]);
    await decide("reject", { reason: "Known to us." });
    expect([await total(seller), await total(parent)]).toEqual([0, 0]);
    expect((await story(seller)).at(-1)?.[2]).toBe("registration_rejected");
    await decide("approve");
    expect([await total(seller), await total(parent)]).toEqual([8000, 1200]);
  });

  test("from before there were commissions earns when the operator says so, once", async () => {
    const { seller, parent } = await newLine();
    const open = await newSale(world, seller);
    expect((await money.admin("POST", `/deals/${open.deal_id}/accrue`)).body.code).toBe("invalid_state_transition");
    const { client_id, sale } = await sell(seller);
    // As if it had been won before.
    const both = [seller.partner_id, parent.partner_id];
    for (const table of ["ledger_transfers", "commissions", "earnings"])
      await world.db.sql(`delete from ${table} where partner_id = any ($1)`, [both]);
    await world.db.sql("delete from event_feed where partner_id = any ($1) and type = 'commission.accrued'", [both]);
    expect((await money.charge(client_id, { amount_cents: 50_000 })).outcome).toBe("no_sale");
    const accrue = async () => (await money.admin("POST", `/deals/${sale.deal_id}/accrue`)).body;
    expect(await accrue()).toMatchObject({ accrued: true, first_commission_cents: 10_000 });
    expect(await accrue()).toMatchObject({ accrued: false });
    expect(await total(seller)).toBe(10_000);
  });
});

test("after all of this, every book says what it owes", async () => {
  expect(await brokenBooks(world.db.sql)).toEqual([]);
});
