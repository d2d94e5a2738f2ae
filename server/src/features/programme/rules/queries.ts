import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Rule } from "./model.ts";

const currentStatement = statement(`
  select distinct on (r.id) r.id, r.version, r.name, r.scope, r.grade, r.partner_id, r.priority, r.active, r.plan, r.currency,
    r.min_mrr_cents, r.first, r.recurring, r.months, r.applies_to
  from commission_rules r order by r.id, r.version desc`);

/** The newest version of every rule. */
export function currentRules(db: Queryable): Promise<Rule[]> {
  return db.query<Rule>(currentStatement);
}
