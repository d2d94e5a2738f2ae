import type { Feature } from "../../../platform/feature.ts";
import { ledgerAdminRoutes, ledgerRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "money/ledger",
  uses: ["accounts/clients", "programme/partners"],
  reads: [],
  tags: { ledger: "Double-entry ledger of what the partner earns", operator_ledger: "The ledgers of partners" },
  partner_routes: ledgerRoutes,
  operator_routes: ledgerAdminRoutes,
};
