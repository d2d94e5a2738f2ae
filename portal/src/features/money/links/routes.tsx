import type { PageRoute } from "../../../ui/route.ts";

export const linkRoutes: readonly PageRoute[] = [
  { path: "/earn/links", load: () => import("./list.tsx") },
  { path: "/earn/links/$id", load: () => import("./one.tsx") },
];
