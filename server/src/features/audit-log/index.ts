export { auditAdminRoutes, auditLogRoutes } from "./routes.ts";
