export { feature } from "./feature.ts";
export { createPayoutWorker } from "./jobs.ts";
