export {
  addClient,
  applySale,
  changeStatus,
  createClient,
  listClients,
  openHouseAccount,
  requireKnownClients,
  updateClient,
} from "./commands.ts";
export { feature } from "./feature.ts";
export {
  type AccountStatus,
  accountsWithin,
  forgetQueued,
  lockAccounts,
  saveInstalled,
  saveQueued,
} from "./installed.queries.ts";
export { clientIds } from "./list.queries.ts";
export { ClientListQuery } from "./list.schema.ts";
export { type ClientSnapshot, type ClientStatus, daysBetween, withoutTags, withTags } from "./model.ts";
export { Branding, ClientCreate, ContactDetails, Currency, ReasonBody, Tag, Tags } from "./schema.ts";
export { saveSharedPhones, settingsForUpdateOrNull, settingsOrNull } from "./settings.queries.ts";
