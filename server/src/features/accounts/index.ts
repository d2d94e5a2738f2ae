export { type Account, accountForChange, accountForNew, refuseUnknownOwner } from "./commands.ts";
export { type Custom, customAfter, customFilter } from "./fields/model.ts";
export { customFieldRoutes } from "./fields/routes.ts";
export { Custom as CustomValues, CustomGiven, customParameters } from "./fields/schema.ts";
export { AccountId, accountOfNew, OwnerId } from "./schema.ts";
