import type { PageRoute } from "../../../ui/route.ts";

export const chargeRoutes: readonly PageRoute[] = [{ path: "/earn/charges", load: () => import("./list.tsx") }];
