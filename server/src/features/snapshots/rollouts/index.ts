export { workRollout } from "./batch.commands.ts";
export { nextRollouts } from "./batch.queries.ts";
export { createRollout } from "./create.commands.ts";
export { feature } from "./feature.ts";
export { createRolloutWorker } from "./jobs.ts";
export { workWaiting } from "./waiting.commands.ts";
