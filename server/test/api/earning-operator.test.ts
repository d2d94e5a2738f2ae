import { beforeAll, describe, expect, test } from "vitest";
import { brokenBooks } from "../harness/books.ts";
import { earning, earningLines } from "../harness/earning.ts";
import { changes } from "../harness/lists.ts";
import { DAY_MS, newSale, provision, reclaim, refusalOf, release } from "../harness/sales.ts";
import { ADMIN, GENERAL, type Json, useWorld } from "../harness/world.ts";

const world = useWorld();
let operator: string;
const money = earning(world, () => operator);
const { newLine, sell, story, total } = earningLines(world, money);
const days = (count: number) => world.clock.advance(count * DAY_MS);

beforeAll(async () => {
  operator = await world.newOperator();
});

describe("reports", () => {
  const facts = () => ({ amount_cents: 50_000, currency: "usd", charged_at: world.clock.now().toISOString() });

  test("of one charge may be repeated with the same facts, and are refused with others", async () => {
    const { seller } = await newLine();
    const { client_id } = await sell(seller);
    const report = { external_id: "in-1", ...facts() };
    const post = (body: object) => money.admin("POST", `/clients/${client_id}/charges`, body);
    const first = await post(report);
    expect([first.status, first.headers.location]).toEqual([201, `${ADMIN}/charges/${first.body.id}`]);
    const again = await post({ ...report, months: 1, plan: null });
    expect([again.status, again.body.id]).toEqual([200, first.body.id]);
    for (const other of [{ amount_cents: 1 }, { currency: "eur" }, { months: 2 }, { plan: "Other" }]) {
      const refused = await post({ ...report, ...other });
      expect([refused.status, refused.body.code, refused.body.existing_id]).toEqual([409, "duplicate_charge", first.body.id]);
    }
    expect(await story(seller)).toEqual([["first", 10_000, null]]);
  });

  test("of the partner's own account, of an unknown client, and from the future are refused", async () => {
    const { seller } = await newLine();
    const [house] = await world.db.sql<{ id: string }>("select id from clients where partner_id = $1 and house", [
      seller.partner_id,
    ]);
    const post = (id: string, body: object) =>
      money.admin("POST", `/clients/${id}/charges`, { external_id: "in-1", ...facts(), ...body });
    const refused = await post(house?.id ?? "", {});
    expect([refused.status, refused.body.errors[0].code]).toEqual([422, "house_account"]);
    expect((await post("cli_01jd3k5y5cf7m8n9p0q1r2s3t4", {})).status).toBe(404);
    const { client_id } = await sell(seller);
    const charged_at = new Date(world.clock.now().getTime() + 2 * DAY_MS).toISOString();
    expect((await post(client_id, { charged_at })).body.errors[0].code).toBe("future");
    expect((await post(client_id, { amount_cents: -1 })).status).toBe(422);
  });

  test("in bulk have a result each, in their order, and the earliest is earned first", async () => {
    const { seller } = await newLine();
    const { client_id } = await sell(seller);
    const at = (offset_days: number) => new Date(world.clock.now().getTime() - offset_days * DAY_MS).toISOString();
    const charge = (external_id: string, amount_cents: number, offset_days: number, id = client_id) => ({
      ...{ client_id: id, external_id, amount_cents, currency: "usd", charged_at: at(offset_days) },
    });
    const known = charge("known", 20_000, 0);
    await money.admin("POST", "/charges/bulk", { charges: [known] });
    const { seller: other } = await newLine();
    const { client_id: theirs } = await sell(other);
    const { body } = await money.admin("POST", "/charges/bulk", {
      charges: [
        charge("later", 30_000, 1, theirs),
        known,
        charge("twice", 40_000, 0),
        charge("twice", 40_000, 0),
        charge("twice", 41_000, 0),
        charge("nobody", 1, 0, "cli_01jd3k5y5cf7m8n9p0q1r2s3t4"),
        charge("earlier", 50_000, 2, theirs),
      ],
    });
    expect(body.data.map(({ external_id, status, error }: Json) => [external_id, status, error?.code])).toEqual([
      ["later", "created", undefined],
      ["known", "unchanged", undefined],
      ["twice", "created", undefined],
      ["twice", "unchanged", undefined],
      ["twice", "error", "duplicate_charge"],
      ["nobody", "error", "not_found"],
      ["earlier", "created", undefined],
    ]);
    expect(body).toMatchObject({ created: 3, unchanged: 2, failed: 2 });
    expect(body.data[2].charge_id).toBe(body.data[3].charge_id);
    // The earlier one is the first, at 20 %: exactly what the win accrued.
    expect((await story(other)).toSorted()).toEqual([
      ["first", 10_000, null],
      ["recurring", 3000, null],
    ]);
  });

  test("of refunds may be repeated, may be early, and are refused beyond their charge", async () => {
    const { seller } = await newLine();
    const { client_id } = await sell(seller);
    const early = (external_id: string, amount_cents: number, fields = {}) =>
      money.admin("POST", `/clients/${client_id}/refunds`, { external_id, charge_external_id: "in-9", amount_cents, ...fields });
    const waiting = await early("re-1", 30_000);
    expect([waiting.status, waiting.body.status, waiting.body.charge_id]).toEqual([201, "waiting", null]);
    expect((await early("re-1", 30_000)).status).toBe(200);
    const other = await early("re-1", 30_001);
    expect([other.status, other.body.code, other.body.existing_id]).toEqual([409, "duplicate_refund", waiting.body.id]);
    world.clock.advance(1);
    await early("re-2", 30_000);
    const charge = await money.charge(client_id, { external_id: "in-9", amount_cents: 50_000 });
    const { body } = await money.admin("GET", `/charges/${charge.id}`);
    expect(body.refunded_cents).toBe(50_000);
    expect(body.refunds.map(({ status, applied_cents }: Json) => [status, applied_cents])).toEqual([
      ["applied", 30_000],
      ["excess", 20_000],
    ]);
    expect(await total(seller)).toBe(0);
    const beyond = await early("re-3", 1);
    expect([beyond.status, beyond.body.code, beyond.body.refundable_cents]).toEqual([422, "refund_exceeds_charge", 0]);
    const { client_id: another } = await sell(seller);
    const stranger = { external_id: "re-4", charge_external_id: "in-9", amount_cents: 1 };
    expect((await money.admin("POST", `/clients/${another}/refunds`, stranger)).body.errors[0].code).toBe("other_client");
  });
});

