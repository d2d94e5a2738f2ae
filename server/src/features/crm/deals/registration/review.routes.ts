import { operatorRoute, type Route } from "../../../../platform/http/route.ts";
import { registrationsPage } from "./queries.ts";
import { accrueSale, decideRegistration, getRegistration } from "./review.commands.ts";
import { ReasonBody, Registration, RegistrationList, RegistrationListQuery, RequiredReason, SaleAccrued } from "./schema.ts";

const one = { params: { deal_id: "deal" } } as const;

export const registrationAdminRoutes: Route[] = [
  operatorRoute({
    operation: "registrations.list",
    method: "GET",
    path: "/registrations",
    summary: "List registrations of all partners",
    params: {},
    query: RegistrationListQuery,
    reply: { status: 200, schema: RegistrationList },
    handle: (ctx, { query }) => registrationsPage(ctx.db, query),
  }),
  operatorRoute({
    operation: "registrations.get",
    method: "GET",
    path: "/registrations/{deal_id}",
    summary: "Get a registration",
    ...one,
    reply: { status: 200, schema: Registration },
    handle: (ctx, { params }) => getRegistration(ctx, params.deal_id),
  }),
  operatorRoute({
    operation: "registrations.approve",
    method: "POST",
    path: "/registrations/{deal_id}/approve",
    summary: "Approve a registration",
    description:
      "The company is protected from now on. A rejected or expired registration can be approved too, if the company is still available.",
    ...one,
    body: ReasonBody,
    body_optional: true,
    errors: ["invalid_state_transition", "deal_conflict", "commission_locked"],
    reply: { status: 200, schema: Registration },
    handle: (ctx, { params, body }) => decideRegistration(ctx, params.deal_id, "approved", body.reason ?? null),
  }),
  operatorRoute({
    operation: "registrations.reject",
    method: "POST",
    path: "/registrations/{deal_id}/reject",
    summary: "Reject a registration",
    description: "The company can be registered by others, and the deal can no longer be moved.",
    ...one,
    body: RequiredReason,
    errors: ["invalid_state_transition"],
    reply: { status: 200, schema: Registration },
    handle: (ctx, { params, body }) => decideRegistration(ctx, params.deal_id, "rejected", body.reason),
  }),
  operatorRoute({
    operation: "registrations.request_info",
    method: "POST",
    path: "/registrations/{deal_id}/request-info",
    summary: "Request information on a registration",
    description: "Any change of the deal by the partner submits the registration again.",
    ...one,
    body: RequiredReason,
    errors: ["invalid_state_transition"],
    reply: { status: 200, schema: Registration },
    handle: (ctx, { params, body }) => decideRegistration(ctx, params.deal_id, "needs_info", body.reason),
  }),
  operatorRoute({
    operation: "deals.accrue",
    method: "POST",
    path: "/deals/{deal_id}/accrue",
    summary: "Let a won sale earn",
    description:
      "For a sale that was won before there were commissions, or won again after you voided a commission of it. Every other one earns when it is won. Repeating it changes nothing.",
    ...one,
    errors: ["invalid_state_transition", "commission_locked"],
    reply: { status: 200, schema: SaleAccrued },
    handle: (ctx, { params }) => accrueSale(ctx, params.deal_id),
  }),
];
