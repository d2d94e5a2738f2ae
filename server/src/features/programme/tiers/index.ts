export { feature } from "./feature.ts";
export type { Benefits, Metric, Requirement, Tier } from "./model.ts";
export { allTiers } from "./queries.ts";