describe("the operator", () => {
  const act = (id: string, verb: string, body?: object, headers: Record<string, string> = {}) =>
    money.admin("POST", `/commissions/${id}/${verb}`, body, headers);

  test("holds a commission with its rows until it is released, wherever it stood", async () => {
    const { seller, parent } = await newLine();
    const { client_id } = await sell(seller);
    await money.charge(client_id, { amount_cents: 40_000 });
    const [root, settling] = await money.commissions(seller);
    const stale = await act(root?.id, "hold", { reason: "Disputed" }, { "if-match": '"9"' });
    expect(stale.status).toBe(412);
    const held = await act(settling?.id, "hold", { reason: "Disputed" }, { "if-match": `"${settling?.version}"` });
    expect([held.status, held.body.status, held.body.hold_reason]).toEqual([200, "held", "Disputed"]);
    expect(await money.balances(seller)).toEqual({ expense: -8000, held: 8000 });
    expect((await money.balances(parent)).held).toBeUndefined();
    expect((await act(root?.id, "hold", { reason: "Again" })).body.version).toBe(root?.version + 1);
    days(31);
    await money.runJob("commission_approval");
    expect(await money.balances(seller)).toEqual({ expense: -8000, held: 8000 });
    expect((await act(root?.id, "release")).body.status).toBe("approved");
    expect((await act(root?.id, "release")).status).toBe(200);
    const moves = (await changes(world, seller.key)).filter(({ resource, id }) => resource === "commission" && id === root?.id);
    expect(moves.map(({ change, detail }) => [change, detail?.from, detail?.to, detail?.reason])).toEqual([
      ["created", undefined, undefined, undefined],
      ["updated", undefined, undefined, undefined],
      ["moved", "pending", "held", "Disputed"],
      ["moved", "held", "approved", null],
    ]);
    const audited = await world.db.sql<{ action: string }>(
      "select action from audit_entries where partner_id = $1 and action in ('commissions.hold', 'commissions.release') order by id",
      [seller.partner_id],
    );
    expect(audited.map(({ action }) => action)).toEqual(["commissions.hold", "commissions.release"]);
  });

  test("voids a commission and its overrides for good: neither a charge nor a refund changes that", async () => {
    const { seller, parent } = await newLine();
    const { client_id } = await sell(seller);
    const [first] = await money.commissions(seller);
    world.clock.advance(1);
    expect((await act(first?.id, "void", { reason_code: "fraud" })).body.status).toBe("void");
    expect([await total(seller), await total(parent)]).toEqual([0, 0]);
    expect((await story(seller)).at(-1)).toEqual(["reversal", -10_000, "fraud"]);
    const { id } = await money.charge(client_id, { amount_cents: 50_000 });
    await money.charge(client_id, { amount_cents: 50_000 });
    expect([await total(seller), await total(parent)]).toEqual([5000, 1500]);
    await money.refund(id, 50_000);
    expect([await total(seller), await total(parent)]).toEqual([5000, 1500]);
    const locked = await act(first?.id, "hold", { reason: "Late" });
    expect([locked.status, locked.body.code, locked.body.commission_status]).toEqual([409, "commission_locked", "void"]);
    expect((await act(first?.id, "void", { reason_code: "fraud" })).status).toBe(200);
    expect((await act("com_01jd3k5y5cf7m8n9p0q1r2s3t4", "release")).status).toBe(404);
  });

  test("holds and voids what its partner cannot undo by winning the sale again", async () => {
    const { seller, parent } = await newLine();
    const { sale } = await sell(seller);
    const [first] = await money.commissions(seller);
    const [override] = await money.commissions(parent);
    await act(override?.id, "hold", { reason: "Disputed" });
    const refused = await refusalOf(release(world, seller, sale));
    expect([refused?.code, refused?.meta]).toEqual(["commission_locked", { commission_status: "held" }]);
    await act(override?.id, "release");
    await act(first?.id, "void", { reason_code: "fraud" });
    await release(world, seller, sale);
    await provision(world, seller, sale);
    expect([await total(seller), await total(parent)]).toEqual([0, 0]);
    const accrue = () => money.admin("POST", `/deals/${sale.deal_id}/accrue`);
    expect((await accrue()).body).toMatchObject({ accrued: true, first_commission_cents: 10_000 });
    expect([await total(seller), await total(parent)]).toEqual([10_000, 1500]);
    expect((await accrue()).body.accrued).toBe(false);
  });

  test("holds what its partner cannot undo by another sale to the client", async () => {
    const { seller, parent } = await newLine();
    const { client_id, sale } = await sell(seller);
    const further = { client_id, company: sale.company, plan: "Growth", mrr_cents: 50_000, stage: "Won" };
    const win = () => world.call("POST", `${GENERAL}/deals`, { key: seller.key, body: further });
    for (const partner of [seller, parent]) {
      const [commission] = await money.commissions(partner);
      await act(commission?.id, "hold", { reason: "Disputed" });
      const { status, body } = await win();
      expect([status, body.code, body.commission_status]).toEqual([409, "commission_locked", "held"]);
      await act(commission?.id, "release");
    }
    expect(await total(seller)).toBe(10_000);
    world.clock.advance(1);
    expect((await win()).status).toBe(201);
    expect(await total(seller)).toBe(10_000);
  });

  test("voids what its partner cannot undo by another sale to the client that takes the charge up", async () => {
    const { seller, parent } = await newLine();
    const { client_id, sale } = await sell(seller);
    const further = await newSale(world, seller, { client_id, company: sale.company, mrr_cents: 0 });
    await money.charge(client_id, { amount_cents: 50_000 });
    await money.charge(client_id, { amount_cents: 10_000 });
    const [first] = await money.commissions(seller);
    await act(first?.id, "void", { reason_code: "fraud" });
    world.clock.advance(1);
    await reclaim(world, seller, sale);
    await provision(world, seller, further);
    // The second charge, of which nothing was voided, is its first.
    expect([await total(seller), await total(parent)]).toEqual([2000, 300]);
    await reclaim(world, seller, further);
    await provision(world, seller, sale);
    expect([await total(seller), await total(parent)]).toEqual([0, 0]);
    // What the operator lets earn again is no longer voided, also when the sale is won once more.
    await money.admin("POST", `/deals/${sale.deal_id}/accrue`);
    expect([await total(seller), await total(parent)]).toEqual([11_000, 1800]);
    world.clock.advance(1);
    await reclaim(world, seller, sale);
    await provision(world, seller, sale);
    expect([await total(seller), await total(parent)]).toEqual([11_000, 1800]);
  });

  test("voids an override of a charge that no other sale takes up", async () => {
    const { seller, parent } = await newLine();
    const { client_id, sale } = await sell(seller);
    // Nobody stands above the seller by then: what was voided is in a book that the other sale does not touch.
    await money.setParent(seller, null);
    const further = await newSale(world, seller, { client_id, company: sale.company, mrr_cents: 0 });
    const [override] = await money.commissions(parent);
    await act(override?.id, "void", { reason_code: "other" });
    await money.charge(client_id, { amount_cents: 50_000 });
    world.clock.advance(1);
    await reclaim(world, seller, sale);
    await provision(world, seller, further);
    expect([await total(seller), await total(parent)]).toEqual([0, 0]);
  });

  test("rejects a sale of which it holds a commission", async () => {
    const { seller } = await newLine();
    const { sale } = await sell(seller);
    const [first] = await money.commissions(seller);
    await act(first?.id, "hold", { reason: "Disputed" });
    expect((await money.admin("POST", `/registrations/${sale.deal_id}/reject`, { reason: "Forged" })).status).toBe(200);
    expect(await total(seller)).toBe(0);
  });

  test("voids an override alone without touching the sale", async () => {
    const { seller, parent } = await newLine();
    await sell(seller);
    const [override] = await money.commissions(parent);
    await act(override?.id, "void", { reason_code: "other" });
    expect([await total(seller), await total(parent)]).toEqual([10_000, 0]);
  });

  test("adjusts a balance once per reference; what is written off is no expense, also when that is taken back", async () => {
    const { seller } = await newLine();
    const post = (body: object) => money.admin("POST", `/partners/${seller.partner_id}/adjustments`, body);
    const loss = { amount_cents: -3000, currency: "usd", reason_code: "clawback", reference: "A:0" };
    const first = await post(loss);
    expect([first.status, first.body.status]).toEqual([201, "approved"]);
    const again = await post(loss);
    expect([again.status, again.body.id]).toEqual([200, first.body.id]);
    const other = await post({ ...loss, amount_cents: -3001 });
    expect([other.status, other.body.code, other.body.existing_id]).toEqual([409, "duplicate_adjustment", first.body.id]);
    const unknown = { ...loss, reference: "B", commission_id: "com_01jd3k5y5cf7m8n9p0q1r2s3t4" };
    expect((await post(unknown)).body.errors[0].code).toBe("unknown_commission");
    expect((await post({ ...loss, reference: "C", amount_cents: 0 })).status).toBe(422);
    const forgiven = await post({ amount_cents: 3000, currency: "usd", reason_code: "write_off", reference: "D" });
    expect(await money.balances(seller)).toEqual({ expense: 3000, written_off: -3000 });
    await act(forgiven.body.id, "void", { reason_code: "other" });
    expect(await money.balances(seller)).toEqual({ expense: 3000, approved: -3000 });
    await act(first.body.id, "void", { reason_code: "other" });
    expect(await money.balances(seller)).toEqual({});
    expect((await money.admin("POST", "/partners/ptr_01jd3k5y5cf7m8n9p0q1r2s3t4/adjustments", loss)).status).toBe(404);
  });
});

test("after all of this, every book says what it owes", async () => {
  expect(await brokenBooks(world.db.sql)).toEqual([]);
});
