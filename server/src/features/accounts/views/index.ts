export { savedViewAsset } from "./asset/commands.ts";
export { feature } from "./feature.ts";
