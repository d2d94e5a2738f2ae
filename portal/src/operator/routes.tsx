import type { PageRoute } from "../ui/route.ts";

/** Every page for the people of the operator. Loaded only for them. */
export const OPERATOR_ROUTES: readonly PageRoute[] = [{ path: "/", load: () => import("./overview.tsx") }];
