import type { PageRoute } from "../../ui/route.ts";

export const partnerRoutes: readonly PageRoute[] = [{ path: "/settings/company", load: () => import("./company.tsx") }];
