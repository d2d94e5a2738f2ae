export { type Bulk, bulkChange } from "./bulk.commands.ts";
export { bulkOf, bulkResultOf } from "./bulk.schema.ts";
export { feature } from "./feature.ts";
export { dropImages, eraseImages, keepImages, type RecordImage, takeImages, takeImagesOf } from "./images.queries.ts";
export { accepted, addedOutcomes, importRowByRow, refusalOr, unknownOwners } from "./import.commands.ts";
export {
  IMPORT_MODES,
  type Importable,
  type ImportBatch,
  type ImportField,
  type ImportMode,
  type Outcome,
  type Reading,
} from "./import.model.ts";
export { planWithValues } from "./import.queries.ts";
export { type Containment, searchFilters } from "./list.queries.ts";
export { refuseAmbiguous, refuseDuplicate, upsertRecord } from "./upsert.commands.ts";
export { hasIdentity, type Identity, type Match } from "./upsert.model.ts";
