import { beforeAll, describe, expect, test } from "vitest";
import { brokenBooks } from "../harness/books.ts";
import { earning, earningLines } from "../harness/earning.ts";
import { changes } from "../harness/lists.ts";
import { paying } from "../harness/payouts.ts";
import { DAY_MS, setProgramme } from "../harness/sales.ts";
import { BASE, type Json, useWorld } from "../harness/world.ts";

const world = useWorld();
let operator: string;
const money = earning(world, () => operator);
const { newLine, sell } = earningLines(world, money);
const pay = paying(world, money);
const days = (count: number) => world.clock.advance(count * DAY_MS);
const codes = (blockers: Json[]) => blockers.map(({ code }) => code);

beforeAll(async () => {
  operator = await world.newOperator();
});

async function newPayee(amount_cents = 20_000) {
  const partner = await world.newPartner();
  await pay.setMethod(partner);
  if (amount_cents !== 0) await pay.earn(partner, amount_cents);
  return partner;
}

/** A partner with one scheduled payout. */
async function scheduled(amount_cents = 20_000) {
  const partner = await newPayee(amount_cents);
  const run = await pay.run();
  const [payout] = await pay.payouts(partner);
  return { partner, run, payout };
}

describe("a run", () => {
  test("is followed from its start to its end", async () => {
    await newPayee();
    const { body: started } = await money.admin("POST", "/payout-runs", {});
    const followed = money.admin("GET", `/payout-runs/${started.id}/events`);
    await pay.work();
    const { headers, text } = await followed;
    expect(headers["content-type"]).toBe("text/event-stream");
    const told = text.split("\n\n").flatMap((message) => {
      const [event = "", data = ""] = message.split("\n");
      return event.startsWith("event: ") ? [{ event: event.slice(7), ...JSON.parse(data.slice(6)) }] : [];
    });
    expect(told.at(-1)).toMatchObject({
      event: "ended",
      id: started.id,
      state: "finished",
      partners_done: started.partners_total,
    });
    expect(told.slice(0, -1).every(({ event, state }) => event === "progress" && state === "running")).toBe(true);
    const again = await money.admin("GET", `/payout-runs/${started.id}/events`);
    expect(again.text).toBe(`event: ended\ndata: ${(await money.admin("GET", `/payout-runs/${started.id}`)).text}\n\n`);
  });

  test("pays what is approved in each currency, net of what was taken back, once", async () => {
    const partner = await newPayee();
    await pay.earn(partner, -5000, { reason_code: "clawback" });
    await pay.earn(partner, 9000, { currency: "eur" });
    const run = await pay.run();
    expect(run).toMatchObject({ state: "finished", trigger: "manual", finished_at: world.clock.now().toISOString() });
    const payouts = await pay.payouts(partner);
    expect(
      payouts.map(({ currency, gross_cents, adjustments_cents, carry_in_cents, net_cents }) => [
        currency,
        gross_cents,
        adjustments_cents,
        carry_in_cents,
        net_cents,
      ]),
    ).toEqual([
      ["eur", 9000, 0, 0, 9000],
      ["usd", 20_000, -5000, 0, 15_000],
    ]);
    expect(payouts.map(({ statement_number, status, attempt }) => [statement_number, status, attempt])).toEqual([
      ["S-000001", "scheduled", 1],
      ["S-000002", "scheduled", 1],
    ]);
    expect(await money.balances(partner)).toEqual({ expense: -15_000, scheduled: 15_000 });
    const { body } = await world.call("GET", `${BASE}/payouts/${payouts[1]?.id}/commissions`, { key: partner.key });
    expect(body.data.map(({ amount_cents, status, payout_id }: Json) => [amount_cents, status, payout_id])).toEqual([
      [-5000, "scheduled", payouts[1]?.id],
      [20_000, "scheduled", payouts[1]?.id],
    ]);
    await pay.run();
    expect(await pay.payouts(partner)).toHaveLength(2);
    expect(await brokenBooks(world.db.sql)).toEqual([]);
  });

  test("carries over what is below the minimum or negative, and says so", async () => {
    const small = await newPayee(4999);
    const negative = await newPayee(-100);
    const run = await pay.run();
    expect(codes(run.blocked)).toEqual(expect.arrayContaining(["below_minimum", "negative_balance"]));
    expect([await pay.payouts(small), await pay.payouts(negative)]).toEqual([[], []]);
    days(30);
    await pay.earn(small, 1);
    await pay.earn(negative, 6000);
    const fresh = await newPayee(6000);
    await pay.run();
    const [paid] = await pay.payouts(small);
    const [carried] = await money.commissions(small);
    expect(paid).toMatchObject({ carry_in_cents: 4999, gross_cents: 1, net_cents: 5000, period_from: carried?.accrued_at });
    expect((await pay.payouts(fresh))[0]).toMatchObject({ carry_in_cents: 0, period_from: run.cutoff });
    expect((await pay.payouts(negative))[0]).toMatchObject({ carry_in_cents: -100, gross_cents: 6000, net_cents: 5900 });
  });

  test("takes what is due by the cutoff, and every amount that was taken back", async () => {
    const partner = await newPayee(10_000);
    days(1);
    const cutoff = world.clock.now().toISOString();
    days(1);
    await pay.earn(partner, 7000);
    await pay.earn(partner, -1000, { reason_code: "clawback" });
    await pay.run({ cutoff });
    expect((await pay.payouts(partner))[0]).toMatchObject({ net_cents: 9000, commission_count: 2, period_to: cutoff });
    const late = await money.admin("POST", "/payout-runs", {
      cutoff: new Date(world.clock.now().getTime() + DAY_MS).toISOString(),
    });
    expect([late.status, late.body.errors[0].code]).toEqual([422, "future"]);
  });

  test("is what its preview says", async () => {
    const [payee, small, unpayable] = [await newPayee(30_000), await newPayee(10), await world.newPartner()];
    await pay.earn(unpayable, 8000);
    const preview = (await money.admin("POST", "/payout-runs/preview")).body;
    const rowOf = ({ partner_id }: { partner_id: string }) => preview.data.find((row: Json) => row.partner_id === partner_id);
    expect(rowOf(payee)).toMatchObject({ net_cents: 30_000, blockers: [], method: "manual" });
    expect([codes(rowOf(small).blockers), codes(rowOf(unpayable).blockers)]).toEqual([["below_minimum"], ["no_payout_method"]]);
    expect(preview.data.filter((row: Json) => [small, payee, unpayable].some((one) => rowOf(one) === row))).toEqual(
      [payee, unpayable, small].map(rowOf),
    );
    const run = await pay.run();
    expect([run.scheduled, run.blocked]).toEqual([preview.scheduled, preview.blocked]);
    const cutoff = new Date(world.clock.now().getTime() + 1).toISOString();
    const early = await money.admin("POST", "/payout-runs/preview", { cutoff });
    expect([early.status, early.body.errors[0].code]).toEqual([422, "future"]);
  });

  test("is what its preview says also by a cutoff in the past: what is approved since then stays out, with what was taken back of it", async () => {
    const { seller } = await newLine();
    await pay.setMethod(seller);
    const { client_id } = await sell(seller);
    await money.charge(client_id, { amount_cents: 50_000 });
    days(20);
    await money.refund((await money.charge(client_id, { amount_cents: 50_000 })).id, 25_000);
    days(15);
    const cutoff = world.clock.now().toISOString();
    days(20);
    const preview = (await money.admin("POST", "/payout-runs/preview", { cutoff })).body;
    expect(preview.cutoff).toBe(cutoff);
    const run = await pay.run({ cutoff });
    expect([run.scheduled, run.blocked]).toEqual([preview.scheduled, preview.blocked]);
    expect((await pay.payouts(seller))[0]).toMatchObject({ net_cents: 10_000, commission_count: 1 });
  });

  test("is refused while another one runs, and is started once by the schedule", async () => {
    const first = await money.admin("POST", "/payout-runs");
    const second = await money.admin("POST", "/payout-runs");
    expect([second.status, second.body.code, second.body.run_id]).toEqual([409, "payout_run_in_progress", first.body.id]);
    const finish = () => world.db.sql("update payout_runs set state = 'finished' where state = 'running'");
    await finish();
    // Whatever was due by now, as the tests before let time pass.
    await pay.schedule();
    await finish();
    expect(await pay.schedule()).toBe("no run was due");
    days(32);
    // One that is started by hand is not instead of one that is due.
    expect((await money.admin("POST", "/payout-runs")).status).toBe(202);
    await finish();
    expect(await pay.schedule()).toMatch(/^started the run prn_/);
    expect(await pay.schedule()).toBe("no run was due");
    const [run] = (await money.admin("GET", "/payout-runs?limit=1")).body.data;
    expect([run.trigger, new Date(run.cutoff).getUTCDate(), new Date(run.cutoff).getUTCHours()]).toEqual(["schedule", 15, 6]);
    await finish();
  });

  test("tells of each payout and of each commission in it", async () => {
    const { partner, payout } = await scheduled();
    const { body } = await world.call("GET", `${BASE}/events?type=payout.scheduled`, { key: partner.key });
    expect(body.data.map(({ data }: Json) => [data.payout_id, data.net_cents, data.commission_count, data.attempt])).toEqual([
      [payout?.id, 20_000, 1, 1],
    ]);
    const feed = (await changes(world, partner.key)).map(({ resource, change, detail }) => [resource, change, detail?.to]);
    expect(feed).toEqual([
      ["commission", "created", undefined],
      ["commission", "moved", "scheduled"],
      ["payout", "created", undefined],
    ]);
  });
});

