export { createPartner } from "./commands.ts";
export { insertUser } from "./queries.ts";
export { partnerRoutes } from "./routes.ts";
