export { createOperatorKey, getHealth, listOperatorKeys, revokeOperatorKey } from "./commands.ts";
export { insertProgramme, programme, programmeExists } from "./queries.ts";
export { operatorRoutes } from "./routes.ts";
export { OperatorKeyCreate, OperatorKeyListQuery } from "./schema.ts";
