import type { PageRoute } from "../../ui/route.ts";

export const clientRoutes: readonly PageRoute[] = [
  { path: "/clients", load: () => import("./list.tsx") },
  { path: "/clients/$id", load: () => import("./one.tsx") },
];
