import { beforeAll, describe, expect, test } from "vitest";
import { verifyLedger } from "../harness/books.ts";
import { earning } from "../harness/earning.ts";
import { paying } from "../harness/payouts.ts";
import { DAY_MS, newSale, provision, reclaim } from "../harness/sales.ts";
import { type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld();
let operator: string;
const money = earning(world, () => operator);
let seller: TestPartner;
let parent: TestPartner;

const pay = paying(world, money);
let payee: TestPartner;

const verify = (partner: TestPartner) => verifyLedger(world, [partner]);

/** Two sales: one that is paid, partly refunded and approved, one that was won, paid and opened again. */
beforeAll(async () => {
  operator = await world.newOperator();
  [seller, parent] = [await world.newPartner(), await world.newPartner()];
  await money.setParent(seller, parent);
  await world.newClient(parent);
  const client_id = (await provision(world, seller, await newSale(world, seller))) ?? "";
  const { id } = await money.charge(client_id, { amount_cents: 44_955, months: 3 });
  await money.refund(id, 10_001);
  world.clock.advance(31 * DAY_MS);
  await money.runJob("commission_approval");
  await money.refund((await money.charge(client_id)).id, 49_950);
  await money.charge(client_id, { amount_cents: 33_333 });
  const reopened = await newSale(world, seller);
  await money.charge((await provision(world, seller, reopened)) ?? "");
  await reclaim(world, seller, reopened);
  await money.admin("POST", `/partners/${seller.partner_id}/adjustments`, {
    amount_cents: -1234,
    currency: "usd",
    reason_code: "correction",
    reference: "A-1",
  });
  payee = await newPayee();
});

/** A partner with three payouts: paid, cancelled, and scheduled with two commissions. */
async function newPayee(): Promise<TestPartner> {
  const partner = await world.newPartner();
  await pay.setMethod(partner);
  for (const outcome of ["paid", "cancel", null] as const) {
    await pay.earn(partner, 10_000);
    await pay.run();
    if (outcome !== null) await pay.act((await pay.payouts(partner)).at(-1)?.id, outcome);
  }
  return partner;
}

test("finds nothing where nothing is wrong", async () => {
  expect(await verify(seller)).toEqual([]);
  expect(await verify(parent)).toEqual([]);
  expect((await pay.payouts(payee)).map(({ status, commission_count }) => [status, commission_count])).toEqual([
    ["paid", 1],
    ["cancelled", 1],
    ["scheduled", 2],
  ]);
  expect(await verify(payee)).toEqual([]);
});

/** A corruption that the owner of the tables writes, the statement that undoes it, and what is found. */
type Corruption = { name: string; of: () => TestPartner; id: string; sql: string; undo: string; table: string; problem: RegExp };

const newest = (condition: string) => `(select max(id) from commissions where partner_id = $1 and ${condition})`;
const amount = (name: string, of: () => TestPartner, condition: string, problem: RegExp): Corruption => ({
  name,
  of,
  id: `select ${newest(condition)} as id`,
  sql: `update commissions set amount_cents = amount_cents + 1 where partner_id = $1 and id = ${newest(condition)}`,
  undo: `update commissions set amount_cents = amount_cents - 1 where partner_id = $1 and id = ${newest(condition)}`,
  table: "commissions",
  problem,
});

const payoutId = (status: string) => `(select id from payouts where partner_id = $1 and status = '${status}')`;
const item = (status: string) =>
  `(select max(commission_id) from payout_items where partner_id = $1 and payout_id = ${payoutId(status)})`;
const ofPayouts = (name: string, status: string, corruption: Pick<Corruption, "sql" | "undo" | "problem">): Corruption => ({
  ...{ name, of: () => payee, id: `select ${payoutId(status)} as id`, table: "payouts" },
  ...corruption,
});

/** A cluster takes only arithmetic that does not depend on the session's time zone. */
const utc = (shift: string) => `(at at time zone 'UTC' ${shift}) at time zone 'UTC'`;

const CORRUPTIONS: Corruption[] = [
  ofPayouts("an item of a payout", "scheduled", {
    sql: `with gone as (delete from payout_items where partner_id = $1 and commission_id = ${item("scheduled")} and payout_id = ${payoutId("scheduled")} returning *)
      update payouts set reference = (select commission_id from gone) where partner_id = $1 and status = 'scheduled'`,
    undo: `with kept as (select id, reference from payouts where partner_id = $1 and status = 'scheduled'),
      back as (insert into payout_items select $1, id, reference, 10000 from kept)
      update payouts set reference = null where partner_id = $1 and status = 'scheduled'`,
    problem: /not the sum of its commissions/,
  }),
  ofPayouts("the net amount of a payout", "paid", {
    sql: "update payouts set net_cents = net_cents + 1, gross_cents = gross_cents + 1 where partner_id = $1 and status = 'paid'",
    undo: "update payouts set net_cents = net_cents - 1, gross_cents = gross_cents - 1 where partner_id = $1 and status = 'paid'",
    problem: /not the sum of its commissions|transfers do not lead there/,
  }),
  {
    ...ofPayouts("a commission in two payouts", "scheduled", {
      sql: `insert into payout_items select $1, ${payoutId("scheduled")}, ${item("paid")}, 10000`,
      undo: `delete from payout_items where partner_id = $1 and payout_id = ${payoutId("scheduled")} and commission_id = ${item("paid")}`,
      problem: /another payout has claimed it/,
    }),
    id: `select ${item("paid")} as id`,
    table: "payout_items",
  },
  {
    ...ofPayouts("the payout of a commission", "scheduled", {
      sql: `update commissions set payout_id = ${payoutId("paid")} where partner_id = $1 and id = ${item("scheduled")}`,
      undo: `update commissions set payout_id = ${payoutId("scheduled")} where partner_id = $1 and id = ${item("scheduled")}`,
      problem: /no payout contains it/,
    }),
    id: `select ${item("scheduled")} as id`,
    table: "commissions",
  },
  ofPayouts("the transfer of a paid payout", "paid", {
    sql: `update ledger_transfers set payout_id = null where partner_id = $1 and payout_id = ${payoutId("paid")} and credit = 'cash'`,
    undo: `update ledger_transfers set payout_id = ${payoutId("paid")} where partner_id = $1 and credit = 'cash'`,
    problem: /transfers do not lead there/,
  }),
  ofPayouts("the state of a payout", "cancelled", {
    sql: "update payouts set status = 'failed' where partner_id = $1 and status = 'cancelled'",
    undo: "update payouts set status = 'cancelled' where partner_id = $1 and status = 'failed'",
    problem: /transfers do not lead there/,
  }),
  ofPayouts("the number of a statement", "scheduled", {
    sql: "update payouts set statement_seq = 7 where partner_id = $1 and status = 'scheduled'",
    undo: "update payouts set statement_seq = 3 where partner_id = $1 and status = 'scheduled'",
    problem: /statements have a gap/,
  }),
  amount("a first commission", () => seller, "kind = 'first'", /not what the facts make|not stand|another amount/),
  amount("a settling row", () => seller, "cause like 'settle:%' and status <> 'void'", /not what the facts make/),
  amount("a recurring commission", () => seller, "kind = 'recurring' and status = 'pending'", /not what the facts make/),
  amount("a refund's row", () => seller, "cause like 'refund:%' and status <> 'void'", /not what the facts make/),
  amount("a reversal", () => seller, "cause like 'reverse:%'", /another amount|not what the facts make/),
  amount("an override", () => parent, "kind = 'override' and status = 'pending'", /not what the facts make/),
  {
    name: "a status",
    of: () => seller,
    id: `select ${newest("kind = 'recurring' and status = 'pending'")} as id`,
    sql: `update commissions set status = 'approved' where partner_id = $1 and id = ${newest("kind = 'recurring' and status = 'pending'")}`,
    undo: `update commissions set status = 'pending' where partner_id = $1 and id = ${newest("kind = 'recurring' and status = 'approved' and hold_until > '2026-12-10'")}`,
    table: "commissions",
    problem: /does not stand in approved/,
  },
  {
    name: "the balance after a transfer",
    of: () => seller,
    id: "select '3' as id, $1::text",
    sql: "update ledger_transfers set credit_after = credit_after + 1 where partner_id = $1 and seq = 3",
    undo: "update ledger_transfers set credit_after = credit_after - 1 where partner_id = $1 and seq = 3",
    table: "ledger_transfers",
    problem: /the balance of \w+ is wrong/,
  },
  {
    name: "the amount of a transfer",
    of: () => seller,
    id: "select '2' as id, $1::text",
    sql: "update ledger_transfers set amount_cents = amount_cents + 1 where partner_id = $1 and seq = 2",
    undo: "update ledger_transfers set amount_cents = amount_cents - 1 where partner_id = $1 and seq = 2",
    table: "ledger_transfers",
    problem: /balance/,
  },
  {
    name: "the number of a transfer",
    of: () => seller,
    id: "select '1000000' as id, $1::text",
    sql: "update ledger_transfers set seq = 1000000 where partner_id = $1 and seq = (select max(seq) from ledger_transfers where partner_id = $1)",
    undo: "update ledger_transfers set seq = (select max(seq) + 1 from ledger_transfers where partner_id = $1 and seq < 1000000) where partner_id = $1 and seq = 1000000",
    table: "ledger_transfers",
    problem: /gap/,
  },
  {
    name: "the time of a transfer",
    of: () => seller,
    id: "select '5' as id, $1::text",
    sql: `update ledger_transfers set at = ${utc("- interval '10 years'")} where partner_id = $1 and seq = 5`,
    undo: `update ledger_transfers set at = ${utc("+ interval '10 years'")} where partner_id = $1 and seq = 5`,
    table: "ledger_transfers",
    problem: /time goes back/,
  },
  {
    name: "what was refunded of a charge",
    of: () => seller,
    id: "select min(charge_id) as id from refunds where partner_id = $1",
    sql: "update charges set refunded_cents = refunded_cents - 1 where partner_id = $1 and id = (select min(charge_id) from refunds where partner_id = $1)",
    undo: "update charges set refunded_cents = refunded_cents + 1 where partner_id = $1 and id = (select min(charge_id) from refunds where partner_id = $1)",
    table: "charges",
    problem: /not the sum of its refunds/,
  },
  {
    name: "the terms of a sale",
    of: () => seller,
    id: `select ${newest("kind = 'recurring' and status = 'pending'")} as id`,
    sql: `update earnings set terms = jsonb_set(terms, '{recurring}', '{"bps": 9999}') where partner_id = $1`,
    undo: `update earnings set terms = jsonb_set(terms, '{recurring}', '{"bps": 2000}') where partner_id = $1`,
    table: "commissions",
    problem: /not what the facts make/,
  },
];

describe.each(CORRUPTIONS)("$name that the owner of the tables changed", ({ of, id, sql, undo, table, problem }) => {
  test("is found, with its row", async () => {
    const [row] = await world.db.sql<{ id: string }>(id, [of().partner_id]);
    await world.db.sql(sql, [of().partner_id]);
    const found = await verify(of());
    await world.db.sql(undo, [of().partner_id]);
    expect(found).toContainEqual(
      expect.objectContaining({
        partner_id: of().partner_id,
        table,
        id: row?.id,
        problem: expect.stringMatching(problem),
      }),
    );
    expect(await verify(of())).toEqual([]);
  });
});

test("a commission that is missing, with its transfer, is found by its cause", async () => {
  const { partner_id } = seller;
  const [row] = await world.db.sql<{ id: string; cause: string }>(
    "select id, cause from commissions where partner_id = $1 and kind = 'recurring' order by id desc limit 1",
    [partner_id],
  );
  await world.db.sql("delete from commissions where partner_id = $1 and id = $2", [partner_id, row?.id]);
  const found = await verify(seller);
  expect(found.map(({ problem, id }) => [problem, id])).toEqual(
    expect.arrayContaining([
      [`it is missing in the book of ${partner_id}`, row?.cause],
      ["the commission is missing", row?.id],
    ]),
  );
});
