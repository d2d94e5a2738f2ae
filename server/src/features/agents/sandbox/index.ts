export { checkRequest, performRun, versionFor } from "./commands.ts";
export { feature } from "./feature.ts";
export { eraseRuns, livingPeople } from "./queries.ts";
export { RUN_STATUSES, SandboxRequest, type SandboxRunShown, VersionWanted } from "./schema.ts";
