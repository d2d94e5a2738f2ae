import type { PageRoute } from "../../ui/route.ts";

export const eventRoutes: readonly PageRoute[] = [{ path: "/developers/events", load: () => import("./list.tsx") }];
