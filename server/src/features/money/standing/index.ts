export { grantCertification } from "./certifications/commands.ts";
export { getStanding, reviewAll, reviewGrade } from "./commands.ts";
export { feature } from "./feature.ts";
