export { messageTemplateAsset } from "./asset/commands.ts";
export { createTemplate } from "./commands.ts";
export { feature } from "./feature.ts";
