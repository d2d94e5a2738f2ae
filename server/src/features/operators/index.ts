export { insertProgramme, programme, programmeExists } from "./queries.ts";
export { operatorRoutes } from "./routes.ts";
