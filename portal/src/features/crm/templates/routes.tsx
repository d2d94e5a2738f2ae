import type { PageRoute } from "../../../ui/route.ts";

export const templateRoutes: readonly PageRoute[] = [{ path: "/crm/$account/templates", load: () => import("./list.tsx") }];
