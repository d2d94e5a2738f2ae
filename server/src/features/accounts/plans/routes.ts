import { operatorRoute, type Route, route } from "../../../platform/http/route.ts";
import { createPlan, getPlan, listPlans, updatePlan } from "./commands.ts";
import { ActivePlansQuery, Plan, PlanCreate, PlanList, PlanListQuery, PlanPatch } from "./schema.ts";

export const planRoutes: Route[] = [
  route({
    operation: "plans.list",
    method: "GET",
    path: "/plans",
    summary: "List the plans to sell",
    description: "The active plans of the programme, by name. `plan` of clients and sales is one of them.",
    scope: "deals:read",
    partner_wide: true,
    params: {},
    query: ActivePlansQuery,
    reply: { status: 200, schema: PlanList },
    handle: (ctx, { query }) => listPlans(ctx, { ...query, state: ["active"] }),
  }),
];

const one = { path: "/plans/{id}", params: { id: "plan" } } as const;

export const planAdminRoutes: Route[] = [
  operatorRoute({
    operation: "operator_plans.list",
    method: "GET",
    path: "/plans",
    summary: "List plans",
    description: "By name, archived and legacy ones included.",
    params: {},
    query: PlanListQuery,
    reply: { status: 200, schema: PlanList },
    handle: (ctx, { query }) => listPlans(ctx, query),
  }),
  operatorRoute({
    operation: "operator_plans.create",
    method: "POST",
    path: "/plans",
    summary: "Create a plan",
    description: "With the first active plan, clients and sales accept only plans of the catalogue.",
    params: {},
    body: PlanCreate,
    errors: ["duplicate_plan"],
    reply: { status: 201, schema: Plan, location: (id) => `/plans/${id}` },
    handle: (ctx, { body }) => createPlan(ctx, body),
  }),
  operatorRoute({
    operation: "operator_plans.get",
    method: "GET",
    ...one,
    summary: "Get a plan",
    reply: { status: 200, schema: Plan },
    handle: (ctx, { params }) => getPlan(ctx, params.id),
  }),
  operatorRoute({
    operation: "operator_plans.update",
    method: "PATCH",
    ...one,
    summary: "Update a plan",
    description:
      "`prices` is replaced as a whole. An archived plan can no longer be sold; what was sold keeps it. A legacy plan becomes one of the catalogue with the state active.",
    if_match_required: true,
    body: PlanPatch,
    errors: ["duplicate_plan"],
    reply: { status: 200, schema: Plan },
    handle: (ctx, { params, body }) => updatePlan(ctx, params.id, body),
  }),
];
