import type { PageRoute } from "../../ui/route.ts";

/** The pages of what customers are asked for, and have paid. */
export const billingRoutes: readonly PageRoute[] = [
  { path: "/crm/$account/payment-links", load: () => import("./payment-links/list.tsx") },
  { path: "/crm/$account/payment-links/$id", load: () => import("./payment-links/one.tsx") },
  { path: "/crm/$account/payments", load: () => import("./payments/list.tsx") },
  { path: "/crm/$account/payments/$id", load: () => import("./payments/one.tsx") },
  { path: "/crm/$account/payment-providers", load: () => import("./providers/list.tsx") },
];
