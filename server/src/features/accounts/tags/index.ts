export { tagAsset } from "./asset/commands.ts";
export { createTag } from "./commands.ts";
export { feature } from "./feature.ts";
