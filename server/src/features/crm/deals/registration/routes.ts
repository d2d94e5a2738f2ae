import { type Route, route } from "../../../../platform/http/route.ts";
import { checkCompany } from "../claims/commands.ts";
import { withdrawRegistration } from "./review.commands.ts";
import { CompanyAvailability, CompanyCheck, ReasonBody, Registration } from "./schema.ts";

/** Sales concern the partner only, so keys for selected clients have no access. */
export const registrationRoutes: Route[] = [
  route({
    operation: "registrations.check",
    method: "POST",
    path: "/deals/check",
    summary: "Check the availability of a company",
    description: "The reply never reveals who has registered a company. Every check is recorded in the audit log.",
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
    summary: "Withdraw the registration of a deal",
    description: "The company can be registered by others, and the deal can no longer be moved.",
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
