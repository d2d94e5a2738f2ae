import { type Route, route } from "../../../../platform/http/route.ts";
import { checkCompany } from "../claims/commands.ts";
import { withdrawRegistration } from "./review.commands.ts";
import { CompanyAvailability, CompanyCheck, ReasonBody, Registration } from "./schema.ts";

/** Sales are the partner's own business, so a key for selected clients has no part in them. */
export const registrationRoutes: Route[] = [
  route({
    operation: "registrations.check",
    method: "POST",
    path: "/deals/check",
    summary: "See whether a company can be registered",
    description: "It never says whose a company is. Every check is in the audit log.",
    scope: "deals:read",
    partner_wide: true,
    params: {},
    body: CompanyCheck,
    reply: { status: 200, schema: CompanyAvailability },
    handle: (ctx, { body }) => checkCompany(ctx, body),
  }),
  route({
    operation: "registrations.withdraw",
    method: "POST",
    path: "/deals/{id}/withdraw",
    summary: "Withdraw a deal's registration: its company is free, and the deal moves no more",
    scope: "deals:write",
    partner_wide: true,
    params: { id: "deal" },
    body: ReasonBody,
    body_optional: true,
    errors: ["invalid_state_transition"],
    reply: { status: 200, schema: Registration },
    handle: (ctx, { params, body }) => withdrawRegistration(ctx, params.id, body.reason ?? null),
  }),
];
