import { expect, test } from "vitest";
import { dueOf, waitingAfter } from "../../src/features/money/commissions/index.ts";
import { entriesRead, onCluster } from "../harness/reads.ts";
import { useWorld } from "../harness/world.ts";

const world = useWorld({}, "api");

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
