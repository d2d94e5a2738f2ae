import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tier } from "./model.ts";

const allStatement = statement(`
  select t.grade, t.name, t.rank, t.requirements, t.hold_days, t.protection_days, t.open_registrations_max,
    t.rate_limit_per_minute, t.rate_limit_burst, t.api_access, t.version
  from tiers t order by t.rank`);

/** Every tier, in ascending rank. */
export function allTiers(db: Queryable): Promise<Tier[]> {
  return db.query<Tier>(allStatement);
}
