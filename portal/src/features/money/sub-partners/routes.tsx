import type { PageRoute } from "../../../ui/route.ts";

export const subPartnerRoutes: readonly PageRoute[] = [{ path: "/earn/sub-partners", load: () => import("./list.tsx") }];
