import type { PageRoute } from "../../ui/route.ts";

/** Pages for people who are not signed in. */
export const OPEN_ROUTES: readonly PageRoute[] = [
  { path: "/sign-in", load: () => import("./sign-in.tsx") },
  { path: "/link", load: () => import("./link.tsx") },
  { path: "/reset", load: () => import("./reset.tsx") },
  { path: "/invitation", load: () => import("./invitation.tsx") },
];
