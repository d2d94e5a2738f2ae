import type { Job } from "../../../platform/jobs/job.ts";
import { type Context, createContext, type Services } from "../../../platform/record/context.ts";
import { booksOf, expireEarning } from "./earn.commands.ts";
import { awaitingSince, earningOfDeal } from "./earnings.queries.ts";
import { Journal } from "./journal.commands.ts";
import { addDays } from "./model.ts";
import { dueRoots, partnersWithDue, programmeTerms } from "./queries.ts";

const BATCH = 500;

export function commissionJobs(services: Services): Job[] {
  return [
    {
      name: "commission_approval",
      schedule: "*/10 * * * *",
      async run({ db, clock }) {
        let approved = 0;
        for (let partners = await partnersWithDue(db, clock.now(), BATCH); partners.length > 0; ) {
          for (const partner_id of partners) {
            const ctx = createContext(services, { principal: { type: "system", partner_id } });
            approved += await approveDue(ctx, partner_id, clock.now());
          }
          partners = partners.length < BATCH ? [] : await partnersWithDue(db, clock.now(), BATCH);
        }
        return `${approved} commissions approved`;
      },
    },
    {
      name: "unpaid_sales",
      schedule: "*/10 * * * *",
      async run({ db, clock }) {
        const { first_charge_days } = await programmeTerms(db, "");
        const before = addDays(clock.now(), -first_charge_days);
        let ended = 0;
        for (let batch = BATCH; batch === BATCH; ) {
          const awaiting = await awaitingSince(db, before, BATCH);
          batch = awaiting.length;
          for (const { partner_id, deal_id } of awaiting) if (await endUnpaid(services, partner_id, deal_id, before)) ended += 1;
        }
        return `${ended} sales without a charge ended`;
      },
    },
  ];
}

/** Approves the commissions of a partner whose hold is over by a time, a batch in each transaction. */
export async function approveDue(ctx: Context, partner_id: string, by: Date): Promise<number> {
  let approved = 0;
  for (let batch = BATCH; batch === BATCH; approved += batch) {
    batch = await ctx.tx(async (tx) => {
      const journal = await Journal.open(ctx, tx, [partner_id]);
      const due = await dueRoots(tx, partner_id, by, BATCH);
      for (const group of await journal.loadRoots(partner_id, due)) journal.move(group, "approved", "approved", "hold_over");
      await journal.save();
      journal.tell();
      return due.length;
    });
  }
  return approved;
}

async function endUnpaid(services: Services, partner_id: string, deal_id: string, before: Date): Promise<boolean> {
  const ctx = createContext(services, { principal: { type: "system", partner_id } });
  return ctx.tx(async (tx) => {
    const known = await earningOfDeal(tx, partner_id, deal_id);
    if (known === null) return false;
    const journal = await Journal.open(ctx, tx, booksOf(known));
    const earning = await earningOfDeal(tx, partner_id, deal_id);
    if (earning?.round !== known.round || earning.ended_at !== null || earning.first_charge_id !== null) return false;
    if (earning.opened_at > before) return false;
    await expireEarning(journal, earning);
    await journal.save();
    journal.tell();
    return true;
  });
}
