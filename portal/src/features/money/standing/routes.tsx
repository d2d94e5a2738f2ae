import type { PageRoute } from "../../../ui/route.ts";

export const standingRoutes: readonly PageRoute[] = [{ path: "/earn/tier", load: () => import("./page.tsx") }];
