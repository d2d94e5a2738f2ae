export { accessAdminRoutes, accessRoutes } from "./access/routes.ts";
export { accountRoutes } from "./account/routes.ts";
export { createPartner } from "./commands.ts";
export { partnerAdminRoutes } from "./operator/routes.ts";
export { partnerRoutes } from "./routes.ts";
