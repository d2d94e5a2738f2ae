import { type Queryable, statement } from "../../../platform/db/statement.ts";

const customPlans = statement("set local plan_cache_mode = force_custom_plan");

/**
 * Plans the statements of an import with their values. The statistics lag behind a table that grows by thousands of rows a second, and a
 * cached plan made for a small table compares every row with every record; a custom plan hashes the values at least.
 */
export async function planWithValues(tx: Queryable): Promise<void> {
  await tx.query(customPlans);
}
