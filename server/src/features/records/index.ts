export { type Bulk, bulkChange } from "./bulk/commands.ts";
export { bulkOf, bulkResultOf } from "./bulk/schema.ts";
export { foundBy, type Having } from "./list/queries.ts";
export { changeOrAdd, refuseAmbiguous, refuseDuplicate } from "./upsert/commands.ts";
export { hasIdentity, type Identity, type Match } from "./upsert/model.ts";
