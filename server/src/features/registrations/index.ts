export { amendSale, provisionClient, reclaimSale, refuseUnmovable, registerSale, releaseSale } from "./commands.ts";
export { registrationJobs } from "./jobs.ts";
export type { Registration, Sale } from "./model.ts";
export { registrationAdminRoutes } from "./review/routes.ts";
export { registrationRoutes } from "./routes.ts";
