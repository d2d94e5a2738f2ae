import type { PageRoute } from "../../ui/route.ts";

export const webhookRoutes: readonly PageRoute[] = [
  { path: "/developers/webhooks", load: () => import("./list.tsx") },
  { path: "/developers/webhooks/$id", load: () => import("./one.tsx") },
];
