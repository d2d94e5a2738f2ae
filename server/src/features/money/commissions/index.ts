export { commissionsOfCharge } from "./detail.queries.ts";
export { feature } from "./feature.ts";
export { Commission } from "./schema.ts";
