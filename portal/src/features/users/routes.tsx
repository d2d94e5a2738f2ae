import type { PageRoute } from "../../ui/route.ts";

export const userRoutes: readonly PageRoute[] = [{ path: "/settings/team", load: () => import("./list.tsx") }];
