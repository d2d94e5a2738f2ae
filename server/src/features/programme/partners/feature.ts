import type { Feature } from "../../../platform/feature.ts";
import { accessAdminRoutes, accessRoutes } from "./access/routes.ts";
import { accountRoutes } from "./account/routes.ts";
import { partnerAdminRoutes } from "./operator/routes.ts";
import { partnerRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "programme/partners",
  uses: ["accounts/clients", "programme/keys", "programme/users", "programme/operators"],
  reads: [],
  tags: {
    me: "Who am I",
    account: "The partner's own account: company, branding, defaults",
    access: "Access to the API during the private beta: see it, ask for it",
    partners: "For the operator: take partners in, place them, grade them, suspend them",
    access_requests: "For the operator: who asks for access to the API",
  },
  partner_routes: [...partnerRoutes, ...accountRoutes, ...accessRoutes],
  operator_routes: [...partnerAdminRoutes, ...accessAdminRoutes],
};
