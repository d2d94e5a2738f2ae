import type { PageRoute } from "../../ui/route.ts";

/** The pages of conversations, and of the channels that carry them. */
export const inboxRoutes: readonly PageRoute[] = [
  { path: "/crm/$account/inbox", load: () => import("./conversations/list.tsx") },
  { path: "/crm/$account/inbox/$id", load: () => import("./conversations/one.tsx") },
  { path: "/crm/$account/channels", load: () => import("./channels/list.tsx") },
  { path: "/crm/$account/channels/$id/simulator", load: () => import("./simulator/page.tsx") },
];
