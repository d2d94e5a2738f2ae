import type { PageRoute } from "../../../ui/route.ts";

export const customFieldRoutes: readonly PageRoute[] = [{ path: "/crm/$account/fields", load: () => import("./list.tsx") }];
