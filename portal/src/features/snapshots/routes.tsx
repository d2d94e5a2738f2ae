import type { PageRoute } from "../../ui/route.ts";

export const snapshotRoutes: readonly PageRoute[] = [
  { path: "/snapshots", load: () => import("./list.tsx") },
  { path: "/snapshots/rollouts", load: () => import("./rollouts.tsx") },
  { path: "/snapshots/rollouts/$id", load: () => import("./rollout.tsx") },
  { path: "/snapshots/marketplace", load: () => import("./marketplace/list.tsx") },
  { path: "/snapshots/marketplace/$id", load: () => import("./marketplace/offer.tsx") },
  { path: "/snapshots/purchases", load: () => import("./marketplace/purchases.tsx") },
  { path: "/snapshots/$id", load: () => import("./one.tsx") },
];
