export {
  type Account,
  accountAsked,
  accountForChange,
  accountForNew,
  admitAccount,
  refuseAccount,
  refuseUnknownOwner,
} from "./commands.ts";
export { type Custom, customAfter, customFilter } from "./fields/model.ts";
export { customFieldRoutes } from "./fields/routes.ts";
export { Custom as CustomValues, CustomGiven, customParameters } from "./fields/schema.ts";
export { AccountId, accountOfNew, OwnerId } from "./schema.ts";
export { settingsForUpdateOrNull, settingsOrNull } from "./settings/queries.ts";
