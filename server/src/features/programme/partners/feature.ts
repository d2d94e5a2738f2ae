import type { Feature } from "../../../platform/feature.ts";
import { accessAdminRoutes, accessRoutes } from "./access/routes.ts";
import { accountRoutes } from "./account/routes.ts";
import { gradeAdminRoutes, gradeRoutes } from "./grades/routes.ts";
import { partnerAdminRoutes } from "./operator/routes.ts";
import { partnerRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "programme/partners",
  uses: ["accounts/clients", "programme/keys", "programme/users", "programme/operators", "programme/tiers"],
  reads: [],
  tags: {
    me: "The caller",
    account: "The partner's own profile: company, branding, defaults",
    access: "Access of the partner to the API during the private beta",
    partners: "Partners of the programme, for the operator",
    access_requests: "Requests of partners for API access, for the operator",
  },
  partner_routes: [...partnerRoutes, ...accountRoutes, ...gradeRoutes, ...accessRoutes],
  operator_routes: [...partnerAdminRoutes, ...gradeAdminRoutes, ...accessAdminRoutes],
};
