import { beforeAll, describe, expect, test } from "vitest";
import { dueOf, waitingAfter } from "../../src/features/money/commissions/index.ts";
import { earning } from "../harness/earning.ts";
import { paying } from "../harness/payouts.ts";
import { entriesRead, onCluster } from "../harness/reads.ts";
import { type Json, type TestPartner, useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");
let operator: string;
const money = earning(world, () => operator);
const pay = paying(world, money);
const codes = (blockers: Json[]) => blockers.map(({ code }) => code);

beforeAll(async () => {
  operator = await world.newOperator();
});

async function newPayee(amount_cents: number): Promise<TestPartner> {
  const partner = await world.newPartner();
  await pay.setMethod(partner);
  await pay.earn(partner, amount_cents);
  return partner;
}

test.skipIf(onCluster())(
  "what is next is summed over what is open, however much was paid, with and without statistics",
  async () => {
    const { partner_id } = await world.newPartner();
    await world.db.sql("insert into books (partner_id) values ($1)", [partner_id]);
    const seed = (status: string, count: number) =>
      world.db.sql(
        `insert into commissions (partner_id, id, cause, kind, level, base_cents, rate_bps, amount_cents, currency, grade, calculation,
         accrued_at, status, hold_until)
       select $1, 'com_' || $2 || n, $2 || n, 'recurring', 0, 100, 1500, 15, 'usd', 'silver', '[]', $4::timestamptz, $2, $4::timestamptz
       from generate_series(1, $3::int) n`,
        [partner_id, status, count, world.clock.now()],
      );
    const read = async () => {
      const counts: number[] = [];
      for (const plans of ["force_generic_plan", "force_custom_plan"] as const)
        counts.push(
          await entriesRead(world.db.service, "commissions", plans, async (db) => {
            const now = world.clock.now();
            expect(await dueOf(db, partner_id, now, null)).toMatchObject([{ count: 20, gross_cents: 300 }]);
            expect(await waitingAfter(db, partner_id, now)).toMatchObject([{ awaiting_cents: 0, in_hold_cents: 0 }]);
          }),
        );
      return counts;
    };
    for (const status of ["approved", "pending"]) await seed(status, 10);
    for (const count of await read()) expect(count).toBeLessThanOrEqual(30);
    await seed("paid", 3_000);
    for (const count of await read()) expect(count).toBeLessThanOrEqual(30);
    await world.db.sql("analyze commissions");
    for (const count of await read()) expect(count).toBeLessThanOrEqual(30);
  },
);

describe("what comes", () => {
  test("is shown for a partner that has nothing yet, with each reason", async () => {
    const partner = await world.newPartner();
    const [row] = await pay.upcoming(partner);
    expect(row).toMatchObject({ currency: "usd", payable_cents: 0, eligible: false, minimum_cents: 5000 });
    expect(codes(row?.blockers)).toEqual(["nothing_approved", "no_payout_method"]);
    expect(new Date(row?.scheduled_for).getTime()).toBeGreaterThan(world.clock.now().getTime());
  });

  test("says what blocks it and what is not due yet", async () => {
    const partner = await newPayee(4000);
    const held = await pay.earn(partner, 700);
    await money.admin("POST", `/commissions/${held.id}/hold`, { reason: "Disputed" });
    expect((await pay.upcoming(partner))[0]).toMatchObject({
      payable_cents: 4000,
      approved_cents: 4000,
      held_cents: 700,
      blockers: [
        { code: "below_minimum", blocks: true, amount_cents: 1000 },
        { code: "held_commissions", blocks: false, amount_cents: 700 },
      ],
    });
    await pay.earn(partner, 1000);
    expect((await pay.upcoming(partner))[0]).toMatchObject({ eligible: true, payable_cents: 5000 });
    await money.admin("PUT", `/partners/${partner.partner_id}/payout-hold`, { held: true, reason: "Audit" }, { "if-match": "*" });
    expect(codes((await pay.upcoming(partner))[0]?.blockers)).toEqual(["payouts_held", "held_commissions"]);
    await pay.run();
    expect(await pay.payouts(partner)).toEqual([]);
  });

  test("is shown for each currency by itself", async () => {
    const partner = await newPayee(20_000);
    await pay.earn(partner, 9000, { currency: "eur" });
    await pay.run();
    await pay.earn(partner, 7000);
    await pay.earn(partner, 100, { currency: "eur" });
    // Nothing is owed in a currency of which everything was taken back.
    await pay.earn(partner, 500, { currency: "gbp" });
    await pay.earn(partner, -500, { currency: "gbp", reason_code: "clawback" });
    const rows = await pay.upcoming(partner);
    expect(
      rows.map(({ currency, scheduled_cents, approved_cents, payable_cents, blockers }) => [
        currency,
        scheduled_cents,
        approved_cents,
        payable_cents,
        codes(blockers),
      ]),
    ).toEqual([
      ["eur", 9000, 100, 100, ["below_minimum"]],
      ["usd", 20_000, 7000, 7000, []],
    ]);
  });
});
