export { createClient, openHouseAccount, refuseUnknownClients, updateClient } from "./commands.ts";
export type { ClientStatus } from "./model.ts";
export { clientRoutes } from "./routes.ts";
export { Branding, Currency } from "./schema.ts";
