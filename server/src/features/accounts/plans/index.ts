export { createPlan, getPlan, listPlans, requirePlan, updatePlan } from "./commands.ts";
export { feature } from "./feature.ts";
export { planIdByNameOrNull } from "./queries.ts";
export { PlanCreate, PlanListQuery, PlanPatch } from "./schema.ts";
