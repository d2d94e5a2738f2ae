import type { PageRoute } from "../../ui/route.ts";
import { contactRoutes } from "./contacts/routes.tsx";
import { importRoutes } from "./imports/routes.tsx";

/** The pages about the people of an account. */
export const crmRoutes: readonly PageRoute[] = [...contactRoutes, ...importRoutes];
