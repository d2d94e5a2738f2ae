export { canonicalText, equal, hashOf } from "./canonical.model.ts";
export { feature } from "./feature.ts";
export type {
  Accounts,
  Applied,
  Asset,
  Block,
  Change,
  ListMerging,
  Live,
  ManifestAsset,
  Merging,
  Parts,
  Reference,
  Removal,
  Spec,
  Value,
} from "./model.ts";
export { titleOf } from "./model.ts";
export { type NewRecord, newRecords } from "./new-records.model.ts";
export { lookOf, readOf, recordReads } from "./queries.ts";
export { rowsOf } from "./rows.commands.ts";
