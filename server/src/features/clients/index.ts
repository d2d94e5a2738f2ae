export { createClient, openHouseAccount, updateClient } from "./commands.ts";
export type { ClientStatus } from "./model.ts";
export { clientRoutes } from "./routes.ts";
