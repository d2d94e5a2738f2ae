export {
  addClient,
  changeStatus,
  createClient,
  openHouseAccount,
  refuseUnknownClients,
  sellToClient,
  updateClient,
} from "./commands.ts";
export { listClients } from "./list/commands.ts";
export { ClientListQuery } from "./list/schema.ts";
export { type ClientStatus, daysBetween, withoutTags, withTags } from "./model.ts";
export { clientRoutes } from "./routes.ts";
export { Branding, ClientCreate, ContactDetails, Currency, ReasonBody, Tag, Tags } from "./schema.ts";
