export { getStanding, reviewAll, reviewGrade } from "./commands.ts";
export { feature } from "./feature.ts";
