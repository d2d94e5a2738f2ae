export { admitKey, admitKeyWork, excludePartner, excludeWriters, holdWriter } from "./admission.ts";
export { createKey, listKeys, revokeKey } from "./commands.ts";
export { feature } from "./feature.ts";
export { findKeys, findOperatorKeys } from "./lookup.queries.ts";
export { activeOperatorKeysForUpdate, saveOperatorRevocation } from "./operator.queries.ts";
export { insertKey, saveUses } from "./queries.ts";
export { KeyCreate, KeyListQuery } from "./schema.ts";
