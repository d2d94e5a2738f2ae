import type { PageRoute } from "../../ui/route.ts";

export const snapshotRoutes: readonly PageRoute[] = [
  { path: "/snapshots", load: () => import("./list.tsx") },
  { path: "/snapshots/rollouts", load: () => import("./rollouts.tsx") },
  { path: "/snapshots/rollouts/$id", load: () => import("./rollout.tsx") },
  { path: "/snapshots/$id", load: () => import("./one.tsx") },
];
