import { listIdentity } from "../../../kernel/page.ts";
import { insertValues, parsedRow, rowJson, valuesOf } from "../../../platform/db/columns.ts";
import { anyOf, byCreation, byNumber, keysetPage, type Place } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { takeTurn } from "../../../platform/db/turn.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { Rule } from "./model.ts";
import {
  type CommissionRuleListQuery,
  type CommissionRuleShown,
  CommissionRule as RuleSchema,
  SUBJECT_FIELDS,
  TERM_FIELDS,
  type VersionsQuery,
} from "./schema.ts";

const RULE_JSON = rowJson(RuleSchema);

/** A version of a rule as the API shows it, with its JSON. */
export type RuleRow = CommissionRuleShown & { json: string };

const CURRENT = "select distinct on (r.id) r.* from commission_rules r order by r.id, r.version desc";

const currentStatement = statement(`
  select distinct on (r.id) r.id, r.version, r.name, r.scope, r.grade, r.partner_id, r.link_id, r.priority, r.active, r.plan, r.currency,
    r.min_mrr_cents, r.first, r.recurring, r.months, r.applies_to
  from commission_rules r order by r.id, r.version desc`);

/** The newest version of every rule. */
export function currentRules(db: Queryable): Promise<Rule[]> {
  return db.query<Rule>(currentStatement);
}

const ruleById = statement(`
  select ${RULE_JSON} as json from commission_rules c where c.id = $1 order by c.version desc limit 1`);

/** The newest version of a rule. */
export async function ruleOrNull(db: Queryable, id: string): Promise<RuleRow | null> {
  return parsedRow<CommissionRuleShown>(await db.query(ruleById, [id]));
}

/** The newest version of a rule; nobody adds another one before the transaction ends. */
export async function ruleForUpdateOrNull(tx: Tx, id: string): Promise<RuleRow | null> {
  await takeTurn(tx, `rule ${id}`);
  return ruleOrNull(tx, id);
}

export function rulesPage(db: Queryable, query: CommissionRuleListQuery): Promise<{ json: string }> {
  const { limit: _, cursor: __, ...filter } = query;
  return keysetPage(
    db,
    null,
    {
      list: listIdentity("rules", filter),
      table: `(${CURRENT})`,
      json: RULE_JSON,
      sort: byCreation(true),
      conditions: (place) => conditionsOf(filter, place),
    },
    query,
  );
}

function conditionsOf({ scope, grade, partner_id, link_id, active }: CommissionRuleListQuery, place: Place): string[] {
  const conditions: string[] = [];
  if (scope !== undefined) conditions.push(anyOf("c.scope", scope, place));
  if (grade !== undefined) conditions.push(`c.grade = ${place(grade)}`);
  if (partner_id !== undefined) conditions.push(`c.partner_id = ${place(partner_id)}`);
  if (link_id !== undefined) conditions.push(`c.link_id = ${place(link_id)}`);
  if (active !== undefined) conditions.push(`c.active = ${place(active)}`);
  return conditions;
}

/** The versions of a rule, newest first. */
export function ruleVersionsPage(db: Queryable, id: string, query: VersionsQuery): Promise<{ json: string }> {
  return keysetPage(
    db,
    null,
    {
      list: listIdentity("rule-versions", { id }),
      table: "commission_rules",
      json: RULE_JSON,
      sort: byNumber("c.version", true),
      conditions: (place) => [`c.id = ${place(id)}`],
    },
    query,
  );
}

const INSERTED = ["id", "version", ...SUBJECT_FIELDS, ...TERM_FIELDS, "created_by", "created_at"] as const;

const insertStatement = statement(`
  with c as (insert into commission_rules ${insertValues(INSERTED)} returning *)
  select ${RULE_JSON} as json from c`);

/** Adds a version of a rule. */
export async function insertVersion(tx: Tx, rule: Omit<CommissionRuleShown, "created_at">): Promise<RuleRow> {
  const saved = parsedRow<CommissionRuleShown>(
    await tx.query(insertStatement, valuesOf({ ...rule, created_at: tx.now }, INSERTED)),
  );
  if (saved === null) throw new Error("the rule was not saved");
  return saved;
}

const partnerStatement = statement("select 1 from partners p where p.id = $1");

export async function isPartner(tx: Queryable, id: string): Promise<boolean> {
  return (await tx.query(partnerStatement, [id])).length > 0;
}

const linkStatement = statement("select 1 from link_codes c where c.link_id = $1");

/** Whether a partner has an affiliate link. */
export async function isLink(tx: Queryable, id: string): Promise<boolean> {
  return (await tx.query(linkStatement, [id])).length > 0;
}
