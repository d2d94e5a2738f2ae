export { newestActions } from "./commands.ts";
export { feature } from "./feature.ts";
export { OperatorAuditList } from "./schema.ts";
