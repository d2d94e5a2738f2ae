export { deployBatch, rollbackBatch } from "./batch.commands.ts";
export { feature } from "./feature.ts";
export { type Batch, type Member, type Outcome, POLICIES, type Policy, type RolledBack, type Source } from "./model.ts";
