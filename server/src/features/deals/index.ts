export { addDeal, changeDeal, lockDeal, removeDeal } from "./commands.ts";
export type { Deal } from "./model.ts";
export { dealRoutes, partnerDealRoutes } from "./routes.ts";
export { DealCreate, DealPatch } from "./schema.ts";
export { moveDeal } from "./stage/commands.ts";
