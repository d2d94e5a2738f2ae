export {
  type Account,
  accountForChange,
  accountForInbound,
  accountForNew,
  admitAccount,
  inheritedOwner,
  refuseAccount,
  refuseUnknownOwner,
  requestedAccount,
} from "./admission/commands.ts";
export { AccountId, accountOfNew, OwnerId } from "./admission/schema.ts";
export { customFieldAsset } from "./asset/commands.ts";
export { accessibleResources, mayAccess, scopeOf, updateField } from "./commands.ts";
export { feature } from "./feature.ts";
export { refuseUnknownFilters } from "./filter.commands.ts";
export { type Custom, type CustomField, customFilter, patchCustomValues } from "./model.ts";
export { Custom as CustomValues, CustomInput, customParameters } from "./schema.ts";
