export { addDeal, changeDeal, createDeal, lockDeal, removeDeal } from "./commands.ts";
export type { Deal } from "./model.ts";
export { dealOrNull, dealsForUpdate, dealWithExternalId } from "./queries.ts";
export { dealRoutes, partnerDealRoutes } from "./routes.ts";
export { Deal as DealReply, DealCreate, DealPatch } from "./schema.ts";
export { changeStage, moveDeal } from "./stage/commands.ts";
