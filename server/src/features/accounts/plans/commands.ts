import { fail, notFound } from "../../../kernel/errors.ts";
import type { Sender } from "../../../platform/db/transaction.ts";
import { changesBetween } from "../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { checkPrices } from "./model.ts";
import {
  acceptedPlan,
  insertPlan,
  type Plan,
  planForUpdateOrNull,
  planIdByNameOrNull,
  planOrNull,
  plansPage,
  savePlan,
} from "./queries.ts";
import { PLAN_FIELDS, type PlanCreate, type PlanListQuery, type PlanPatch } from "./schema.ts";

/**
 * The name of a plan as the catalogue spells it, or a refusal. While no plan is active, any name is accepted. Only new and changed
 * names are checked: whatever was sold under a plan keeps it.
 */
export async function requirePlan(tx: Sender, asked: string): Promise<string> {
  const { name, active } = await acceptedPlan(tx, asked);
  if (name !== null) return name;
  if (active === null || active.length === 0) return asked;
  const detail = `${asked} is not a plan of the programme.`;
  fail("unknown_plan", {
    detail,
    faults: [{ in: "body", pointer: "#/plan", code: "unknown_plan", detail }],
    meta: { plans: active },
  });
}

export async function getPlan(ctx: Context, id: string): Promise<Plan> {
  return (await planOrNull(ctx.db.byKey, id)) ?? notFound(id);
}

export function listPlans(ctx: Context, query: PlanListQuery): Promise<{ json: string }> {
  return plansPage(ctx.db, query);
}

export function createPlan(ctx: Context, { name, prices = {} }: PlanCreate): Promise<Plan> {
  checkPrices(prices);
  return ctx.tx(async (tx) => {
    const plan = (await insertPlan(tx, { name, prices, state: "active" })) ?? (await refuseDuplicate(tx, name));
    const changes = changesBetween<Partial<Plan>>({}, plan, PLAN_FIELDS);
    record(tx, ctx.scope, [], { action: "plans.create", target: plan.id, client_id: null, changes });
    return plan;
  });
}

export function updatePlan(ctx: Context, id: string, patch: PlanPatch): Promise<Plan> {
  checkPrices(patch.prices ?? {});
  return ctx.tx(async (tx) => {
    const before = (await planForUpdateOrNull(tx, id)) ?? notFound(id);
    requireVersion(ctx, before);
    const after = { ...before, ...patch };
    const changes = changesBetween(before, after, PLAN_FIELDS);
    if (Object.keys(changes).length === 0) return before;
    record(tx, ctx.scope, [], { action: "plans.update", target: id, client_id: null, changes });
    return (await savePlan(tx, after)) ?? refuseDuplicate(tx, after.name);
  });
}

async function refuseDuplicate(tx: Tx, name: string): Promise<never> {
  const existing_id = await planIdByNameOrNull(tx, name);
  fail("duplicate_plan", { detail: `Another plan has the name ${name}.`, meta: { existing_id } });
}
