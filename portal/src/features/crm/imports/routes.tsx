import type { PageRoute } from "../../../ui/route.ts";

export const importRoutes: readonly PageRoute[] = [
  { path: "/crm/$account/imports", load: () => import("./list.tsx") },
  { path: "/crm/$account/imports/new", load: () => import("./new.tsx") },
  { path: "/crm/$account/imports/$id", load: () => import("./one.tsx") },
];
