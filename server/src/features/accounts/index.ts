export {
  type Account,
  accountAsked,
  accountForChange,
  accountForNew,
  admitAccount,
  refuseAccount,
  refuseUnknownOwner,
} from "./commands.ts";
export { mayUse, scopeOf, usable } from "./fields/commands.ts";
export { type Custom, type CustomField, customAfter, customFilter } from "./fields/model.ts";
export { customFieldRoutes } from "./fields/routes.ts";
export { Custom as CustomValues, CustomGiven, customParameters } from "./fields/schema.ts";
export {
  IMPORT_MODES,
  type Image,
  type Importable,
  type ImportBatch,
  type ImportField,
  type ImportMode,
  type Outcome,
  type Reading,
} from "./importing/model.ts";
export { AccountId, accountOfNew, OwnerId } from "./schema.ts";
export { settingsForUpdateOrNull, settingsOrNull } from "./settings/queries.ts";
