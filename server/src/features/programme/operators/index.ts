export { createOperatorKey, getHealth, getProgramme, listOperatorKeys, revokeOperatorKey, updateProgramme } from "./commands.ts";
export { feature } from "./feature.ts";
export { insertProgramme, programme, programmeExists } from "./queries.ts";
export { OperatorKeyCreate, OperatorKeyListQuery, SystemHealth } from "./schema.ts";
