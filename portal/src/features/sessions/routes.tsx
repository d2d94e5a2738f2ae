import type { PageRoute } from "../../ui/route.ts";

export const sessionRoutes: readonly PageRoute[] = [{ path: "/settings/you", load: () => import("./you.tsx") }];
