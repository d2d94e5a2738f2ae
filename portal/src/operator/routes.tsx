import { sessionRoutes } from "../features/sessions/routes.tsx";
import type { PageRoute } from "../ui/route.ts";

/** Every page for the people of the operator. Loaded only for them. */
export const OPERATOR_ROUTES: readonly PageRoute[] = [
  { path: "/", load: () => import("./overview/page.tsx") },
  { path: "/partners", load: () => import("./partners/list.tsx") },
  { path: "/partners/$id", load: () => import("./partners/one.tsx") },
  { path: "/registrations", load: () => import("./registrations/list.tsx") },
  { path: "/access-requests", load: () => import("./access/list.tsx") },
  { path: "/programme", load: () => import("./programme/page.tsx") },
  { path: "/programme/rules", load: () => import("./rules/list.tsx") },
  { path: "/programme/rules/new", load: () => import("./rules/create.tsx") },
  { path: "/programme/rules/$id", load: () => import("./rules/one.tsx") },
  { path: "/programme/tiers", load: () => import("./tiers/ladder.tsx") },
  { path: "/programme/plans", load: () => import("./plans/list.tsx") },
  { path: "/charges", load: () => import("./money/charges/list.tsx") },
  { path: "/charges/$id", load: () => import("./money/charges/one.tsx") },
  { path: "/commissions", load: () => import("./money/commissions/list.tsx") },
  { path: "/commissions/$id", load: () => import("./money/commissions/one.tsx") },
  { path: "/payout-runs", load: () => import("./payouts/runs.tsx") },
  { path: "/payout-runs/new", load: () => import("./payouts/new.tsx") },
  { path: "/payout-runs/$id", load: () => import("./payouts/run.tsx") },
  { path: "/payouts", load: () => import("./payouts/list.tsx") },
  { path: "/payouts/$id", load: () => import("./payouts/one.tsx") },
  { path: "/marketplace", load: () => import("./snapshots/listings.tsx") },
  { path: "/marketplace/purchases", load: () => import("./snapshots/purchases.tsx") },
  { path: "/certifications", load: () => import("./certifications/list.tsx") },
  { path: "/operators/people", load: () => import("./operators/people.tsx") },
  { path: "/operators/keys", load: () => import("./operators/keys.tsx") },
  { path: "/system", load: () => import("./system/page.tsx") },
  { path: "/audit-log", load: () => import("./audit/list.tsx") },
  ...sessionRoutes,
];
