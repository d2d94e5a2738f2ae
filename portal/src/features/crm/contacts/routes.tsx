import type { PageRoute } from "../../../ui/route.ts";

export const contactRoutes: readonly PageRoute[] = [
  { path: "/crm/$account/contacts", load: () => import("./list.tsx") },
  { path: "/crm/$account/contacts/$id", load: () => import("./one.tsx") },
  { path: "/crm/$account/contacts/$id/merge", load: () => import("./merge.tsx") },
];
