import type { PageRoute } from "../../../ui/route.ts";

export const leadRoutes: readonly PageRoute[] = [
  { path: "/crm/$account/leads", load: () => import("./list.tsx") },
  { path: "/crm/$account/leads/scoring", load: () => import("./scoring.tsx") },
  { path: "/crm/$account/leads/$id", load: () => import("./one.tsx") },
];
