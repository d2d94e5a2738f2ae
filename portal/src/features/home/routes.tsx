import type { PageRoute } from "../../ui/route.ts";

export const homeRoutes: readonly PageRoute[] = [{ path: "/", load: () => import("./home.tsx") }];
