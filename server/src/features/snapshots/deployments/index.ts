export { deployBatch } from "./batch.commands.ts";
export { deployToClient, getDeployment, listDeployments } from "./commands.ts";
export { feature } from "./feature.ts";
export { furnish } from "./furnish.commands.ts";
export { installedRecords } from "./installed.commands.ts";
export { listInstalled, listInstalls } from "./installs.commands.ts";
export {
  cancelMembers,
  claimMember,
  claimMembers,
  countAttempt,
  type Failure,
  insertMembers,
  plansOf,
  type RolloutMember,
  requeueMembers,
  settleMembers,
} from "./members.queries.ts";
export type { Batch, Member, Outcome, RolledBack, Source } from "./model.ts";
export { POLICIES, type Policy } from "./plan/model.ts";
export { rollbackBatch, rollbackDeployment } from "./rollback.commands.ts";
export { PlanCounts } from "./schema.ts";
