import type { PageRoute } from "../../ui/route.ts";

export const keyRoutes: readonly PageRoute[] = [
  { path: "/settings/api", load: () => import("./list.tsx") },
  { path: "/developers/reference", load: () => import("./reference.tsx") },
];
