import type { PageRoute } from "../../../ui/route.ts";

export const payoutRoutes: readonly PageRoute[] = [
  { path: "/earn/payouts", load: () => import("./list.tsx") },
  { path: "/earn/payouts/$id", load: () => import("./one.tsx") },
  { path: "/settings/payout-method", load: () => import("./method.tsx") },
];
