import type { PageRoute } from "../../ui/route.ts";
import { chargeRoutes } from "./charges/routes.tsx";
import { commissionRoutes } from "./commissions/routes.tsx";
import { ledgerRoutes } from "./ledger/routes.tsx";
import { linkRoutes } from "./links/routes.tsx";
import { payoutRoutes } from "./payouts/routes.tsx";
import { standingRoutes } from "./standing/routes.tsx";
import { subPartnerRoutes } from "./sub-partners/routes.tsx";

/** The pages about what the partner earns. */
export const moneyRoutes: readonly PageRoute[] = [
  ...commissionRoutes,
  ...chargeRoutes,
  ...payoutRoutes,
  ...ledgerRoutes,
  ...linkRoutes,
  ...standingRoutes,
  ...subPartnerRoutes,
];
