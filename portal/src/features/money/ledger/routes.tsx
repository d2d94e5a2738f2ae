import type { PageRoute } from "../../../ui/route.ts";

export const ledgerRoutes: readonly PageRoute[] = [{ path: "/earn/ledger", load: () => import("./page.tsx") }];
