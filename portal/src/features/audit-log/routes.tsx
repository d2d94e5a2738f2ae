import type { PageRoute } from "../../ui/route.ts";

export const auditLogRoutes: readonly PageRoute[] = [{ path: "/developers/audit-log", load: () => import("./list.tsx") }];
