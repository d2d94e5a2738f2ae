export { createCertification } from "./certifications/commands.ts";
export { certificationOrNull } from "./certifications/queries.ts";
export { getTier, listTiers, requireGrade } from "./commands.ts";
export { feature } from "./feature.ts";
export { type Benefits, LOWEST_GRADE, METRICS, type Metric, type Requirement, type Tier } from "./model.ts";
export { allTiers } from "./queries.ts";
export { Currency, Months, Rate } from "./rate.schema.ts";
export { Grade } from "./schema.ts";
