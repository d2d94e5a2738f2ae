import type { PageRoute } from "../../ui/route.ts";

export const agentRoutes: readonly PageRoute[] = [
  { path: "/crm/$account/agents", load: () => import("./list.tsx") },
  { path: "/crm/$account/agents/$id", load: () => import("./one.tsx") },
  { path: "/crm/$account/agents/$id/sessions/$session", load: () => import("./sessions/one.tsx") },
  { path: "/crm/$account/approvals", load: () => import("./approvals/list.tsx") },
  { path: "/crm/$account/knowledge", load: () => import("./knowledge/list.tsx") },
];
