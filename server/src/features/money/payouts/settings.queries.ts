import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Minimums } from "./schedule.model.ts";

/** The account that bank files pay from. */
export type Debtor = { name: string; iban: string; bic?: string };

export type PayoutSettings = { cron: string | null; time_zone: string; minimums: Minimums; debtor: Debtor | null };

const settingsStatement = statement(`
  select p.payout_cron as cron, p.payout_time_zone as time_zone, p.payout_debtor as debtor,
    p.payout_minimums || coalesce((select t.payout_minimums from tiers t where t.grade = $1), '{}') as minimums
  from programme p`);

/** How partners of a grade are paid. The minimums are those of the grade, and of the programme for other currencies. */
export async function payoutSettings(db: Queryable, grade: string): Promise<PayoutSettings> {
  const [settings] = await db.query<PayoutSettings>(settingsStatement, [grade]);
  if (settings === undefined) throw new Error("the first run has not created the programme");
  return settings;
}
