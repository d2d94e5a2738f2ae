import type { Feature } from "../../../platform/feature.ts";
import { subPartnerRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "money/sub-partners",
  uses: ["accounts/clients", "programme/operators", "programme/tiers", "programme/partners"],
  reads: ["accounts/clients", "money/commissions"],
  tags: { sub_partners: "The partners below a partner" },
  partner_routes: subPartnerRoutes,
};
