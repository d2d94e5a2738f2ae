import type { PageRoute } from "../../../ui/route.ts";

export const tagRoutes: readonly PageRoute[] = [{ path: "/crm/$account/tags", load: () => import("./list.tsx") }];
