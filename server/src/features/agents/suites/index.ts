export { createTest } from "./commands.ts";
export { feature } from "./feature.ts";
export { createTestWorker } from "./jobs.ts";
export type { Result as TestResult } from "./model.ts";
export { eraseTests } from "./queries.ts";
export { createTestRun, finishTestRun, getTestRun, junitOfRun, passSuite } from "./runs/commands.ts";
export { TestRunCreate } from "./runs/schema.ts";
export type { TestCreate } from "./schema.ts";
