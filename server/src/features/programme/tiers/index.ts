export { feature } from "./feature.ts";
export { type Benefits, METRICS, type Metric, type Requirement, type Tier } from "./model.ts";
export { allTiers } from "./queries.ts";
