import { fail, notFound } from "../../../kernel/errors.ts";
import { actorOf } from "../../../kernel/principal.ts";
import { changesBetween } from "../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { requirePlan } from "../../accounts/plans/index.ts";
import { requireGrade } from "../tiers/index.ts";
import { checkRule } from "./model.ts";
import {
  insertVersion,
  isLink,
  isPartner,
  type RuleRow,
  ruleForUpdateOrNull,
  ruleOrNull,
  rulesPage,
  ruleVersionsPage,
} from "./queries.ts";
import {
  type CommissionRuleCreate,
  type CommissionRuleListQuery,
  type CommissionRulePatch,
  type CommissionRuleShown,
  SUBJECT_FIELDS,
  TERM_FIELDS,
  type VersionsQuery,
} from "./schema.ts";

const AUDITED = [...SUBJECT_FIELDS, ...TERM_FIELDS] as const;

const DEFAULTS = {
  grade: null,
  partner_id: null,
  link_id: null,
  priority: 0,
  active: true,
  plan: null,
  currency: null,
  min_mrr_cents: null,
  months: null,
  applies_to: "new_deals",
} as const;

export function createRule(ctx: Context, input: CommissionRuleCreate): Promise<RuleRow> {
  const fields = { ...DEFAULTS, ...input };
  checkRule(fields);
  return ctx.tx(async (tx) => {
    const rule = { ...fields, id: tx.newId("rule"), version: 1, created_by: actorOf(ctx.principal).id };
    const saved = await insertVersion(tx, await checkReferences(tx, null, rule));
    const changes = changesBetween<Partial<RuleRow>>({}, saved, AUDITED);
    record(tx, ctx.scope, [], { action: "rules.create", target: saved.id, client_id: null, changes });
    return saved;
  });
}

export async function getRule(ctx: Context, id: string): Promise<RuleRow> {
  return (await ruleOrNull(ctx.db.byKey, id)) ?? notFound(id);
}

export function listRules(ctx: Context, query: CommissionRuleListQuery): Promise<{ json: string }> {
  return rulesPage(ctx.db, query);
}

export async function listRuleVersions(ctx: Context, id: string, query: VersionsQuery): Promise<{ json: string }> {
  await getRule(ctx, id);
  return ruleVersionsPage(ctx.db, id, query);
}

/** Adds a version of a rule. Sales that were won keep the terms of theirs, unless the rule applies to all charges. */
export function updateRule(ctx: Context, id: string, patch: CommissionRulePatch): Promise<RuleRow> {
  return ctx.tx(async (tx) => {
    const before = (await ruleForUpdateOrNull(tx, id)) ?? notFound(id);
    requireVersion(ctx, before);
    const after = await checkReferences(tx, before, { ...before, ...patch });
    checkRule(after);
    const changes = changesBetween<CommissionRuleShown>(before, after, AUDITED);
    if (Object.keys(changes).length === 0) return before;
    record(tx, ctx.scope, [], { action: "rules.update", target: id, client_id: null, changes });
    return insertVersion(tx, { ...after, version: before.version + 1, created_by: actorOf(ctx.principal).id });
  });
}

type Draft = Omit<CommissionRuleShown, "created_at">;

/** Refuses a grade, partner, link or plan that does not exist. The grade of an ended rule may have been deleted since. */
async function checkReferences<Rule extends Draft>(tx: Tx, before: Draft | null, rule: Rule): Promise<Rule> {
  const { grade, partner_id, link_id, plan, active } = rule;
  if (grade !== null && active && before?.active !== true) await requireGrade(tx, grade);
  if (partner_id !== null && before === null && !(await isPartner(tx, partner_id)))
    refuseUnknown("partner_id", "unknown_partner", `The partner ${partner_id} was not found.`);
  if (link_id !== null && before === null && !(await isLink(tx, link_id)))
    refuseUnknown("link_id", "unknown_link", `The affiliate link ${link_id} was not found.`);
  return plan === null || plan === before?.plan ? rule : { ...rule, plan: await requirePlan(tx, plan) };
}

function refuseUnknown(member: string, code: string, detail: string): never {
  fail("validation_failed", { detail, faults: [{ in: "body", pointer: `#/${member}`, code, detail }] });
}
