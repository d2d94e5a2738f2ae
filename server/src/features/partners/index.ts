export { accessAdminRoutes, accessRoutes } from "./access/routes.ts";
export { accountRoutes } from "./account/routes.ts";
export { createPartner } from "./commands.ts";
export { getPartner, listPartners, registerPartner } from "./operator/commands.ts";
export { partnersNamed } from "./operator/queries.ts";
export { partnerAdminRoutes } from "./operator/routes.ts";
export { PartnerCreate, PartnerListQuery } from "./operator/schema.ts";
export { partnerRoutes } from "./routes.ts";
