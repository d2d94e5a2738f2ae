import type { PageRoute } from "../../ui/route.ts";
import { contactRoutes } from "./contacts/routes.tsx";
import { customFieldRoutes } from "./custom-fields/routes.tsx";
import { importRoutes } from "./imports/routes.tsx";
import { leadRoutes } from "./leads/routes.tsx";
import { tagRoutes } from "./tags/routes.tsx";
import { templateRoutes } from "./templates/routes.tsx";

/** The pages about the people of an account. */
export const crmRoutes: readonly PageRoute[] = [
  ...contactRoutes,
  ...leadRoutes,
  ...importRoutes,
  ...customFieldRoutes,
  ...tagRoutes,
  ...templateRoutes,
];
