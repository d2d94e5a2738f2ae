export { admitWork, admitWriter, excludePartner, excludeWriters } from "./admission.ts";
export { createKey, listKeys, revokeKey } from "./commands.ts";
export { feature } from "./feature.ts";
export { createKeyUsage, type KeyUsage } from "./jobs.ts";
export { findKeys, findOperatorKeys } from "./lookup.queries.ts";
export { activeOperatorKeysForUpdate, saveOperatorRevocation } from "./operator.queries.ts";
export { insertKey } from "./queries.ts";
export { KeyCreate, KeyListQuery } from "./schema.ts";
