export { updateClientClaims } from "./claims/commands.ts";
export { addDeal, changeDeal, createDeal, lockDeal, removeDeal } from "./commands.ts";
export { feature } from "./feature.ts";
export { dealImport } from "./import.commands.ts";
export type { Deal } from "./model.ts";
export { dealOrNull, dealsForUpdate, dealValue, dealWithExternalId } from "./queries.ts";
export { Deal as DealReply, DealCreate, DealPatch } from "./schema.ts";
export { changeStage, moveDeal } from "./stage/commands.ts";
export { stagesInUse } from "./stage/queries.ts";
