import type { PageRoute } from "../../../ui/route.ts";

export const commissionRoutes: readonly PageRoute[] = [
  { path: "/earn/commissions", load: () => import("./list.tsx") },
  { path: "/earn/commissions/$id", load: () => import("./one.tsx") },
];
