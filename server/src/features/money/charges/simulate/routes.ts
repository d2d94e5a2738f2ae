import { operatorRoute, type Route, route } from "../../../../platform/http/route.ts";
import { simulateCommissions, simulateRule } from "./commands.ts";
import { CommissionSimulation, RuleSimulation, SimulationResult } from "./schema.ts";

const NOTHING = "Refunds are taken off, overrides are not included, and nothing is written.";

export const simulationRoutes: Route[] = [
  route({
    operation: "commissions.simulate",
    method: "POST",
    path: "/deals/commissions/simulate",
    summary: "Simulate commissions",
    description: `What past charges of your clients would have earned with another grade, or on other terms. ${NOTHING}`,
    scope: "commissions:read",
    partner_wide: true,
    params: {},
    body: CommissionSimulation,
    reply: { status: 200, schema: SimulationResult },
    handle: (ctx, { body }) => simulateCommissions(ctx, body),
  }),
];

export const simulationAdminRoutes: Route[] = [
  operatorRoute({
    operation: "rules.simulate",
    method: "POST",
    path: "/rules/simulate",
    summary: "Simulate a commission rule",
    description: `What past charges would have earned if the rule had been there, or had replaced another one. ${NOTHING}`,
    params: {},
    body: RuleSimulation,
    reply: { status: 200, schema: SimulationResult },
    handle: (ctx, { body }) => simulateRule(ctx, body),
  }),
];
