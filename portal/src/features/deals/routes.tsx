import type { PageRoute } from "../../ui/route.ts";

const page = () => import("./page.tsx");
const one = () => import("./one.tsx");

export const dealRoutes: readonly PageRoute[] = [
  { path: "/deals", load: page },
  { path: "/deals/$id", load: one },
  { path: "/crm/$account/deals", load: page },
  { path: "/crm/$account/deals/$id", load: one },
];