describe("a payout", () => {
  test("is paid, and its commissions with it; repeating that changes nothing", async () => {
    const { partner, payout } = await scheduled();
    const paid_at = world.clock.now().toISOString();
    world.clock.advance(1);
    const later = await pay.act(payout?.id, "paid", { paid_at: new Date(world.clock.now().getTime() + 1).toISOString() });
    expect([later.status, later.body.errors[0].code]).toEqual([422, "future"]);
    const paid = await pay.act(payout?.id, "paid", { reference: "TRB-1", paid_at }, { "if-match": '"1"' });
    expect(paid.body.paid_at).toBe(paid_at);
    expect([paid.status, paid.body.status, paid.body.reference, paid.body.version]).toEqual([200, "paid", "TRB-1", 2]);
    expect(await money.balances(partner)).toEqual({ expense: -20_000, cash: 20_000 });
    expect((await money.commissions(partner)).map(({ status, version }) => [status, version])).toEqual([["paid", 3]]);
    const moves = (await changes(world, partner.key)).filter(({ change }) => change === "moved");
    expect(moves.map(({ resource, version, detail }) => [resource, version, detail.from, detail.to])).toEqual([
      ["commission", 2, "approved", "scheduled"],
      ["commission", 3, "scheduled", "paid"],
      ["payout", 2, "scheduled", "paid"],
    ]);
    const { body } = await world.call("GET", `${BASE}/events?type=payout.paid`, { key: partner.key });
    expect(body.data.map(({ data }: Json) => [data.payout_id, data.method, data.reference])).toEqual([
      [payout?.id, "manual", "TRB-1"],
    ]);
    const again = await pay.act(payout?.id, "paid");
    expect([again.status, again.body.version]).toEqual([200, 2]);
    expect((await pay.act(payout?.id, "cancel")).body.code).toBe("invalid_state_transition");
    expect((await pay.act(payout?.id, "paid", {}, {})).status).toBe(428);
    expect(await brokenBooks(world.db.sql)).toEqual([]);
  });

  test("that failed is tried again with the method of then", async () => {
    const { partner, payout } = await scheduled();
    expect((await pay.act(payout?.id, "failed", { failure: "Account closed" })).body).toMatchObject({
      status: "failed",
      failure: "Account closed",
    });
    expect(await money.balances(partner)).toEqual({ expense: -20_000, scheduled: 20_000 });
    await money.admin("DELETE", `/partners/${partner.partner_id}/payout-method`);
    const blocked = await pay.act(payout?.id, "retry");
    expect([blocked.status, blocked.body.code, blocked.body.blockers]).toEqual([409, "payout_blocked", ["no_payout_method"]]);
    await pay.setMethod(partner, {
      kind: "sepa",
      iban: "DE89370400440532013000",
      instructions: undefined,
      currencies: undefined,
    });
    expect((await pay.act(payout?.id, "retry")).body.blockers).toEqual(["currency_not_supported"]);
    await pay.setMethod(partner, { instructions: "Wire" });
    // A minimum that was raised since is not for what was scheduled before.
    await setProgramme(world, operator, { payout_minimums: { usd: 20_001 } });
    const again = await pay.act(payout?.id, "retry");
    await setProgramme(world, operator, { payout_minimums: {} });
    expect(again.body).toMatchObject({ status: "scheduled", attempt: 2, failure: null });
    expect(again.body.attempts.map(({ attempt, failure }: Json) => [attempt, failure])).toEqual([
      [1, "Account closed"],
      [2, null],
    ]);
    const { body } = await world.call("GET", `${BASE}/events?type=payout.scheduled`, { key: partner.key });
    expect(body.data.map(({ data }: Json) => data.attempt)).toEqual([1, 2]);
    const failed = await pay.act(payout?.id, "failed", { failure: "No such bank" });
    expect(failed.body.attempts.map(({ failure }: Json) => failure)).toEqual(["Account closed", "No such bank"]);
  });

  test("is told as paid by the method of its last attempt", async () => {
    const partner = await newPayee(0);
    await pay.earn(partner, 9000, { currency: "eur" });
    await pay.run();
    const [payout] = await pay.payouts(partner);
    await pay.act(payout?.id, "failed", { failure: "Account closed" });
    await pay.setMethod(partner, {
      kind: "sepa",
      iban: "DE89370400440532013000",
      instructions: undefined,
      currencies: undefined,
    });
    await pay.act(payout?.id, "retry");
    expect((await pay.act(payout?.id, "paid")).body).toMatchObject({ method: "sepa", attempt: 2 });
    const { body } = await world.call("GET", `${BASE}/events?type=payout.paid`, { key: partner.key });
    expect(body.data.map(({ data }: Json) => data.method)).toEqual(["sepa"]);
  });

  test("that is cancelled frees its commissions for the next run, and keeps its statement's number", async () => {
    const { partner, payout } = await scheduled();
    expect((await pay.act(payout?.id, "cancel")).body.status).toBe("cancelled");
    expect(await money.balances(partner)).toEqual({ expense: -20_000, approved: 20_000 });
    expect((await money.commissions(partner)).map(({ status, payout_id }) => [status, payout_id])).toEqual([["approved", null]]);
    await pay.run();
    const payouts = await pay.payouts(partner);
    expect(payouts.map(({ statement_number, status, carry_in_cents }) => [statement_number, status, carry_in_cents])).toEqual([
      ["S-000001", "cancelled", 0],
      ["S-000002", "scheduled", 20_000],
    ]);
    const of = async (id: string) =>
      (await world.call("GET", `${BASE}/payouts/${id}/commissions`, { key: partner.key })).body.data;
    expect([(await of(payouts[0]?.id)).length, (await of(payouts[1]?.id)).length]).toEqual([1, 1]);
    for (const { id } of payouts) expect((await money.admin("GET", `/payouts/${id}`)).body.attempts).toHaveLength(1);
    expect(await brokenBooks(world.db.sql)).toEqual([]);
  });

  test("that is cancelled after all of a commission was taken back leaves it void", async () => {
    const { seller } = await newLine();
    await pay.setMethod(seller);
    const { id } = await money.charge((await sell(seller)).client_id, { amount_cents: 50_000 });
    days(31);
    await pay.run();
    const [payout] = await pay.payouts(seller);
    await money.refund(id, 50_000);
    expect(await money.balances(seller)).toEqual({ scheduled: 10_000, approved: -10_000 });
    await pay.act(payout?.id, "cancel");
    expect(await money.balances(seller)).toEqual({});
    expect((await money.commissions(seller)).map(({ amount_cents, status }) => [amount_cents, status])).toEqual([
      [10_000, "void"],
      [-10_000, "void"],
    ]);
    expect(await brokenBooks(world.db.sql)).toEqual([]);
  });

  test("that the bank returns is owed again, up to what was paid", async () => {
    const { partner, payout } = await scheduled();
    const back = { reason_code: "payout_returned" };
    await expect(pay.earn(partner, 20_000, back)).rejects.toThrow("beyond_paid");
    await pay.act(payout?.id, "paid");
    await pay.earn(partner, 20_000, back);
    expect(await money.balances(partner)).toEqual({ expense: -20_000, approved: 20_000 });
    await pay.run();
    expect((await pay.payouts(partner)).map(({ status }) => status)).toEqual(["paid", "scheduled"]);
    expect(await brokenBooks(world.db.sql)).toEqual([]);
  });

  test("has outcomes in bulk, with a result each", async () => {
    const [one, two, three] = [await newPayee(), await newPayee(), await newPayee()];
    await pay.run();
    const ids = await Promise.all([one, two, three].map(async (partner) => (await pay.payouts(partner))[0]?.id));
    const request = {
      outcomes: [
        { payout_id: ids[0], outcome: "paid", reference: "A" },
        { payout_id: ids[0], outcome: "paid" },
        { payout_id: ids[1], outcome: "failed", failure: "Closed", version: 1 },
        { payout_id: ids[2], outcome: "paid", version: 9 },
        { payout_id: ids[0], outcome: "failed", failure: "Late" },
        { payout_id: ids[2], outcome: "failed" },
        { payout_id: "pay_01jd3k5y5cf7m8n9p0q1r2s3t4", outcome: "paid" },
      ],
    };
    const told = (await money.admin("POST", "/payouts/outcomes", { ...request, dry_run: true })).body;
    expect((await pay.payouts(one)).map(({ status, version }) => [status, version])).toEqual([["scheduled", 1]]);
    const { body } = await money.admin("POST", "/payouts/outcomes", request);
    expect(told).toEqual(body);
    expect(body.data.map(({ status, error }: Json) => [status, error?.code])).toEqual([
      ["changed", undefined],
      ["unchanged", undefined],
      ["changed", undefined],
      ["error", "version_mismatch"],
      ["error", "invalid_state_transition"],
      ["error", "validation_failed"],
      ["error", "not_found"],
    ]);
    expect(body.data[5].error.detail).toContain("failure is required");
    expect(body).toMatchObject({ changed: 2, unchanged: 1, failed: 4 });
    expect(await money.balances(one)).toEqual({ expense: -20_000, cash: 20_000 });
    expect((await pay.payouts(three)).map(({ status }) => status)).toEqual(["scheduled"]);
  });

  test("is shown as it was at a time", async () => {
    const { partner, payout } = await scheduled();
    const marks: string[] = [];
    const mark = () => {
      world.clock.advance(60_000);
      marks.push(world.clock.now().toISOString());
      world.clock.advance(60_000);
    };
    mark();
    await pay.act(payout?.id, "cancel");
    mark();
    await pay.run();
    mark();
    await pay.act((await pay.payouts(partner))[1]?.id, "paid");
    mark();
    world.clock.advance(120_000);
    const seen = await Promise.all(
      marks.map(async (as_of) => (await money.commissions(partner, `&as_of=${as_of}`)).map(({ status }) => status)),
    );
    expect(seen).toEqual([["scheduled"], ["approved"], ["scheduled"], ["paid"]]);
  });
});
